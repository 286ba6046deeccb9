import { purgeRows, type Purge } from '#src/core/counts/purge.ts'
import { secondsAfter } from '#src/core/time.ts'

/** As long as the notice with the link is kept. */
const askedSeconds = 90 * 86_400

/** Forgets servers that asked long ago for a consent which no person has given. */
export const purgeOutbound: Purge = ({ store }, now) =>
  purgeRows(store.outbound_connections, {
    state: 'needs_consent',
    updated_at: { $lt: secondsAfter(now, -askedSeconds) },
  })
