import { mayActFor, noReach, type Reach } from '#src/agents/access.ts'
import type { StoredCharacter } from '#src/agents/character.ts'
import { edgeId } from '#src/agents/friends/edge.ts'

/** Which friend invokes the actions of an agent: null where it is the owner. */
export interface Invoker {
  friendId: string | null
}

/**
 * The owner of an agent, or a friend of it with the permission `run_task`: the agent that the key
 * acts as, or one of the caller's account.
 * @throws Refusal `character_not_found`, `forbidden`
 */
export async function invokerOf(
  reach: Reach,
  charId: string,
): Promise<{ agent: StoredCharacter; invoker: Invoker }> {
  const { store, caller } = reach
  const agent = await store.characters.get(charId)
  if (!agent) return noReach(reach, charId)
  if (agent.owner_id === caller.accountId && mayActFor(caller, charId)) {
    return { agent, invoker: { friendId: null } }
  }
  const [edge] = await store.edges.find(
    {
      friend_id: charId,
      owner_id: caller.accountId,
      status: 'accepted',
      permissions: { $all: ['run_task'] },
      ...(caller.charId !== undefined && { id: edgeId(caller.charId, charId) }),
    },
    { sort: { id: 1 }, limit: 1 },
  )
  return edge ? { agent, invoker: { friendId: edge.char_id } } : noReach(reach, charId)
}
