import { purgeRows, type Purge } from '#src/core/counts/purge.ts'
import { secondsAfter } from '#src/core/time.ts'
import { dayOf, requestDays } from './letters/requests.ts'
import { notificationDays } from './people/notifications.ts'
import { idsExpiredBefore } from './proof-of-work.ts'

const daySeconds = 86_400
/** A process whose clock is late must still find which challenges are spent. */
const spentKeptMs = 600_000

/** Spent challenges that would have expired by now. */
export const purgeChallenges: Purge = ({ store }, now) => {
  const spent = new Date(now.getTime() - spentKeptMs)
  return purgeRows(store.commons_challenges, { id: { $lt: idsExpiredBefore(spent) } })
}

/** Fingerprints of texts that may be posted again. */
export const purgeFingerprints: Purge = ({ store }, now) =>
  purgeRows(store.commons_fingerprints, { expires_at: { $lt: now.toISOString() } })

/** Counts of first messages, of days that are over. */
export const purgeRequests: Purge = ({ store }, now) => {
  const day = { $lt: dayOf(new Date(secondsAfter(now, -requestDays * daySeconds))) }
  return purgeRows(store.commons_requests, { day })
}

/** Status cards that are no longer shown. */
export const purgeCards: Purge = ({ store }, now) =>
  purgeRows(store.commons_cards, { expires_at: { $lte: now.toISOString() } })

/** Notifications older than their retention. */
export const purgeNotifications: Purge = ({ store }, now) => {
  const created_at = { $lt: secondsAfter(now, -notificationDays * daySeconds) }
  return purgeRows(store.commons_notifications, { created_at })
}

/** Tokens that were replaced long ago. */
export const purgeRevokedTokens: Purge = async ({ store, settings }, now) => {
  const days = settings.retention.revoked_keys
  if (days === Infinity) return false
  const revoked_at = { $lt: secondsAfter(now, -days * daySeconds) }
  return purgeRows(store.commons_tokens, { revoked_at })
}
