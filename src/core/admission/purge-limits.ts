import { purgeRows, type Purge } from '../counts/purge.ts'
import { secondsAfter } from '../time.ts'

/** Windows end within a day; one that ends later was made before the clock was set back. */
const aheadSeconds = 48 * 3600

/** Deletes windows that have ended. */
export const purgeLimits: Purge = ({ store }, now) =>
  purgeRows(store.limits, { ends_at: { $lt: now.toISOString() } })

/** Deletes windows that lie far in the future. */
export const purgeLimitsAhead: Purge = ({ store }, now) =>
  purgeRows(store.limits, { ends_at: { $gt: secondsAfter(now, aheadSeconds) } })
