import type { CollectionsOf } from '#src/ports/documents.ts'
import type { IdempotencyRecord } from './admission/idempotency.ts'
import type { LimitRow } from './admission/limits.ts'
import type { Usage } from './counts/quotas.ts'
import type { LargeValue } from './large/value.ts'
import type { Tombstone } from './tombstones.ts'

/** A task of the A2A protocol that only wraps an operation: kept for its caller for a day. */
export interface A2aTask {
  id: string
  /** The caller, as idempotency knows it. */
  caller: string
  context_id: string
  /** The protocol's own JSON of the task. */
  task: string
  updated_at: string
  /** The last known state in the words of the protocol; missing in older tasks. */
  state?: string
  /** The run that it stands for, if it stands for one. */
  run_id?: string
  /** Whose bytes it counts for, and how many; missing in older tasks. */
  counts_for?: string
  bytes?: number
}

/** A fact about the store itself, such as the check of its master key. */
export interface Meta {
  id: string
  value: string
}

/** Documents that calls leave behind, and facts about the store itself. */
interface CoreDocuments {
  usage: Usage
  idempotency: IdempotencyRecord
  limits: LimitRow
  tombstones: Tombstone
  meta: Meta
  a2a_tasks: A2aTask
  large_values: LargeValue
}

declare module '#src/ports/documents.ts' {
  interface Documents extends CoreDocuments {}
}

/** Their collections. */
export const coreCollections: CollectionsOf<CoreDocuments> = {
  usage: { shardKey: 'id', hidden: [], indexes: [] },
  idempotency: { shardKey: 'id', hidden: ['counts_for', 'bytes'], indexes: [{ on: { at: 1 } }] },
  limits: { shardKey: 'id', hidden: [], indexes: [{ on: { ends_at: 1 } }] },
  tombstones: { shardKey: 'id', hidden: ['counts_for', 'bytes'], indexes: [{ on: { at: 1 } }] },
  meta: { shardKey: null, hidden: [], indexes: [] },
  a2a_tasks: {
    shardKey: 'caller',
    hidden: ['counts_for', 'bytes', 'state', 'run_id'],
    columns: ['caller', 'updated_at', 'state', 'run_id'],
    indexes: [
      { on: { caller: 1, updated_at: -1 } },
      { on: { caller: 1, context_id: 1, updated_at: -1 } },
      { on: { caller: 1, state: 1, updated_at: -1 } },
      { on: { caller: 1, context_id: 1, state: 1, updated_at: -1 } },
      { on: { updated_at: 1 } },
    ],
  },
  large_values: {
    shardKey: 'id',
    hidden: ['id', 'owner_id', 'sender', 'bytes', 'uses', 'due_at'],
    indexes: [{ on: { due_at: 1 } }],
  },
}
