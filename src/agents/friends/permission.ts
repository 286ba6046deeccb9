import type { StoredCharacter } from '../character.ts'
import type { Store } from '#src/ports/store.ts'
import { edgeId } from './edge.ts'

type Agent = Pick<StoredCharacter, 'id' | 'owner_id'>

/** Whether one agent may do this at another: within one account always, else by an accepted edge that names it. */
export async function mayDo(
  store: Pick<Store, 'edges'>,
  from: Agent,
  at: Agent,
  permission: string,
): Promise<boolean> {
  if (from.owner_id === at.owner_id) return true
  return isLetIn(store, from, at, permission)
}

/**
 * The same where it is the agent itself that says so, by a key that acts as it: it stands for itself
 * alone, so that at every other agent, of its own account too, it needs the accepted edge.
 */
export async function isLetIn(
  store: Pick<Store, 'edges'>,
  from: Pick<Agent, 'id'>,
  at: Pick<Agent, 'id'>,
  permission: string,
): Promise<boolean> {
  if (from.id === at.id) return true
  const edge = await store.edges.get(edgeId(from.id, at.id))
  return edge?.status === 'accepted' && edge.permissions.includes(permission)
}
