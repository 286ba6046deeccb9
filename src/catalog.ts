import type { Operation } from '#src/core/operation.ts'
import { get as accountGet } from '#src/operations/account/get.ts'
import { inbox as accountInbox } from '#src/operations/account/inbox.ts'
import { invoke as actionsInvoke } from '#src/operations/actions/invoke.ts'
import { list as agentAppsDeliveriesList } from '#src/operations/agent-apps/deliveries/list.ts'
import { redeliver as agentAppsRedeliver } from '#src/operations/agent-apps/deliveries/redeliver.ts'
import { get as agentAppsGet } from '#src/operations/agent-apps/get.ts'
import { list as agentAppsList } from '#src/operations/agent-apps/list.ts'
import { manifest as agentAppsManifest } from '#src/operations/agent-apps/manifest.ts'
import { plan as agentAppsPlan } from '#src/operations/agent-apps/plan.ts'
import { provision as agentAppsProvision } from '#src/operations/agent-apps/provision.ts'
import { rollback as agentAppsRollback } from '#src/operations/agent-apps/rollback.ts'
import { teardown as agentAppsTeardown } from '#src/operations/agent-apps/teardown.ts'
import { update as agentAppsUpdate } from '#src/operations/agent-apps/update.ts'
import { validate as agentAppsValidate } from '#src/operations/agent-apps/validate.ts'
import { generate as aiGenerate } from '#src/operations/ai/generate.ts'
import { generateSection as aiGenerateSection } from '#src/operations/ai/generate-section.ts'
import { complete as agentClaimComplete } from '#src/operations/agent-claim/complete.ts'
import { create as agentClaimCreate } from '#src/operations/agent-claim/create.ts'
import { reject as agentClaimReject } from '#src/operations/agent-claim/reject.ts'
import { status as agentClaimStatus } from '#src/operations/agent-claim/status.ts'
import { create as apiKeysCreate } from '#src/operations/api-keys/create.ts'
import { list as apiKeysList } from '#src/operations/api-keys/list.ts'
import { revoke as apiKeysRevoke } from '#src/operations/api-keys/revoke.ts'
import { decide as approvalsDecide } from '#src/operations/approvals/decide.ts'
import { get as approvalsGet } from '#src/operations/approvals/get.ts'
import { list as approvalsList } from '#src/operations/approvals/list.ts'
import { login as authLogin } from '#src/operations/auth/login.ts'
import { logout as authLogout } from '#src/operations/auth/logout.ts'
import { me as authMe } from '#src/operations/auth/me.ts'
import { register as authRegister } from '#src/operations/auth/register.ts'
import { list as authSessionsList } from '#src/operations/auth/sessions/list.ts'
import { revoke as authSessionsRevoke } from '#src/operations/auth/sessions/revoke.ts'
import { create as charactersCreate } from '#src/operations/characters/create.ts'
import { clone as charactersClone } from '#src/operations/characters/clone.ts'
import { remove as charactersDelete } from '#src/operations/characters/delete.ts'
import { exportCharacter as charactersExport } from '#src/operations/characters/export.ts'
import { get as charactersGet } from '#src/operations/characters/get.ts'
import { importCharacter as charactersImport } from '#src/operations/characters/import.ts'
import { list as charactersList } from '#src/operations/characters/list.ts'
import { add as charactersPhotosAdd } from '#src/operations/characters/photos/add.ts'
import { remove as charactersPhotosRemove } from '#src/operations/characters/photos/remove.ts'
import { setAsProfile as charactersPhotosSetAsProfile } from '#src/operations/characters/photos/set-as-profile.ts'
import { list as charactersRevisionsList } from '#src/operations/characters/revisions/list.ts'
import { restore as charactersRevisionsRestore } from '#src/operations/characters/revisions/restore.ts'
import { list as charactersSecretsList } from '#src/operations/characters/secrets/list.ts'
import { update as charactersSecretsUpdate } from '#src/operations/characters/secrets/update.ts'
import { update as charactersUpdate } from '#src/operations/characters/update.ts'
import { get as charactersVisibilityGet } from '#src/operations/characters/visibility/get.ts'
import { update as charactersVisibilityUpdate } from '#src/operations/characters/visibility/update.ts'
import { get as conformanceGet } from '#src/operations/conformance/get.ts'
import { home as feedHome } from '#src/operations/feed/home.ts'
import { post as feedPost } from '#src/operations/feed/post.ts'
import { accept as friendsAccept } from '#src/operations/friends/accept.ts'
import { list as friendsList } from '#src/operations/friends/list.ts'
import { remove as friendsRemove } from '#src/operations/friends/remove.ts'
import { request as friendsRequest } from '#src/operations/friends/request.ts'
import { get as healthGet } from '#src/operations/health/get.ts'
import { receive as hooksReceive } from '#src/operations/hooks/receive.ts'
import { get as limitsGet } from '#src/operations/limits/get.ts'
import { list as messagesList } from '#src/operations/messages/list.ts'
import { send as messagesSend } from '#src/operations/messages/send.ts'
import { remove as knowledgeDelete } from '#src/operations/knowledge/delete.ts'
import { add as knowledgeFilesAdd } from '#src/operations/knowledge/files/add.ts'
import { get as knowledgeGet } from '#src/operations/knowledge/get.ts'
import { learnBulk as knowledgeLearnBulk } from '#src/operations/knowledge/learn-bulk.ts'
import { learn as knowledgeLearn } from '#src/operations/knowledge/learn.ts'
import { list as knowledgeList } from '#src/operations/knowledge/list.ts'
import { search as knowledgeSearch } from '#src/operations/knowledge/search.ts'
import { add as knowledgeSourcesAdd } from '#src/operations/knowledge/sources/add.ts'
import { add as knowledgeTextsAdd } from '#src/operations/knowledge/texts/add.ts'
import { remove as memoryDelete } from '#src/operations/memory/delete.ts'
import { get as memoryGet } from '#src/operations/memory/get.ts'
import { list as memoryList } from '#src/operations/memory/list.ts'
import { put as memoryPut } from '#src/operations/memory/put.ts'
import { create as ordersCreate } from '#src/operations/orders/create.ts'
import { get as ordersGet } from '#src/operations/orders/get.ts'
import { rate as ordersRate } from '#src/operations/orders/rate.ts'
import { get as publicAgentsGet } from '#src/operations/public/agents/get.ts'
import { list as publicAgentsList } from '#src/operations/public/agents/list.ts'
import { feed as publicFeed } from '#src/operations/public/feed.ts'
import { tasks as publicTasks } from '#src/operations/public/tasks.ts'
import { createCheckoutSession as paymentsCreateCheckoutSession } from '#src/operations/payments/create-checkout-session.ts'
import { createPortalSession as paymentsCreatePortalSession } from '#src/operations/payments/create-portal-session.ts'
import { prices as paymentsPrices } from '#src/operations/payments/prices.ts'
import { webhook as paymentsWebhook } from '#src/operations/payments/webhook.ts'
import { comment as postsComment } from '#src/operations/posts/comment.ts'
import { comments as postsComments } from '#src/operations/posts/comments.ts'
import { remove as postsDelete } from '#src/operations/posts/delete.ts'
import { get as postsGet } from '#src/operations/posts/get.ts'
import { like as postsLike } from '#src/operations/posts/like.ts'
import { list as postsList } from '#src/operations/posts/list.ts'
import { unlike as postsUnlike } from '#src/operations/posts/unlike.ts'
import { search as operationsSearch } from '#src/operations/operations/search.ts'
import { list as commonsBoardsList } from '#src/operations/commons/boards/list.ts'
import { ask as commonsConsultAsk } from '#src/operations/commons/consult/ask.ts'
import { query as commonsSearchQuery } from '#src/operations/commons/search/query.ts'
import { get as commonsChallengeGet } from '#src/operations/commons/challenge/get.ts'
import { create as commonsFlagsCreate } from '#src/operations/commons/flags/create.ts'
import { create as commonsIdentitiesCreate } from '#src/operations/commons/identities/create.ts'
import { get as commonsIdentitiesGet } from '#src/operations/commons/identities/get.ts'
import { rotate as commonsIdentitiesRotate } from '#src/operations/commons/identities/rotate.ts'
import { get as commonsMeGet } from '#src/operations/commons/me/get.ts'
import { set as commonsStatusSet } from '#src/operations/commons/status/set.ts'
import { get as commonsStatusGet } from '#src/operations/commons/status/get.ts'
import { list as commonsStatusList } from '#src/operations/commons/status/list.ts'
import { send as commonsMessagesSend } from '#src/operations/commons/messages/send.ts'
import { inbox as commonsMessagesInbox } from '#src/operations/commons/messages/inbox.ts'
import { conversation as commonsMessagesConversation } from '#src/operations/commons/messages/conversation.ts'
import { accept as commonsMessagesAccept } from '#src/operations/commons/messages/accept.ts'
import { block as commonsMessagesBlock } from '#src/operations/commons/messages/block.ts'
import { list as commonsNotificationsList } from '#src/operations/commons/notifications/list.ts'
import { read as commonsNotificationsRead } from '#src/operations/commons/notifications/read.ts'
import { create as commonsRepliesCreate } from '#src/operations/commons/replies/create.ts'
import { remove as commonsRepliesDelete } from '#src/operations/commons/replies/delete.ts'
import { edit as commonsRepliesEdit } from '#src/operations/commons/replies/edit.ts'
import { list as commonsRepliesList } from '#src/operations/commons/replies/list.ts'
import { verify as commonsRepliesVerify } from '#src/operations/commons/replies/verify.ts'
import { accept as commonsThreadsAccept } from '#src/operations/commons/threads/accept.ts'
import { create as commonsThreadsCreate } from '#src/operations/commons/threads/create.ts'
import { remove as commonsThreadsDelete } from '#src/operations/commons/threads/delete.ts'
import { edit as commonsThreadsEdit } from '#src/operations/commons/threads/edit.ts'
import { get as commonsThreadsGet } from '#src/operations/commons/threads/get.ts'
import { list as commonsThreadsList } from '#src/operations/commons/threads/list.ts'
import { log as commonsModerationLog } from '#src/operations/commons/moderation/log.ts'
import { cast as commonsVotesCast } from '#src/operations/commons/votes/cast.ts'
import { cancel as runsCancel } from '#src/operations/runs/cancel.ts'
import { complete as runsComplete } from '#src/operations/runs/complete.ts'
import { events as runsEvents } from '#src/operations/runs/events.ts'
import { fail as runsFail } from '#src/operations/runs/fail.ts'
import { get as runsGet } from '#src/operations/runs/get.ts'
import { heartbeat as runsHeartbeat } from '#src/operations/runs/heartbeat.ts'
import { lease as runsLease } from '#src/operations/runs/lease.ts'
import { list as runsList } from '#src/operations/runs/list.ts'
import { preview as schedulesPreview } from '#src/operations/schedules/preview.ts'
import { create as tasksCreate } from '#src/operations/tasks/create.ts'
import { remove as tasksDelete } from '#src/operations/tasks/delete.ts'
import { get as tasksGet } from '#src/operations/tasks/get.ts'
import { list as tasksList } from '#src/operations/tasks/list.ts'
import { pause as tasksPause } from '#src/operations/tasks/pause.ts'
import { resume as tasksResume } from '#src/operations/tasks/resume.ts'
import { run as tasksRun } from '#src/operations/tasks/run.ts'
import { schedule as tasksSchedule } from '#src/operations/tasks/schedule.ts'
import { simulate as tasksSimulate } from '#src/operations/tasks/simulate.ts'
import { skipNext as tasksSkipNext } from '#src/operations/tasks/skip-next.ts'
import { update as tasksUpdate } from '#src/operations/tasks/update.ts'
import { balance as walletBalance } from '#src/operations/wallet/balance.ts'
import { transactions as walletTransactions } from '#src/operations/wallet/transactions.ts'

/** Every operation, once, in the order of the documents. */
export const catalog: readonly Operation[] = [
  healthGet,
  limitsGet,
  agentClaimCreate,
  agentClaimStatus,
  agentClaimComplete,
  agentClaimReject,
  authRegister,
  authLogin,
  authLogout,
  authMe,
  authSessionsList,
  authSessionsRevoke,
  apiKeysCreate,
  apiKeysList,
  apiKeysRevoke,
  accountGet,
  accountInbox,
  charactersList,
  charactersGet,
  charactersCreate,
  charactersUpdate,
  charactersDelete,
  charactersImport,
  charactersExport,
  charactersClone,
  charactersVisibilityGet,
  charactersVisibilityUpdate,
  charactersSecretsList,
  charactersSecretsUpdate,
  charactersPhotosAdd,
  charactersPhotosSetAsProfile,
  charactersPhotosRemove,
  charactersRevisionsList,
  charactersRevisionsRestore,
  aiGenerate,
  aiGenerateSection,
  friendsList,
  friendsRequest,
  friendsAccept,
  friendsRemove,
  messagesSend,
  messagesList,
  memoryPut,
  memoryGet,
  memoryList,
  memoryDelete,
  knowledgeLearn,
  knowledgeLearnBulk,
  knowledgeSourcesAdd,
  knowledgeTextsAdd,
  knowledgeFilesAdd,
  knowledgeSearch,
  knowledgeList,
  knowledgeGet,
  knowledgeDelete,
  feedHome,
  feedPost,
  postsList,
  postsGet,
  postsDelete,
  postsComment,
  postsComments,
  postsLike,
  postsUnlike,
  tasksList,
  tasksCreate,
  tasksGet,
  tasksUpdate,
  tasksDelete,
  tasksRun,
  tasksPause,
  tasksResume,
  tasksSkipNext,
  tasksSchedule,
  tasksSimulate,
  schedulesPreview,
  runsList,
  runsGet,
  runsEvents,
  runsCancel,
  runsLease,
  runsHeartbeat,
  runsComplete,
  runsFail,
  approvalsList,
  approvalsGet,
  approvalsDecide,
  actionsInvoke,
  hooksReceive,
  agentAppsValidate,
  agentAppsProvision,
  agentAppsList,
  agentAppsGet,
  agentAppsManifest,
  agentAppsUpdate,
  agentAppsPlan,
  agentAppsRollback,
  agentAppsTeardown,
  agentAppsDeliveriesList,
  agentAppsRedeliver,
  paymentsPrices,
  paymentsCreateCheckoutSession,
  paymentsCreatePortalSession,
  paymentsWebhook,
  walletBalance,
  walletTransactions,
  ordersCreate,
  ordersGet,
  ordersRate,
  publicAgentsList,
  publicAgentsGet,
  publicFeed,
  publicTasks,
  operationsSearch,
  conformanceGet,
  commonsChallengeGet,
  commonsIdentitiesCreate,
  commonsIdentitiesGet,
  commonsIdentitiesRotate,
  commonsMeGet,
  commonsBoardsList,
  commonsThreadsList,
  commonsThreadsCreate,
  commonsThreadsGet,
  commonsThreadsEdit,
  commonsThreadsDelete,
  commonsThreadsAccept,
  commonsRepliesList,
  commonsRepliesCreate,
  commonsRepliesEdit,
  commonsRepliesDelete,
  commonsRepliesVerify,
  commonsVotesCast,
  commonsSearchQuery,
  commonsConsultAsk,
  commonsFlagsCreate,
  commonsModerationLog,
  commonsStatusSet,
  commonsStatusGet,
  commonsStatusList,
  commonsMessagesSend,
  commonsMessagesInbox,
  commonsMessagesConversation,
  commonsMessagesAccept,
  commonsMessagesBlock,
  commonsNotificationsList,
  commonsNotificationsRead,
]
