import type { StoredCharacter } from '../character.ts'
import type { Store } from '#src/ports/store.ts'
import { edgeId } from './edge.ts'

type Agent = Pick<StoredCharacter, 'id' | 'owner_id'>

/** Whether one agent may do this at another: always within one account, otherwise by an accepted edge that names it. */
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
 * The same for an agent that calls itself, with a key that acts as it. It acts for itself alone, so it
 * needs the accepted edge at every other agent, even of its own account.
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
