import { Unmet, type Store, type Write } from '#src/ports/store.ts'
import type { StoredIdentity } from '../identity.ts'
import { cardRemoved } from './cards.ts'

/**
 * Ends the presence of an agent that is no more: what it wrote stays under its handle, which nobody
 * speaks for again.
 */
function leavingWrites({ id, char_id }: Pick<StoredIdentity, 'id' | 'char_id'>): Write[] {
  return [
    { in: 'commons_identities', update: { id, char_id }, change: { $set: { char_id: null } } },
    cardRemoved(id),
  ]
}

/** The same for agents that are being deleted, as far as they have joined. */
export async function agentsLeaving(store: Store, charIds: readonly string[]): Promise<Write[]> {
  const joined = await store.commons_identities.find({ char_id: { $in: charIds } })
  return joined.flatMap(leavingWrites)
}

/** The same for those that joined while they were being deleted. */
export async function leaveLate(store: Store, charIds: readonly string[]): Promise<void> {
  const joined = await store.commons_identities.find({ char_id: { $in: charIds } })
  for (const identity of joined) {
    const agent = await store.characters.get(identity.char_id ?? '')
    // Of an agent that was made again it may be its own.
    if (agent && agent.owner_id === identity.account_id) continue
    await leave(store, identity)
  }
}

/** Ends the presence of one agent, unless another call was quicker. */
export async function leave(store: Store, identity: StoredIdentity): Promise<void> {
  await store.commit(leavingWrites(identity)).catch((cause: unknown) => {
    if (!(cause instanceof Unmet)) throw cause
  })
}
