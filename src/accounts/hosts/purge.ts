import { purgeRows, type Purge } from '#src/core/counts/purge.ts'
import { timestamp } from '#src/core/time.ts'

/** Deletes codes, tokens and requests that have expired. */
export const purgeArtifacts: Purge = ({ store }, now) =>
  purgeRows(store.oauth_artifacts, { expires_at: { $lt: timestamp(now) } })

/** Deletes programs that no person has connected in time, or for long. */
export const purgeClients: Purge = ({ store }, now) =>
  purgeRows(store.oauth_clients, { expires_at: { $lt: timestamp(now) } })

/** Deletes connections that their person has not renewed. */
export const purgeConnections: Purge = ({ store }, now) =>
  purgeRows(store.connections, { expires_at: { $lt: timestamp(now) } })
