import { idsAmong } from '#src/core/large/sizes.ts'
import type { Picked } from '#src/ports/store.ts'
import type { StoredRun } from '../run.ts'

/** Runs that go on with each other after approvals; more are not followed. */
export const followUpsAtMost = 50

/** What is picked of a run whose messages may be long. */
export const standPaths = [
  'id',
  'bytes',
  'status',
  'reason',
  'approval_id',
  'created_at',
  'started_at',
  'finished_at',
  'input_ref',
  'output_ref',
] as const

/** How a run stands, without its input and its results. */
export type Stands = Pick<
  StoredRun,
  'status' | 'reason' | 'created_at' | 'started_at' | 'finished_at'
>

/** A run without its input and its results. */
export interface StandingRow {
  id: string
  /** Without what is kept apart; null for one that does not say. */
  bytes: number | null
  stands: Stands
  approvalId: string | null
  /** The ids of what is kept apart. */
  large: string[]
  /** What was picked behind `standPaths`. */
  more: Picked
}

/** Reads what was picked by `standPaths`, and by more paths behind them. */
export function standsIn(row: Picked): StandingRow {
  const [id, bytes, status, reason, approvalId, created_at, started_at, finished_at, ...rest] = row
  return {
    id: String(id),
    bytes: typeof bytes === 'number' ? bytes : null,
    // As the run keeps them.
    stands: { status, reason, created_at, started_at, finished_at } as Stands,
    approvalId: typeof approvalId === 'string' ? approvalId : null,
    large: idsAmong(rest.slice(0, 2)),
    more: rest.slice(2),
  }
}
