import { purgedAtOnce, purgeRows, type Purge } from '#src/core/counts/purge.ts'
import { secondsAfter, timestamp } from '#src/core/time.ts'
import { clientDays } from './connection.ts'
import { endOfConnections } from './end.ts'

/** Deletes codes, tokens and requests that have expired. */
export const purgeArtifacts: Purge = ({ store }, now) =>
  purgeRows(store.oauth_artifacts, { expires_at: { $lt: timestamp(now) } })

/** Deletes programs that registered themselves and are not connected; those that are, are looked at again later. */
export const purgeClients: Purge = async ({ store }, now) => {
  const expired = { expires_at: { $lt: timestamp(now) } }
  const rows = await store.oauth_clients.pick(['id'], expired, { limit: purgedAtOnce })
  const unconnected: string[] = []
  for (const [one] of rows) {
    const id = String(one)
    const [connection] = await store.connections.pick(['id'], { client_id: id }, { limit: 1 })
    if (!connection) unconnected.push(id)
    else {
      const expires_at = secondsAfter(now, clientDays * 86_400)
      await store.oauth_clients.update({ id, ...expired }, { $set: { expires_at } })
    }
  }
  // The filter is repeated: a person may have connected one since it was read.
  await store.oauth_clients.delete({ ...expired, id: { $in: unconnected } })
  return rows.length === purgedAtOnce
}

/** Ends connections that their person has not renewed, with all that goes with them. */
export const purgeConnections: Purge = async ({ store, forgetCallers }, now) => {
  const writes = await endOfConnections(store, { expires_at: { $lt: timestamp(now) } }, now)
  if (writes.length === 0) return false
  await store.commit(writes)
  forgetCallers()
  return true
}
