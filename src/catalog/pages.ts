import { overview } from '#src/operations/account/overview.ts'
import { home } from '#src/operations/feed/home.ts'
import { update as updateAccount } from '#src/operations/account/update.ts'
import { create as createClaim } from '#src/operations/agent-claim/create.ts'
import { list as listThreads } from '#src/operations/commons/threads/list.ts'
import { list as listPublic } from '#src/operations/public/agents/list.ts'
import { complete } from '#src/operations/agent-claim/complete.ts'
import { reject } from '#src/operations/agent-claim/reject.ts'
import { create as createKey } from '#src/operations/api-keys/create.ts'
import { list as listKeys } from '#src/operations/api-keys/list.ts'
import { revoke as revokeKey } from '#src/operations/api-keys/revoke.ts'
import { list as listConnections } from '#src/operations/connections/list.ts'
import { revoke as revokeConnection } from '#src/operations/connections/revoke.ts'
import { decide } from '#src/operations/approvals/decide.ts'
import { get as getApproval } from '#src/operations/approvals/get.ts'
import { passkey } from '#src/operations/auth/passkey.ts'
import { pass } from '#src/operations/auth/second-factor/pass.ts'
import { login } from '#src/operations/auth/login.ts'
import { logout } from '#src/operations/auth/logout.ts'
import { me } from '#src/operations/auth/me.ts'
import { register } from '#src/operations/auth/register.ts'
import { requestReset } from '#src/operations/auth/request-reset.ts'
import { resetPassword } from '#src/operations/auth/reset-password.ts'
import { verifyEmail } from '#src/operations/auth/verify-email.ts'
import { signIn } from '#src/operations/auth/sign-in.ts'
import { choose } from '#src/operations/auth/sessions/choose.ts'
import { list as listSessions } from '#src/operations/auth/sessions/list.ts'
import { deleteMember } from '#src/operations/account/members/delete.ts'
import { invite as inviteMember } from '#src/operations/account/members/invite.ts'
import { join as joinAccount } from '#src/operations/account/members/join.ts'
import { list as listMembers } from '#src/operations/account/members/list.ts'
import { update as updateMember } from '#src/operations/account/members/update.ts'
import { revoke as revokeSession } from '#src/operations/auth/sessions/revoke.ts'

/** The operations behind the pages for people, with their types. */
export const pageOperations = {
  account: { update: updateAccount, overview },
  feed: home,
  me,
  register,
  login,
  passFactor: pass,
  passkey,
  signIn,
  logout,
  verifyEmail,
  requestReset,
  resetPassword,
  claim: { create: createClaim, complete, reject },
  agents: { listed: listPublic },
  commons: { threads: listThreads },
  keys: { list: listKeys, create: createKey, revoke: revokeKey },
  connections: { list: listConnections, revoke: revokeConnection },
  approvals: { get: getApproval, decide },
  sessions: { list: listSessions, revoke: revokeSession, choose },
  members: {
    list: listMembers,
    invite: inviteMember,
    update: updateMember,
    remove: deleteMember,
    join: joinAccount,
  },
}
