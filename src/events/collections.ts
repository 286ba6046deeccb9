import type { CollectionsOf } from '#src/ports/documents.ts'
import type { StoredAccountEvent } from './log/entry.ts'
import type { AccountLog } from './log/account-log.ts'
import type { StoredBrowser } from './browsers/subscription.ts'
import type { PushTarget } from './outbox/push-target.ts'
import type { PlatformEvent } from './event.ts'
import type { StoredDelivery } from './outbox/delivery.ts'

/** Events, and the deliveries that they cause. */
interface EventDocuments {
  events: PlatformEvent
  deliveries: StoredDelivery
  push_targets: PushTarget
  push_subscriptions: StoredBrowser
  account_logs: AccountLog
  account_events: StoredAccountEvent
}

declare module '#src/ports/documents.ts' {
  interface Documents extends EventDocuments {}
}

/** Their collections. */
export const eventCollections: CollectionsOf<EventDocuments> = {
  events: { shardKey: 'owner_id', hidden: [], indexes: [{ on: { owner_id: 1, due_at: 1 } }] },
  deliveries: {
    shardKey: 'owner_id',
    hidden: [
      'owner_id',
      'body',
      'sealed_secret',
      'due_at',
      'claim',
      'keep_until',
      'begun',
      'push_target',
      'push_seq',
      'push_body',
      'push_brings',
      'commons_webhook',
      'told_person',
      'told_browser',
      'channel',
      'channel_kind',
      'channel_context',
      'next_part',
      'cause_run',
      'trace',
      'payer',
      'sender',
      'bytes',
    ],
    indexes: [
      { on: { app_id: 1, id: -1 } },
      { on: { push_target: 1, push_seq: 1 }, sparse: 'push_target' },
      { on: { push_body: 1 }, sparse: 'push_body' },
      { on: { commons_webhook: 1, id: -1 }, sparse: 'commons_webhook' },
      { on: { told_person: 1 }, sparse: 'told_person' },
      { on: { char_id: 1, channel: 1, id: -1 }, sparse: 'channel' },
      { on: { status: 1, owner_id: 1, due_at: 1 }, sparse: 'due_at' },
      { on: { keep_until: 1 } },
    ],
  },
  push_targets: {
    shardKey: null,
    hidden: ['sealed'],
    indexes: [
      { on: { chat_id: 1, config_id: 1 } },
      { on: { char_id: 1 } },
      { on: { made_by: 1 }, sparse: 'made_by' },
      { on: { expires_at: 1 }, sparse: 'expires_at' },
    ],
  },
  push_subscriptions: {
    shardKey: null,
    hidden: ['person_id', 'account_id', 'slot', 'hash', 'server_key', 'sealed'],
    indexes: [
      { on: { hash: 1 }, unique: true },
      { on: { person_id: 1, slot: 1 }, unique: true },
      { on: { account_id: 1, id: 1 } },
    ],
  },
  account_logs: { shardKey: 'id', hidden: [], indexes: [{ on: { until: 1 } }] },
  account_events: {
    shardKey: 'owner_id',
    hidden: ['id', 'owner_id'],
    indexes: [{ on: { owner_id: 1, seq: 1 } }, { on: { at: 1 } }],
  },
}
