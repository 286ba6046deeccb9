import type { CollectionsOf } from '#src/ports/documents.ts'
import type { CommonsToken, SpentChallenge, StoredIdentity } from './identity.ts'
import type { StoredConversation, StoredLetter } from './letters/letter.ts'
import type { RequestCount } from './letters/requests.ts'
import type { StoredFlag } from './moderation/flag.ts'
import type { StoredEntry } from './moderation/log.ts'
import type { StoredMatter } from './moderation/matter.ts'
import type { StoredNotification } from './notification.ts'
import type { CommonsRevision, Fingerprint, StoredVote, ThreadTag } from './records.ts'
import type { StoredReply } from './reply.ts'
import type { Regard } from './scores/regard.ts'
import type { TagName } from './search/tags.ts'
import type { ThreadVector } from './search/vectors.ts'
import type { StoredCard } from './status-card.ts'
import type { Standing, StoredThread } from './thread.ts'
import type { StoredVerification } from './verification.ts'
import type { StoredWebhook } from './webhooks/webhook.ts'

/** The document types of the Commons, by collection. */
interface CommonsDocuments {
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
  commons_tallies: StoredMatter
  commons_moderation: StoredEntry
  commons_webhooks: StoredWebhook
  commons_vectors: ThreadVector
}

declare module '#src/ports/documents.ts' {
  interface Documents extends CommonsDocuments {}
}

/** The collections of the Commons. */
export const commonsCollections: CollectionsOf<CommonsDocuments> = {
  commons_identities: {
    shardKey: null,
    hidden: [],
    // A vote changes only the score.
    columns: ['account_id', 'char_id', 'joined_at', 'skeleton'],
    indexes: [
      { on: { skeleton: 1 }, unique: true },
      { on: { char_id: 1 }, unique: true, sparse: 'char_id' },
      { on: { joined_at: 1 } },
      { on: { account_id: 1, id: 1 }, sparse: 'account_id' },
    ],
  },
  commons_tokens: {
    shardKey: 'id',
    hidden: [],
    indexes: [{ on: { revoked_at: 1 }, sparse: 'revoked_at' }],
  },
  commons_challenges: { shardKey: 'id', hidden: [], indexes: [] },
  commons_threads: {
    shardKey: null,
    hidden: ['is_found', 'sketch', 'edits'],
    indexes: [{ on: { 'author.handle': 1, id: -1 } }],
    search: {
      words: { title: 4, body: 1 },
      marks: ['board', 'tags', 'author.handle'],
      only: 'is_found',
    },
  },
  commons_standings: {
    shardKey: null,
    hidden: ['id', 'author', 'board', 'listed', 'hot', 'unanswered', 'earned', 'held_from'],
    columns: [
      'author',
      'board',
      'hot',
      'last_activity_at',
      'listed',
      'score',
      'state',
      'unanswered',
    ],
    indexes: [
      { on: { listed: 1, id: -1 }, sparse: 'listed', ofNumbers: true },
      { on: { listed: 1, hot: -1 }, sparse: 'listed', ofNumbers: true },
      { on: { listed: 1, score: -1 }, sparse: 'listed', ofNumbers: true },
      { on: { listed: 1, last_activity_at: -1 }, sparse: 'listed', ofNumbers: true },
      { on: { listed: 1, unanswered: -1 }, sparse: 'unanswered' },
      { on: { board: 1, id: -1 }, sparse: 'board' },
      { on: { board: 1, hot: -1 }, sparse: 'board' },
      { on: { board: 1, score: -1 }, sparse: 'board' },
      { on: { board: 1, last_activity_at: -1 }, sparse: 'board' },
      { on: { board: 1, unanswered: -1 }, sparse: 'unanswered' },
      { on: { state: 1, id: -1 } },
      { on: { author: 1, id: -1 } },
    ],
  },
  commons_tags: {
    shardKey: null,
    hidden: [],
    indexes: [{ on: { tag: 1, thread_id: -1 } }, { on: { thread_id: 1 } }],
  },
  commons_tag_names: { shardKey: null, hidden: [], indexes: [] },
  commons_replies: {
    shardKey: null,
    hidden: [
      'is_found',
      'board',
      'tags',
      'sketch',
      'edits',
      'gave',
      'gave_by',
      'earned',
      'is_told',
    ],
    indexes: [{ on: { thread_id: 1, id: 1 } }, { on: { 'author.handle': 1, id: -1 } }],
    search: { words: { body: 1 }, marks: ['board', 'tags', 'author.handle'], only: 'is_found' },
  },
  commons_verifications: {
    shardKey: null,
    hidden: ['by', 'given'],
    indexes: [
      { on: { by: 1 }, unique: true },
      { on: { reply_id: 1, id: 1 } },
      { on: { 'author.handle': 1, id: 1 } },
    ],
  },
  commons_votes: {
    shardKey: 'id',
    hidden: [],
    columns: ['handle'],
    indexes: [{ on: { handle: 1, id: 1 } }],
  },
  commons_regards: { shardKey: 'id', hidden: [], indexes: [] },
  commons_fingerprints: { shardKey: 'id', hidden: [], indexes: [{ on: { expires_at: 1 } }] },
  commons_revisions: {
    shardKey: 'target_id',
    hidden: [],
    indexes: [{ on: { target_id: 1, id: 1 } }],
  },
  commons_cards: {
    shardKey: null,
    hidden: ['id'],
    indexes: [
      { on: { updated_at: -1 } },
      { on: { state: 1, updated_at: -1 } },
      { on: { expires_at: 1 }, sparse: 'expires_at' },
    ],
  },
  commons_conversations: {
    shardKey: 'owner',
    hidden: ['id', 'owner', 'changes'],
    indexes: [
      { on: { owner: 1, updated_at: -1 } },
      { on: { owner: 1, state: 1, updated_at: -1 } },
      { on: { owner: 1, unread: 1 } },
    ],
  },
  commons_requests: { shardKey: 'id', hidden: [], indexes: [{ on: { day: 1 } }] },
  commons_letters: {
    shardKey: 'conversation',
    hidden: ['conversation'],
    indexes: [
      { on: { conversation: 1, id: -1 } },
      { on: { from: 1, id: 1 } },
      { on: { to: 1, id: 1 } },
    ],
  },
  commons_notifications: {
    shardKey: 'handle',
    hidden: ['handle'],
    indexes: [
      { on: { handle: 1, id: -1 } },
      { on: { handle: 1, read: 1, id: -1 } },
      { on: { created_at: 1 } },
    ],
  },
  commons_flags: {
    shardKey: null,
    hidden: ['by', 'account_id', 'weight'],
    indexes: [
      { on: { by: 1 }, unique: true },
      { on: { target_id: 1 } },
      { on: { account_id: 1, id: 1 }, sparse: 'account_id' },
    ],
  },
  commons_tallies: {
    shardKey: null,
    hidden: [],
    indexes: [
      { on: { since: 1 }, sparse: 'since' },
      { on: { state: 1, since: 1 }, sparse: 'since' },
      { on: { author: 1, state: 1 }, sparse: 'author' },
    ],
  },
  commons_moderation: {
    shardKey: null,
    hidden: ['moderator'],
    indexes: [{ on: { target_id: 1, id: -1 } }],
  },
  commons_webhooks: {
    shardKey: null,
    hidden: ['handle', 'place', 'sealed_secret', 'made_by'],
    indexes: [
      { on: { place: 1 }, unique: true },
      { on: { handle: 1, id: -1 } },
      { on: { made_by: 1 }, sparse: 'made_by' },
    ],
  },
  commons_vectors: { shardKey: null, hidden: [], indexes: [{ on: { made_at: 1 } }] },
}
