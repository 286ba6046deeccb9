import type { CollectionsOf } from '#src/ports/documents.ts'
import type { StoredApproval } from './approvals/approval.ts'
import type { ApprovalSeat } from './approvals/viewer-row.ts'
import type { ChatTask } from './chat/chat.ts'
import type { PushBody } from './chat/push/body.ts'
import type { RunEvent } from './events.ts'
import type { StoredRun } from './run.ts'
import type { HookCall } from './triggers/hook-calls.ts'
import type { StoredBudget } from './spend/budget.ts'
import type { SpendSum } from './spend/sum.ts'
import type { StoredSlot } from './schedules/slot.ts'
import type { RunText } from './text/text.ts'
import type { News } from './told/news.ts'
import type { StoredNotificationSettings } from './told/settings.ts'
import type { Telling } from './told/gather.ts'

/** Runs, their approvals and what starts them. */
interface RunDocuments {
  slots: StoredSlot
  runs: StoredRun
  run_events: RunEvent
  run_texts: RunText
  approvals: StoredApproval
  approval_seats: ApprovalSeat
  chats: ChatTask
  push_bodies: PushBody
  hook_calls: HookCall
  spend_sums: SpendSum
  budgets: StoredBudget
  news: News
  tellings: Telling
  notification_settings: StoredNotificationSettings
}

declare module '#src/ports/documents.ts' {
  interface Documents extends RunDocuments {}
}

/** Their collections. */
export const runCollections: CollectionsOf<RunDocuments> = {
  slots: {
    shardKey: 'char_id',
    hidden: ['id', 'char_id', 'task_id', 'owner_id', 'bytes'],
    indexes: [
      { on: { char_id: 1, task_id: 1, at: -1 } },
      { on: { at: 1 } },
      { on: { owner_id: 1, fires_at: 1 } },
    ],
  },
  runs: {
    shardKey: 'owner_id',
    hidden: [
      'due_at',
      'claim',
      'variables',
      'waits_for',
      'runtime',
      'trace',
      'family',
      'open',
      'step',
      'steps',
      'chat_id',
      'bytes',
      'sender',
      'retry_id',
      'untold',
      'held',
      'released_at',
      'handed_back',
      'taken',
      'fired',
      'input_ref',
      'output_ref',
    ],
    large: ['input', 'output'],
    indexes: [
      { on: { waits_for: 1, due_at: 1 }, sparse: 'waits_for' },
      { on: { waits_for: 1, owner_id: 1, due_at: 1 }, sparse: 'waits_for' },
      { on: { owner_id: 1, id: -1 } },
      { on: { char_id: 1, id: -1 } },
      { on: { root_run_id: 1, id: -1 } },
      { on: { owner_id: 1, status: 1, id: -1 } },
      { on: { owner_id: 1, status: 1, sender: 1 }, sparse: 'sender' },
      { on: { open: 1 }, sparse: 'open' },
      { on: { app_id: 1, id: -1 }, sparse: 'app_id' },
      { on: { untold: 1, id: 1 }, sparse: 'untold' },
      { on: { held: 1, id: 1 }, sparse: 'held' },
      { on: { input_ref: 1 }, sparse: 'input_ref' },
      { on: { output_ref: 1 }, sparse: 'output_ref' },
    ],
  },
  run_events: {
    shardKey: 'run_id',
    hidden: ['id', 'run_id'],
    indexes: [{ on: { run_id: 1, seq: 1 } }],
  },
  run_texts: { shardKey: 'id', hidden: [], indexes: [{ on: { until: 1 } }] },
  approvals: {
    shardKey: 'id',
    hidden: [
      'owner_id',
      'fingerprint',
      'edit',
      'made',
      'on_reject',
      'approver_owners',
      'fell_back',
      'fallback_owner_id',
      'ballot',
      'sender',
      'due_at',
      'is_parted',
      'input_ref',
      'edited_input_ref',
    ],
    large: ['input', 'edited_input'],
    rewritten: ['edited_input'],
    indexes: [
      { on: { due_at: 1 }, sparse: 'due_at' },
      { on: { decided_at: 1 }, sparse: 'decided_at' },
      { on: { input_ref: 1 }, sparse: 'input_ref' },
      { on: { edited_input_ref: 1 }, sparse: 'edited_input_ref' },
    ],
  },
  approval_seats: {
    shardKey: 'viewer',
    hidden: [],
    indexes: [
      { on: { viewer: 1, approval_id: -1 } },
      { on: { viewer: 1, state: 1, approval_id: -1 } },
    ],
  },
  chats: {
    shardKey: 'id',
    hidden: [],
    indexes: [
      { on: { caller: 1, char_id: 1, id: -1 } },
      { on: { context_id: 1, id: -1 } },
      { on: { char_id: 1, id: -1 } },
    ],
  },
  hook_calls: { shardKey: 'id', hidden: [], indexes: [{ on: { until: 1 } }] },
  budgets: { shardKey: 'owner_id', hidden: [], indexes: [{ on: { owner_id: 1, id: 1 } }] },
  spend_sums: {
    shardKey: 'id',
    hidden: [],
    indexes: [
      { on: { owner_id: 1, kind: 1, key: 1, period: 1 } },
      { on: { owner_id: 1, kind: 1, period: 1, cost_nanos: 1 } },
      { on: { keep_until: 1 } },
    ],
  },
  push_bodies: {
    shardKey: 'run_id',
    hidden: [],
    indexes: [{ on: { run_id: 1 } }, { on: { keep_until: 1 } }],
  },
  news: { shardKey: 'owner_id', hidden: [], indexes: [{ on: { owner_id: 1, at: 1 } }] },
  tellings: {
    shardKey: null,
    hidden: [],
    indexes: [{ on: { due_at: 1 } }, { on: { account_id: 1 } }, { on: { person_id: 1 } }],
  },
  notification_settings: {
    shardKey: null,
    hidden: ['sealed_secret'],
    indexes: [{ on: { account_id: 1 } }, { on: { person_id: 1 } }],
  },
}
