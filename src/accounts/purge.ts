import { purgeRows, type Purge } from '#src/core/counts/purge.ts'
import { secondsAfter, timestamp } from '#src/core/time.ts'
import { noticeDays } from './notice.ts'

const daySeconds = 86_400
/** How long the operator is shown an invitation after it has expired. */
const endedInvitationDays = 30
/** How long an ended session is kept, so that a call that was just admitted still finds it. */
const endedSessionSeconds = 3600

/** Deletes notices that have expired. */
export const purgeNotices: Purge = ({ store }, now) =>
  purgeRows(store.notices, { created_at: { $lt: secondsAfter(now, -noticeDays * daySeconds) } })

/** Deletes invitations that expired long ago. */
export const purgeInvitations: Purge = ({ store }, now) => {
  const expires_at = { $lt: secondsAfter(now, -endedInvitationDays * daySeconds) }
  return purgeRows(store.invitations, { expires_at })
}

/** Deletes invitations into accounts that have expired, whether they were accepted or not. */
export const purgeMemberInvitations: Purge = ({ store }, now) =>
  purgeRows(store.member_invitations, { expires_at: { $lt: timestamp(now) } })

/** Deletes sessions that have expired. */
export const purgeSessions: Purge = ({ store }, now) =>
  purgeRows(store.sessions, { expires_at: { $lt: secondsAfter(now, -endedSessionSeconds) } })

/** Deletes sessions that were ended. */
export const purgeEndedSessions: Purge = ({ store }, now) =>
  purgeRows(store.sessions, { revoked_at: { $lt: secondsAfter(now, -endedSessionSeconds) } })

/** Deletes keys that were revoked long ago; the audit still tells of them. */
export const purgeRevokedKeys: Purge = async ({ store, settings }, now) => {
  const days = settings.retention.revoked_keys
  if (days === Infinity) return false
  return purgeRows(store.api_keys, { revoked_at: { $lt: secondsAfter(now, -days * daySeconds) } })
}

/** Deletes claims that were decided long ago; those of accounts that no one holds still give a new key. */
export const purgeDecidedClaims: Purge = async ({ store, settings }, now) => {
  const days = settings.retention.claims
  if (days === Infinity) return false
  return purgeRows(store.claims, { decided_at: { $lt: secondsAfter(now, -days * daySeconds) } })
}
