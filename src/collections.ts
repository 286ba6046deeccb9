import type { Account, ApiKey, Claim } from '#src/accounts/account.ts'
import type { StoredInvitation } from '#src/accounts/invitation.ts'
import type { StoredNotice } from '#src/accounts/notice.ts'
import type { App, AppRevision } from '#src/apps/app.ts'
import type { StoredDelivery } from '#src/events/outbox/delivery.ts'
import type { StoredApproval } from '#src/runs/approvals/approval.ts'
import type { ApprovalSeat } from '#src/runs/approvals/viewer-row.ts'
import type { StoredCharacter } from '#src/agents/character.ts'
import type { ChatTask, PushTarget } from '#src/runs/chat/chat.ts'
import type { CharacterRevision } from '#src/agents/revision-record.ts'
import type { SecretShelf } from '#src/agents/secrets/stored-secrets.ts'
import type { CommonsToken, SpentChallenge, StoredIdentity } from '#src/commons/identity.ts'
import type { TagName } from '#src/commons/search/tags.ts'
import type { StoredConversation, StoredLetter } from '#src/commons/letters/letter.ts'
import type { RequestCount } from '#src/commons/letters/requests.ts'
import type { FlagTally, StoredFlag } from '#src/commons/moderation/flag.ts'
import type { ModerationEntry } from '#src/commons/moderation/log.ts'
import type { StoredNotification } from '#src/commons/notification.ts'
import type { CommonsRevision, Fingerprint, StoredVote, ThreadTag } from '#src/commons/records.ts'
import type { StoredReply } from '#src/commons/reply.ts'
import type { Regard } from '#src/commons/scores/regard.ts'
import type { StoredCard } from '#src/commons/status-card.ts'
import type { Standing, StoredThread } from '#src/commons/thread.ts'
import type { StoredVerification } from '#src/commons/verification.ts'
import { ofAccounts } from './accounts/collections.ts'
import { ofChat } from './runs/chat/collections.ts'
import { ofCommons } from './commons/collections.ts'
import { ofFeed } from './feed/collections.ts'
import { ofKnowledge } from './knowledge/collections.ts'
import { ofPayments } from './money/collections.ts'
import { ofPeople } from './accounts/people/collections.ts'
import { ofRuns } from './runs/collections.ts'
import type { IdempotencyRecord } from '#src/core/admission/idempotency.ts'
import type { LimitRow } from '#src/core/admission/limits.ts'
import type { Usage } from '#src/core/counts/quotas.ts'
import type { Tombstone } from '#src/core/tombstones.ts'
import type { DirectoryEntry, DirectorySkill } from '#src/agents/directory/entry.ts'
import type { PlatformEvent } from '#src/events/event.ts'
import type { StoredComment } from '#src/feed/comment.ts'
import type { Leftover } from '#src/feed/purge.ts'
import type { Like } from '#src/feed/like.ts'
import type { StoredPost } from '#src/feed/post.ts'
import type { Edge } from '#src/agents/friends/edge.ts'
import type { StoredChunk, StoredItem } from '#src/knowledge/item.ts'
import type { Remains } from '#src/knowledge/purge.ts'
import type { StoredShelf } from '#src/knowledge/library.ts'
import type { StoredVectors } from '#src/knowledge/vectors.ts'
import type { Media } from '#src/agents/media/media.ts'
import type { StoredMemoryEntry } from '#src/agents/memory/entry.ts'
import type { StoredMessage } from '#src/agents/messages/message.ts'
import type { StoredOrder } from '#src/money/orders/order.ts'
import type { StoredX402Payment } from '#src/money/orders/x402/payment.ts'
import type { StoredCheckout } from '#src/money/payments/checkout.ts'
import type { StoredRefund } from '#src/money/payments/refund.ts'
import type { Subscription } from '#src/agents/visibility/subscription.ts'
import type { TestRecord } from '#src/money/payments/test-record.ts'
import type { StoredPerson } from '#src/accounts/people/person.ts'
import type { StoredSession } from '#src/accounts/people/session.ts'
import type { SearchDefinition } from '#src/ports/search.ts'
import type { RunEvent } from '#src/runs/events.ts'
import type { StoredRun } from '#src/runs/run.ts'
import type { StoredSlot } from '#src/runs/schedules/slot.ts'
import type { StoredTask } from '#src/agents/tasks/task.ts'
import type { LedgerEntry } from '#src/money/wallet/ledger.ts'
import type { StoredTransaction } from '#src/money/wallet/transaction.ts'
import type { StoredWallet } from '#src/money/wallet/wallet.ts'

/** A task of the A2A protocol that only wraps an operation: kept for its caller for a day. */
export interface A2aTask {
  id: string
  /** The caller, as idempotency knows it. */
  caller: string
  context_id: string
  /** The protocol's own JSON of the task. */
  task: string
  updated_at: string
  /** Against whose bytes it counts, and how many; missing in tasks of before. */
  counts_for?: string
  bytes?: number
}

/** A fact about the store itself, such as the check of its master key. */
export interface Meta {
  id: string
  value: string
}

/** Every stored type by the name of its collection. */
export interface Documents {
  accounts: Account
  claims: Claim
  invitations: StoredInvitation
  api_keys: ApiKey
  usage: Usage
  persons: StoredPerson
  sessions: StoredSession
  characters: StoredCharacter
  character_revisions: CharacterRevision
  directory: DirectoryEntry
  directory_skills: DirectorySkill
  subscriptions: Subscription
  checkouts: StoredCheckout
  refunds: StoredRefund
  wallets: StoredWallet
  wallet_transactions: StoredTransaction
  ledger: LedgerEntry
  orders: StoredOrder
  x402_payments: StoredX402Payment
  test_payments: TestRecord
  secrets: SecretShelf
  tasks: StoredTask
  slots: StoredSlot
  edges: Edge
  messages: StoredMessage
  apps: App
  app_revisions: AppRevision
  runs: StoredRun
  run_events: RunEvent
  approvals: StoredApproval
  approval_seats: ApprovalSeat
  memory: StoredMemoryEntry
  media: Media
  knowledge_shelves: StoredShelf
  knowledge_items: StoredItem
  knowledge_chunks: StoredChunk
  knowledge_vectors: StoredVectors
  knowledge_remains: Remains
  posts: StoredPost
  post_comments: StoredComment
  post_likes: Like
  feed_leftovers: Leftover
  events: PlatformEvent
  deliveries: StoredDelivery
  notices: StoredNotice
  commons_identities: StoredIdentity
  commons_tokens: CommonsToken
  commons_challenges: SpentChallenge
  commons_threads: StoredThread
  commons_standings: Standing
  commons_tags: ThreadTag
  commons_tag_names: TagName
  commons_replies: StoredReply
  commons_verifications: StoredVerification
  commons_votes: StoredVote
  commons_regards: Regard
  commons_fingerprints: Fingerprint
  commons_revisions: CommonsRevision
  commons_cards: StoredCard
  commons_conversations: StoredConversation
  commons_requests: RequestCount
  commons_letters: StoredLetter
  commons_notifications: StoredNotification
  commons_flags: StoredFlag
  commons_tallies: FlagTally
  commons_moderation: ModerationEntry
  a2a_tasks: A2aTask
  chats: ChatTask
  push_targets: PushTarget
  idempotency: IdempotencyRecord
  limits: LimitRow
  tombstones: Tombstone
  meta: Meta
}

/** An index over up to three paths. A unique one leaves out documents where its first path is null. */
export interface Index {
  on: Record<string, 1 | -1>
  unique?: true
  /** It is only asked for documents where this one of its paths is set, and may leave out the others. */
  sparse?: string
}

export interface CollectionDefinition {
  /**
   * Members that never leave: kept beside the wire document, so that stored text can be sent as it
   * is. They are filtered, sorted and changed like any other member, by their top-level name.
   */
  hidden: readonly string[]
  indexes: readonly Index[]
  /**
   * Top-level members of ours, scalars that never hold broken text, which a store may keep apart from
   * the rest: of a document with many indexes a change then touches those alone whose members change.
   */
  columns?: readonly string[]
  search?: SearchDefinition
}

/** Every collection with its hidden members and its indexes, once; `id` is always the unique key. */
export const collections: { readonly [N in keyof Documents]: CollectionDefinition } = {
  ...ofAccounts,
  ...ofPeople,
  ...ofChat,
  characters: {
    hidden: ['words', 'hooked', 'feed_for', 'settings_secrets'],
    columns: ['created_at', 'feed_for', 'owner_id'],
    indexes: [{ on: { owner_id: 1, created_at: -1 } }, { on: { app_id: 1 } }],
  },
  character_revisions: {
    hidden: ['id', 'char_id', 'owner_id', 'character', 'kept'],
    indexes: [{ on: { char_id: 1, revision: -1 } }],
  },
  directory: {
    hidden: ['heading', 'words', 'skill_keys'],
    indexes: [{ on: { created_at: -1 } }],
    search: { words: { heading: 4, words: 1 }, marks: ['skill_keys'] },
  },
  directory_skills: {
    hidden: [],
    indexes: [{ on: { skill: 1, created_at: -1 } }, { on: { char_id: 1 } }],
  },
  secrets: { hidden: [], indexes: [] },
  tasks: {
    hidden: [
      'id',
      'owner_id',
      'app_id',
      'trigger_secrets',
      'due_at',
      'reacts',
      'waiting_run',
      'fire_counts',
      'rating_sum',
      'by_agent',
    ],
    indexes: [
      { on: { char_id: 1, order: 1 } },
      { on: { due_at: 1 }, sparse: 'due_at' },
      { on: { reacts: 1 }, sparse: 'reacts' },
      { on: { waiting_run: 1 }, sparse: 'waiting_run' },
    ],
  },
  slots: {
    hidden: ['id', 'char_id', 'task_id', 'owner_id'],
    indexes: [{ on: { char_id: 1, task_id: 1, at: -1 } }, { on: { at: 1 } }],
  },
  edges: {
    hidden: ['id', 'owner_id', 'app_id', 'outside'],
    columns: ['char_id', 'friend_id', 'outside', 'status'],
    indexes: [
      { on: { char_id: 1, id: 1 } },
      { on: { char_id: 1, status: 1, friend_id: 1 } },
      { on: { friend_id: 1 } },
      { on: { outside: 1, status: 1, friend_id: 1 }, sparse: 'outside' },
    ],
  },
  messages: {
    hidden: ['from_owner', 'to_owner', 'deleted_by'],
    indexes: [{ on: { from: 1, id: -1 } }, { on: { to: 1, id: -1 } }],
  },
  apps: { hidden: [], indexes: [{ on: { owner_id: 1, created_at: -1 } }] },
  app_revisions: { hidden: [], indexes: [{ on: { app_id: 1, revision: -1 } }] },
  ...ofRuns,
  memory: {
    hidden: ['id', 'char_id', 'owner_id'],
    indexes: [{ on: { char_id: 1, namespace: 1, key: 1 } }],
  },
  media: { hidden: [], indexes: [{ on: { char_id: 1 } }] },
  ...ofFeed,
  events: { hidden: [], indexes: [{ on: { owner_id: 1, due_at: 1 } }] },
  deliveries: {
    hidden: [
      'owner_id',
      'body',
      'sealed_secret',
      'due_at',
      'claim',
      'keep_until',
      'push_target',
      'push_seq',
      'push_brings',
      'payer',
    ],
    indexes: [
      { on: { app_id: 1, id: -1 } },
      { on: { push_target: 1, push_seq: 1 }, sparse: 'push_target' },
      { on: { status: 1, owner_id: 1, due_at: 1 }, sparse: 'due_at' },
      { on: { keep_until: 1 } },
    ],
  },
  notices: {
    hidden: ['owner_id'],
    indexes: [
      { on: { owner_id: 1, id: -1 } },
      { on: { owner_id: 1, read: 1, id: -1 } },
      { on: { created_at: 1 } },
    ],
  },
  ...ofKnowledge,
  ...ofPayments,
  ...ofCommons,
  a2a_tasks: {
    hidden: ['counts_for', 'bytes'],
    indexes: [{ on: { caller: 1, updated_at: -1 } }, { on: { updated_at: 1 } }],
  },
  idempotency: { hidden: ['counts_for', 'bytes'], indexes: [{ on: { at: 1 } }] },
  limits: { hidden: [], indexes: [{ on: { ends_at: 1 } }] },
  tombstones: { hidden: [], indexes: [{ on: { at: 1 } }] },
  meta: { hidden: [], indexes: [] },
}
