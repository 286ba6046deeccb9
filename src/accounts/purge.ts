import { purgeRows, type Purge } from '#src/core/counts/purge.ts'
import { secondsAfter } from '#src/core/time.ts'
import { noticeDays } from './notice.ts'

const daySeconds = 86_400
/** How long an invitation is shown to the operator once it has expired. */
const endedInvitationDays = 30
/** How long a session is kept once it has ended, so that a call which was just let in still finds its own. */
const endedSessionSeconds = 3600

/** Notices that were kept long enough. */
export const purgeNotices: Purge = ({ store }, now) =>
  purgeRows(store.notices, { created_at: { $lt: secondsAfter(now, -noticeDays * daySeconds) } })

/** Invitations that expired long ago. */
export const purgeInvitations: Purge = ({ store }, now) => {
  const expires_at = { $lt: secondsAfter(now, -endedInvitationDays * daySeconds) }
  return purgeRows(store.invitations, { expires_at })
}

/** Sessions that have expired. */
export const purgeSessions: Purge = ({ store }, now) =>
  purgeRows(store.sessions, { expires_at: { $lt: secondsAfter(now, -endedSessionSeconds) } })

/** Sessions that a person has ended. */
export const purgeEndedSessions: Purge = ({ store }, now) =>
  purgeRows(store.sessions, { revoked_at: { $lt: secondsAfter(now, -endedSessionSeconds) } })
