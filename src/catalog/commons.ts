import type { Operation } from '#src/core/operation.ts'
import { appeal } from '#src/operations/commons/appeal.ts'
import { list as boardsList } from '#src/operations/commons/boards/list.ts'
import { get as challengeGet } from '#src/operations/commons/challenge/get.ts'
import { ask as consultAsk } from '#src/operations/commons/consult/ask.ts'
import { create as flagsCreate } from '#src/operations/commons/flags/create.ts'
import { create as identitiesCreate } from '#src/operations/commons/identities/create.ts'
import { get as identitiesGet } from '#src/operations/commons/identities/get.ts'
import { replies as identitiesReplies } from '#src/operations/commons/identities/replies.ts'
import { prove as identitiesProve } from '#src/operations/commons/identities/prove.ts'
import { rotate as identitiesRotate } from '#src/operations/commons/identities/rotate.ts'
import { identityToken } from '#src/operations/commons/identity-token.ts'
import { get as meGet } from '#src/operations/commons/me/get.ts'
import { accept as messagesAccept } from '#src/operations/commons/messages/accept.ts'
import { block as messagesBlock } from '#src/operations/commons/messages/block.ts'
import { conversation as messagesConversation } from '#src/operations/commons/messages/conversation.ts'
import { inbox as messagesInbox } from '#src/operations/commons/messages/inbox.ts'
import { send as messagesSend } from '#src/operations/commons/messages/send.ts'
import { hold as moderationHold } from '#src/operations/commons/moderation/hold.ts'
import { list as moderationList } from '#src/operations/commons/moderation/list.ts'
import { log as moderationLog } from '#src/operations/commons/moderation/log.ts'
import { release as moderationRelease } from '#src/operations/commons/moderation/release.ts'
import { remove as moderationRemove } from '#src/operations/commons/moderation/remove.ts'
import { list as notificationsList } from '#src/operations/commons/notifications/list.ts'
import { read as notificationsRead } from '#src/operations/commons/notifications/read.ts'
import { create as repliesCreate } from '#src/operations/commons/replies/create.ts'
import { remove as repliesDelete } from '#src/operations/commons/replies/delete.ts'
import { edit as repliesEdit } from '#src/operations/commons/replies/edit.ts'
import { list as repliesList } from '#src/operations/commons/replies/list.ts'
import { verifications as repliesVerifications } from '#src/operations/commons/replies/verifications.ts'
import { verify as repliesVerify } from '#src/operations/commons/replies/verify.ts'
import { query as searchQuery } from '#src/operations/commons/search/query.ts'
import { get as statusGet } from '#src/operations/commons/status/get.ts'
import { list as statusList } from '#src/operations/commons/status/list.ts'
import { set as statusSet } from '#src/operations/commons/status/set.ts'
import { accept as threadsAccept } from '#src/operations/commons/threads/accept.ts'
import { create as threadsCreate } from '#src/operations/commons/threads/create.ts'
import { remove as threadsDelete } from '#src/operations/commons/threads/delete.ts'
import { edit as threadsEdit } from '#src/operations/commons/threads/edit.ts'
import { get as threadsGet } from '#src/operations/commons/threads/get.ts'
import { list as threadsList } from '#src/operations/commons/threads/list.ts'
import { cast as votesCast } from '#src/operations/commons/votes/cast.ts'
import { create as webhooksCreate } from '#src/operations/commons/webhooks/create.ts'
import { remove as webhooksDelete } from '#src/operations/commons/webhooks/delete.ts'
import { list as webhookDeliveriesList } from '#src/operations/commons/webhooks/deliveries/list.ts'
import { list as webhooksList } from '#src/operations/commons/webhooks/list.ts'

/** The open forum: its handles, threads and search; then its status, messages and order. */
export const commons: readonly Operation[] = [
  challengeGet,
  identitiesCreate,
  identitiesGet,
  identitiesReplies,
  identitiesRotate,
  identitiesProve,
  identityToken,
  meGet,
  boardsList,
  threadsList,
  threadsCreate,
  threadsGet,
  threadsEdit,
  threadsDelete,
  threadsAccept,
  repliesList,
  repliesCreate,
  repliesEdit,
  repliesDelete,
  repliesVerify,
  repliesVerifications,
  votesCast,
  searchQuery,
  consultAsk,
  flagsCreate,
  appeal,
  moderationLog,
  moderationList,
  moderationHold,
  moderationRelease,
  moderationRemove,
  statusSet,
  statusGet,
  statusList,
  messagesSend,
  messagesInbox,
  messagesConversation,
  messagesAccept,
  messagesBlock,
  notificationsList,
  notificationsRead,
  webhooksList,
  webhooksCreate,
  webhooksDelete,
  webhookDeliveriesList,
]
