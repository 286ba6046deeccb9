import { purgeRows, type Purge } from '#src/core/counts/purge.ts'
import { timestamp } from '#src/core/time.ts'
import { endOfConnections } from './end.ts'

/** Deletes codes, tokens and requests that have expired. */
export const purgeArtifacts: Purge = ({ store }, now) =>
  purgeRows(store.oauth_artifacts, { expires_at: { $lt: timestamp(now) } })

/** Deletes programs that no person has connected in time, or for long. */
export const purgeClients: Purge = ({ store }, now) =>
  purgeRows(store.oauth_clients, { expires_at: { $lt: timestamp(now) } })

/** Ends connections that their person has not renewed, with all that goes with them. */
export const purgeConnections: Purge = async ({ store, forgetCallers }, now) => {
  const writes = await endOfConnections(store, { expires_at: { $lt: timestamp(now) } }, now)
  if (writes.length === 0) return false
  await store.commit(writes)
  forgetCallers()
  return true
}
