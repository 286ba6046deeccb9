import { timestamp } from '#src/core/time.ts'
import type { Filter } from '#src/ports/filter.ts'
import type { Store, Write } from '#src/ports/store.ts'
import { connectionsAtMost, type StoredConnection } from './connection.ts'

/**
 * The writes that end connections, as many as one account has: with each go its codes and tokens, the keys that the
 * program has made, and the addresses at which it is told of what happens, so that nothing outlives what the person
 * agreed to. None once there are none left.
 */
export async function endOfConnections(
  store: Pick<Store, 'connections' | 'api_keys' | 'commons_webhooks'>,
  filter: Filter<StoredConnection>,
  now: Date,
): Promise<Write[]> {
  const found = await store.connections.pick(['id'], filter, { limit: connectionsAtMost })
  if (found.length === 0) return []
  const ids = { $in: found.map(([id]) => String(id)) }
  const [keys, webhooks] = await Promise.all([
    store.api_keys.pick(['id'], { made_by: ids, revoked_at: null }),
    store.commons_webhooks.pick(['id'], { made_by: ids }),
  ])
  const told = webhooks.map(([id]) => String(id))
  const change = { $set: { revoked_at: timestamp(now) } }
  return [
    // The filter is repeated: one may have been renewed since it was read.
    { in: 'connections', delete: { ...filter, id: ids } },
    { in: 'oauth_artifacts', delete: { grant_id: ids } },
    // A waiting notification finds its target gone when its turn comes.
    { in: 'push_targets', delete: { made_by: ids } },
    { in: 'commons_webhooks', delete: { made_by: ids } },
    { in: 'deliveries', delete: { commons_webhook: { $in: told }, status: 'pending' } },
    ...keys.map(([id]): Write => ({ in: 'api_keys', update: { id: String(id) }, change })),
  ]
}

/** Ends all that match. */
export async function endConnections(
  store: Store,
  filter: Filter<StoredConnection>,
  now: Date,
): Promise<void> {
  for (;;) {
    const writes = await endOfConnections(store, filter, now)
    if (writes.length === 0) return
    await store.commit(writes)
  }
}
