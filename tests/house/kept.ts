import type { CollectionName } from '#src/ports/documents.ts'

/** The entry of each stored type, so that no byte is without an owner and an end. */
export interface Kept {
  /** Whose it is. */
  owner: string
  /** The file that counts it as someone's bytes; or, after `not: `, why none does. */
  counted: string
  /** The files that delete it; or, after `kept: `, why it has no end and what bounds it. */
  ends: string | readonly string[]
}

const ofAgent = { owner: 'the account of the agent', ends: 'src/departures/agent.ts' }
const ofBooks = {
  owner: 'the account whose money it is, or the order',
  counted: 'not: each stands for money that moved, or was asked for by a counted order',
  ends: 'kept: the books are kept for good, and grow with what is paid alone',
}
const ofCommons = {
  owner: 'the member who wrote it',
  counted: 'not: texts are small, and rate limits by member and network bound them',
  ends: 'kept: the Commons is a public record; what is deleted leaves a mark in its place',
}
const small = 'not: small, and at most one for each'

/** Every stored type: a new one has to say it too. */
export const kept: { readonly [N in CollectionName]: Kept } = {
  accounts: {
    owner: 'itself',
    counted: 'not: small, and the limits on sign-ups bound them',
    ends: 'src/departures/erase-account.ts',
  },
  invitations: {
    owner: 'the operator who made them',
    counted: 'not: small, and only the operator makes them',
    ends: 'src/accounts/purge.ts',
  },
  memberships: {
    owner: 'its account',
    counted: 'not: small, and an account has at most 100',
    ends: [
      'src/accounts/members/change.ts',
      'src/accounts/people/leave.ts',
      'src/departures/delete-account.ts',
      'src/departures/erase-account.ts',
    ],
  },
  member_invitations: {
    owner: 'its account',
    counted: 'not: small, an account has at most 100 that are open, and they expire',
    ends: [
      'src/accounts/purge.ts',
      'src/accounts/members/change.ts',
      'src/operations/account/members/delete.ts',
      'src/accounts/people/leave.ts',
      'src/departures/delete-account.ts',
      'src/departures/erase-account.ts',
    ],
  },
  claims: {
    owner: 'its account',
    counted: `${small} account`,
    ends: ['src/departures/erase-account.ts', 'src/accounts/purge.ts'],
  },
  api_keys: {
    owner: 'its account',
    counted: 'not: small, and the limit on writes bounds them',
    ends: 'src/departures/erase-account.ts',
  },
  connections: {
    owner: 'its account',
    counted: 'not: small, and an account has at most 200',
    ends: 'src/accounts/hosts/end.ts',
  },
  oauth_clients: {
    owner: 'the program that registered',
    counted: 'not: small, and the limit on registrations by network bounds them',
    ends: 'src/accounts/hosts/purge.ts',
  },
  oauth_artifacts: {
    owner: 'its connection, or the browser that began a request',
    counted:
      'not: small and short-lived, and the limit on those that wait for a person, by network, bounds them',
    ends: ['src/accounts/hosts/end.ts', 'src/accounts/hosts/purge.ts'],
  },
  usage: {
    owner: 'its account, or a sender who leaves something with it',
    counted: 'not: one for an account, and one for each sender of what is counted there',
    ends: ['src/core/counts/stored-bytes.ts', 'src/departures/erase-account.ts'],
  },
  persons: {
    owner: 'the person',
    counted: 'not: small, and the limit on registrations bounds them',
    ends: 'src/accounts/people/leave.ts',
  },
  identities: {
    owner: 'the person',
    counted: 'not: small, and one for each person at each provider that the operator names',
    ends: 'src/accounts/people/leave.ts',
  },
  sessions: {
    owner: 'the person',
    counted: 'not: small, and they end',
    ends: ['src/accounts/purge.ts', 'src/accounts/people/leave.ts'],
  },
  passkeys: {
    owner: 'the person',
    counted: 'not: small, and a person has at most 10',
    ends: [
      'src/operations/auth/passkeys/delete.ts',
      'src/accounts/people/leave.ts',
      'src/accounts/people/provided.ts',
      'src/accounts/mail/reset.ts',
    ],
  },
  spent_challenges: {
    owner: 'the person whose passkey has answered',
    counted: 'not: small, gone after five minutes, and the limit on sign-ins bounds them',
    ends: 'src/accounts/passkeys/challenge.ts',
  },
  second_factors: {
    owner: 'the person',
    counted: `${small} person`,
    ends: ['src/operations/auth/second-factor/disable.ts', 'src/accounts/people/leave.ts'],
  },
  mails: {
    owner: 'the person whose address it goes to',
    counted:
      'not: small, an address gets three of a kind in an hour, and a network may ask for few',
    ends: 'src/accounts/mail/purge.ts',
  },
  mail_links: {
    owner: 'the person to whom it was sent',
    counted: 'not: small, as few as the mails, and they expire',
    ends: ['src/accounts/mail/purge.ts', 'src/accounts/people/leave.ts'],
  },
  news: {
    owner: 'its account',
    counted: 'not: small, as few as the notices, and taken within seconds',
    ends: 'src/runs/told/gather.ts',
  },
  tellings: {
    owner: 'the person who is told',
    counted: `${small} person, account and way`,
    ends: ['src/runs/told/post.ts', 'src/departures/erase-account.ts'],
  },
  notification_settings: {
    owner: 'the person who has chosen',
    counted: `${small} person and account`,
    ends: 'src/departures/erase-account.ts',
  },
  push_subscriptions: {
    owner: 'the person whose browser it is',
    counted: 'not: small, and a person has at most 10',
    ends: [
      'src/events/browsers/push.ts',
      'src/accounts/people/leave.ts',
      'src/accounts/people/provided.ts',
      'src/accounts/mail/reset.ts',
    ],
  },
  characters: {
    owner: 'its account',
    counted: 'src/agents/create.ts',
    ends: 'src/agents/directory/sync.ts',
  },
  character_revisions: {
    ...ofAgent,
    counted: 'src/agents/revisions.ts',
    ends: ['src/agents/revisions.ts', 'src/departures/agent.ts'],
  },
  directory: { ...ofAgent, counted: `${small} agent`, ends: 'src/agents/directory/sync.ts' },
  directory_skills: {
    ...ofAgent,
    counted: 'not: made of the agent',
    ends: 'src/agents/directory/sync.ts',
  },
  subscriptions: ofBooks,
  checkouts: {
    ...ofBooks,
    counted: 'src/money/orders/bytes.ts',
    ends: ['src/money/orders/settle.ts', 'src/work/retention.ts'],
  },
  refunds: ofBooks,
  wallets: ofBooks,
  wallet_transactions: ofBooks,
  ledger: ofBooks,
  orders: {
    owner: 'the account that offers it, in the share of the buyer',
    counted: 'src/money/orders/bytes.ts',
    ends: ['src/money/orders/settle.ts', 'src/work/retention.ts'],
  },
  x402_payments: ofBooks,
  test_payments: { ...ofBooks, ends: 'adapters/payments/test/provider.ts' },
  outbound_connections: {
    ...ofAgent,
    counted: 'not: small, and an agent has few',
    ends: [
      'src/departures/agent.ts',
      'src/agents/connections/remove.ts',
      'src/agents/connections/purge.ts',
    ],
  },
  secrets: {
    ...ofAgent,
    counted: 'src/operations/characters/secrets/update.ts',
    ends: 'src/agents/secrets/remove.ts',
  },
  tasks: {
    ...ofAgent,
    counted: 'src/operations/tasks/create.ts',
    ends: ['src/operations/tasks/delete.ts', 'src/departures/agent.ts'],
  },
  slots: {
    ...ofAgent,
    counted: 'src/runs/retention/bytes.ts',
    ends: 'src/runs/schedules/purge-slots.ts',
  },
  edges: {
    ...ofAgent,
    counted: 'not: small, and the friends of an agent are bounded',
    ends: ['src/operations/friends/remove.ts', 'src/departures/agent.ts'],
  },
  messages: {
    owner: 'the accounts of both agents, in the share of the sender at the receiver',
    counted: 'src/agents/messages/bytes.ts',
    ends: 'src/agents/messages/remove.ts',
  },
  apps: {
    owner: 'its account',
    counted: 'src/operations/agent-apps/teardown.ts',
    ends: ['src/operations/agent-apps/teardown.ts', 'src/departures/erase-account.ts'],
  },
  app_revisions: {
    owner: 'the account of the app',
    counted: 'src/operations/agent-apps/teardown.ts',
    ends: ['src/operations/agent-apps/teardown.ts', 'src/departures/erase-account.ts'],
  },
  runs: {
    owner: 'the account of its agent, in the share of the caller who started it',
    counted: 'src/runs/retention/bytes.ts',
    ends: 'src/runs/retention/remove.ts',
  },
  run_texts: {
    owner: 'the account of the run',
    counted: `${small} run that is followed now, until its events hold it`,
    ends: ['src/runs/text/text.ts', 'src/runs/retention/remove.ts'],
  },
  budgets: {
    owner: 'its account',
    counted: 'not: small, and an account has at most 100',
    ends: ['src/operations/budgets/delete.ts', 'src/departures/erase-account.ts'],
  },
  spend_sums: {
    owner: 'the account whose models they are of',
    counted:
      'not: small, and one for a day or month and an agent, app or model that was asked then',
    ends: ['src/runs/spend/sum.ts', 'src/departures/erase-account.ts'],
  },
  run_events: {
    owner: 'the account of the run',
    counted: 'not: small, and the bounds of a run bound them',
    ends: ['src/runs/retention/remove.ts', 'src/work/retention.ts'],
  },
  approvals: {
    owner: 'the account of the run',
    counted: 'src/runs/retention/bytes.ts',
    ends: ['src/runs/retention/remove.ts', 'src/runs/approvals/purge.ts'],
  },
  approval_seats: {
    owner: 'the account of the run',
    counted: 'not: small, and two for each approver',
    ends: ['src/runs/retention/remove.ts', 'src/runs/approvals/purge.ts'],
  },
  memory: {
    ...ofAgent,
    counted: 'src/agents/memory/put.ts',
    ends: ['src/operations/memory/delete.ts', 'src/agents/memory/shelf.ts'],
  },
  memory_shelves: { ...ofAgent, counted: `${small} agent`, ends: 'src/agents/memory/shelf.ts' },
  media: {
    ...ofAgent,
    counted: 'src/agents/media/store-picture.ts',
    ends: ['src/operations/characters/photos/remove.ts', 'src/departures/agent.ts'],
  },
  knowledge_shelves: { ...ofAgent, counted: `${small} agent`, ends: 'src/knowledge/purge.ts' },
  knowledge_items: {
    ...ofAgent,
    counted: 'src/knowledge/index-item.ts',
    ends: ['src/knowledge/remove.ts', 'src/knowledge/purge.ts'],
  },
  knowledge_chunks: {
    ...ofAgent,
    counted: 'src/knowledge/index-item.ts',
    ends: 'src/knowledge/purge.ts',
  },
  knowledge_vectors: {
    ...ofAgent,
    counted: 'not: made of chunks, which are counted and bounded',
    ends: 'src/knowledge/purge.ts',
  },
  knowledge_remains: {
    ...ofAgent,
    counted: 'not: small, and soon gone',
    ends: 'src/knowledge/purge.ts',
  },
  posts: {
    ...ofAgent,
    counted: 'src/feed/post.ts',
    ends: ['src/operations/posts/delete.ts', 'src/feed/purge.ts'],
  },
  post_comments: {
    owner: 'the account of its author',
    counted: 'src/operations/posts/comment.ts',
    ends: 'src/feed/purge.ts',
  },
  post_likes: {
    owner: 'the account that likes it',
    counted: 'not: small, and one for an account and a post',
    ends: ['src/feed/toggle-like.ts', 'src/feed/purge.ts'],
  },
  feed_leftovers: {
    ...ofAgent,
    counted: 'not: small, and soon gone',
    ends: 'src/feed/purge.ts',
  },
  events: {
    owner: 'the account to which it happened',
    counted: 'not: it goes as soon as it is passed on',
    ends: 'src/work/events.ts',
  },
  deliveries: {
    owner: 'the account whose app, hook or agent calls, in the share of the caller who started it',
    counted: 'src/events/outbox/bytes.ts',
    ends: 'src/events/outbox/purge.ts',
  },
  account_logs: {
    owner: 'its account',
    counted: `${small} account`,
    ends: 'src/departures/erase-account.ts',
  },
  account_events: {
    owner: 'the account to which it happened',
    counted: 'not: small, at most 5,000 for each account, and gone after thirty days',
    ends: ['src/events/log/purge.ts', 'src/events/log/entry.ts', 'src/departures/erase-account.ts'],
  },
  notices: {
    owner: 'the account that is told',
    counted: 'not: small, and gone after ninety days',
    ends: ['src/accounts/purge.ts', 'src/departures/erase-account.ts'],
  },
  audit: {
    owner: 'the account whose security it is about',
    counted: 'src/accounts/audit/commit.ts',
    ends: ['src/accounts/audit/purge.ts', 'src/departures/erase-account.ts'],
  },
  audit_heads: {
    owner: 'the account of the chain',
    counted: `${small} account`,
    ends: 'src/departures/erase-account.ts',
  },
  commons_identities: ofCommons,
  commons_tokens: ofCommons,
  commons_challenges: { ...ofCommons, ends: 'src/commons/purge.ts' },
  commons_threads: ofCommons,
  commons_standings: ofCommons,
  commons_tags: { ...ofCommons, ends: 'src/commons/places.ts' },
  commons_tag_names: ofCommons,
  commons_replies: ofCommons,
  commons_verifications: ofCommons,
  commons_votes: ofCommons,
  commons_regards: ofCommons,
  commons_fingerprints: { ...ofCommons, ends: 'src/commons/purge.ts' },
  commons_revisions: { ...ofCommons, ends: 'src/commons/replies/revise.ts' },
  commons_cards: { ...ofCommons, ends: 'src/commons/purge.ts' },
  commons_conversations: ofCommons,
  commons_requests: { ...ofCommons, ends: 'src/commons/purge.ts' },
  commons_letters: { ...ofCommons, ends: 'src/work/retention.ts' },
  commons_notifications: { ...ofCommons, ends: 'src/commons/purge.ts' },
  commons_flags: ofCommons,
  commons_tallies: { ...ofCommons, ends: 'src/commons/moderation/matter.ts' },
  commons_moderation: ofCommons,
  commons_vectors: {
    owner: 'the operator who has chosen the model',
    counted: 'not: one for a thread',
    ends: ['src/commons/search/embed.ts', 'src/commons/threads/states.ts'],
  },
  commons_webhooks: {
    owner: 'the handle that is told',
    counted: 'not: small, and three for a handle',
    ends: [
      'src/operations/commons/webhooks/delete.ts',
      'src/commons/webhooks/end.ts',
      'src/accounts/hosts/end.ts',
    ],
  },
  a2a_tasks: {
    owner: 'the caller',
    counted: 'protocol/a2a/kept/task-store.ts',
    ends: 'src/core/admission/purge-answers.ts',
  },
  chats: {
    owner: 'the account of the agent, in the share of the sender',
    counted: 'src/operations/chat/send.ts',
    ends: ['src/runs/retention/remove.ts', 'src/departures/agent.ts'],
  },
  push_targets: {
    owner: 'the account of the agent',
    counted: 'not: small, and a few for each chat',
    ends: [
      'src/runs/chat/push/purge.ts',
      'src/runs/retention/remove.ts',
      'src/accounts/hosts/end.ts',
    ],
  },
  hook_calls: {
    owner: 'the account of the agent',
    counted: 'not: small, and one for each run that a signed call has started, which is counted',
    ends: 'src/runs/triggers/hook-calls.ts',
  },
  push_bodies: {
    owner: 'the account of the run, in the share of the caller who started it',
    counted: 'src/runs/chat/push/body.ts',
    ends: 'src/runs/chat/push/body.ts',
  },
  idempotency: {
    owner: 'the account of the key, or the network that sent it',
    counted: 'src/core/admission/idempotency.ts',
    ends: 'src/core/admission/purge-answers.ts',
  },
  limits: {
    owner: 'the caller that is limited',
    counted: 'not: small, one for a limit and a window, and none where little is asked',
    ends: 'src/core/admission/purge-limits.ts',
  },
  tombstones: {
    owner: 'the account of what was deleted',
    counted: 'src/core/tombstones.ts',
    ends: 'src/core/tombstones.ts',
  },
  large_values: {
    owner: 'the account of the documents that refer to it, in the share of who sent it',
    counted: 'src/core/large/unused.ts',
    ends: 'src/core/large/unused.ts',
  },
  meta: {
    owner: 'the operator',
    counted: 'not: the store itself has a handful of them',
    ends: 'kept: a handful of facts about the store',
  },
}

/** What stores keep for themselves, in tables or collections that no operation knows. */
export const keptByStores: Readonly<Record<string, Kept>> = {
  changes: {
    owner: 'the processes on the store',
    counted: 'not: 1,024 rows at most on SQLite; on MongoDB 1,100 for each process, for a minute',
    ends: [
      'adapters/store/sqlite/changes/writer.ts',
      'adapters/store/mongo/changes/change-store.ts',
    ],
  },
  readers: {
    owner: 'the process that reads',
    counted: 'not: one for each process',
    ends: [
      'adapters/store/sqlite/changes/writer.ts',
      'adapters/store/mongo/changes/change-store.ts',
    ],
  },
}
