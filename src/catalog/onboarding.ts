import type { Operation } from '#src/core/operation.ts'
import { audit as accountAudit } from '#src/operations/account/audit.ts'
import { deleteAccount as accountDelete } from '#src/operations/account/delete.ts'
import { exportAccount as accountExport } from '#src/operations/account/export.ts'
import { deleteMember as accountMembersDelete } from '#src/operations/account/members/delete.ts'
import { invite as accountMembersInvite } from '#src/operations/account/members/invite.ts'
import { join as accountMembersJoin } from '#src/operations/account/members/join.ts'
import { list as accountMembersList } from '#src/operations/account/members/list.ts'
import { update as accountMembersUpdate } from '#src/operations/account/members/update.ts'
import { get as accountGet } from '#src/operations/account/get.ts'
import { events as accountEvents } from '#src/operations/account/events.ts'
import { inbox as accountInbox } from '#src/operations/account/inbox.ts'
import { dismiss as accountInboxDismiss } from '#src/operations/account/inbox/dismiss.ts'
import { overview as accountOverview } from '#src/operations/account/overview.ts'
import { update as accountUpdate } from '#src/operations/account/update.ts'
import { complete as agentClaimComplete } from '#src/operations/agent-claim/complete.ts'
import { create as agentClaimCreate } from '#src/operations/agent-claim/create.ts'
import { recover as agentClaimRecover } from '#src/operations/agent-claim/recover.ts'
import { reject as agentClaimReject } from '#src/operations/agent-claim/reject.ts'
import { status as agentClaimStatus } from '#src/operations/agent-claim/status.ts'
import { create as apiKeysCreate } from '#src/operations/api-keys/create.ts'
import { list as apiKeysList } from '#src/operations/api-keys/list.ts'
import { revoke as apiKeysRevoke } from '#src/operations/api-keys/revoke.ts'
import { list as connectionsList } from '#src/operations/connections/list.ts'
import { revoke as connectionsRevoke } from '#src/operations/connections/revoke.ts'
import { changePassword as authChangePassword } from '#src/operations/auth/change-password.ts'
import { confirm as authConfirm } from '#src/operations/auth/confirm.ts'
import { login as authLogin } from '#src/operations/auth/login.ts'
import { logout as authLogout } from '#src/operations/auth/logout.ts'
import { me as authMe } from '#src/operations/auth/me.ts'
import { register as authRegister } from '#src/operations/auth/register.ts'
import { requestReset as authRequestReset } from '#src/operations/auth/request-reset.ts'
import { resetPassword as authResetPassword } from '#src/operations/auth/reset-password.ts'
import { signIn as authSignIn } from '#src/operations/auth/sign-in.ts'
import { sendVerification as authSendVerification } from '#src/operations/auth/send-verification.ts'
import { verifyEmail as authVerifyEmail } from '#src/operations/auth/verify-email.ts'
import { begin as authFactorBegin } from '#src/operations/auth/second-factor/begin.ts'
import { disable as authFactorDisable } from '#src/operations/auth/second-factor/disable.ts'
import { enable as authFactorEnable } from '#src/operations/auth/second-factor/enable.ts'
import { get as authFactorGet } from '#src/operations/auth/second-factor/get.ts'
import { pass as authFactorPass } from '#src/operations/auth/second-factor/pass.ts'
import { renew as authFactorRenew } from '#src/operations/auth/second-factor/renew.ts'
import { passkey as authPasskey } from '#src/operations/auth/passkey.ts'
import { options as authPasskeyOptions } from '#src/operations/auth/passkey/options.ts'
import { create as authPasskeysCreate } from '#src/operations/auth/passkeys/create.ts'
import { deletePasskey as authPasskeysDelete } from '#src/operations/auth/passkeys/delete.ts'
import { list as authPasskeysList } from '#src/operations/auth/passkeys/list.ts'
import { options as authPasskeysOptions } from '#src/operations/auth/passkeys/options.ts'
import { choose as authSessionsChoose } from '#src/operations/auth/sessions/choose.ts'
import { list as authSessionsList } from '#src/operations/auth/sessions/list.ts'
import { revoke as authSessionsRevoke } from '#src/operations/auth/sessions/revoke.ts'
import { get as healthGet } from '#src/operations/health/get.ts'
import { get as limitsGet } from '#src/operations/limits/get.ts'
import { add as notificationsPushAdd } from '#src/operations/notifications/push/add.ts'
import { deletePush as notificationsPushDelete } from '#src/operations/notifications/push/delete.ts'
import { list as notificationsPushList } from '#src/operations/notifications/push/list.ts'
import { test as notificationsTest } from '#src/operations/notifications/test.ts'
import { get as notificationsGet } from '#src/operations/notifications/get.ts'
import { unsubscribe as notificationsUnsubscribe } from '#src/operations/notifications/unsubscribe.ts'
import { update as notificationsUpdate } from '#src/operations/notifications/update.ts'
import { deleteWebhook as notificationsWebhookDelete } from '#src/operations/notifications/webhook/delete.ts'
import { set as notificationsWebhookSet } from '#src/operations/notifications/webhook/set.ts'

/** Whether the service is well, its limits, and the ways to a key and an account. */
export const onboarding: readonly Operation[] = [
  healthGet,
  limitsGet,
  agentClaimCreate,
  agentClaimStatus,
  agentClaimRecover,
  agentClaimComplete,
  agentClaimReject,
  authRegister,
  authLogin,
  authSignIn,
  authLogout,
  authMe,
  authVerifyEmail,
  authSendVerification,
  authRequestReset,
  authResetPassword,
  authChangePassword,
  authConfirm,
  authFactorPass,
  authFactorGet,
  authFactorBegin,
  authFactorEnable,
  authFactorRenew,
  authFactorDisable,
  authPasskeyOptions,
  authPasskey,
  authPasskeysList,
  authPasskeysOptions,
  authPasskeysCreate,
  authPasskeysDelete,
  authSessionsList,
  authSessionsRevoke,
  authSessionsChoose,
  apiKeysCreate,
  apiKeysList,
  apiKeysRevoke,
  connectionsList,
  connectionsRevoke,
  accountGet,
  accountOverview,
  accountUpdate,
  accountInbox,
  accountInboxDismiss,
  accountAudit,
  accountEvents,
  accountExport,
  accountDelete,
  accountMembersList,
  accountMembersInvite,
  accountMembersUpdate,
  accountMembersDelete,
  accountMembersJoin,
  notificationsGet,
  notificationsUpdate,
  notificationsUnsubscribe,
  notificationsWebhookSet,
  notificationsWebhookDelete,
  notificationsPushList,
  notificationsPushAdd,
  notificationsPushDelete,
  notificationsTest,
]
