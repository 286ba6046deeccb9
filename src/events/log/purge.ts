import { purgeRows, type Purge } from '#src/core/counts/purge.ts'
import { secondsAfter } from '#src/core/time.ts'
import { loggedDays } from './entry.ts'

/** Deletes events of accounts that have been kept for long enough. */
export const purgeAccountEvents: Purge = ({ store }, now) =>
  purgeRows(store.account_events, { at: { $lt: secondsAfter(now, -loggedDays * 86_400) } })
