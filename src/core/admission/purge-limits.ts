import { purgeRows, type Purge } from '../counts/purge.ts'
import { secondsAfter } from '../time.ts'

/** Windows of limits end within a day: a clock that was put back has left those that end later. */
const aheadSeconds = 48 * 3600

/** Windows that have ended. */
export const purgeLimits: Purge = ({ store }, now) =>
  purgeRows(store.limits, { ends_at: { $lt: now.toISOString() } })

/** Windows of a time that is still far ahead. */
export const purgeLimitsAhead: Purge = ({ store }, now) =>
  purgeRows(store.limits, { ends_at: { $gt: secondsAfter(now, aheadSeconds) } })
