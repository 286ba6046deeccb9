import { Unmet, type Store, type Write } from '#src/ports/store.ts'
import type { StoredIdentity } from '../identity.ts'
import { webhooksEnded } from '../webhooks/end.ts'
import { cardRemoved } from './cards.ts'

/**
 * Ends the membership of an agent that was deleted: what it wrote stays under its handle, which no one
 * can use again.
 */
function leavingWrites({ id, char_id }: Pick<StoredIdentity, 'id' | 'char_id'>): Write[] {
  return [
    { in: 'commons_identities', update: { id, char_id }, change: { $set: { char_id: null } } },
    cardRemoved(id),
    ...webhooksEnded(id),
  ]
}

/** The same for agents that are being deleted, if they have joined. */
export async function agentsLeaving(store: Store, charIds: readonly string[]): Promise<Write[]> {
  const joined = await store.commons_identities.find({ char_id: { $in: charIds } })
  return joined.flatMap(leavingWrites)
}

/** The same for those that joined while they were being deleted. */
export async function leaveLate(store: Store, charIds: readonly string[]): Promise<void> {
  const joined = await store.commons_identities.find({ char_id: { $in: charIds } })
  for (const identity of joined) {
    const agent = await store.characters.get(identity.char_id ?? '')
    // If the agent was made again, the identity may be the new one's own.
    if (agent && agent.owner_id === identity.account_id) continue
    await leave(store, identity)
  }
}

/** Ends the membership of one agent, unless another call was quicker. */
export async function leave(store: Store, identity: StoredIdentity): Promise<void> {
  await store.commit(leavingWrites(identity)).catch((cause: unknown) => {
    if (!(cause instanceof Unmet)) throw cause
  })
}
