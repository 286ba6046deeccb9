import type { StoredRun } from '../run.ts'

/** Why a run that was skipped is told to the owner: it did not come although it was asked for. */
const toldSkips: ReadonlySet<string> = new Set(['task_disabled', 'held_runs'])

type Told = Pick<StoredRun, 'char_id' | 'task_id' | 'status' | 'reason' | 'step'>

/**
 * The mark of a run for which a notice is owed: of one that failed or was not started while no one waits. A step
 * is told with the run that waits for it. The notices are written afterwards, so that many of them are one.
 */
export function untoldMark(run: Told): { untold: string } | undefined {
  return isTold(run) ? { untold: noticePlace(run) } : undefined
}

function isTold({ status, reason, step }: Told): boolean {
  if (status === 'skipped') return toldSkips.has(reason ?? '')
  if (status === 'queued') return reason === 'task_paused'
  return (status === 'failed' || status === 'timed_out') && step === null
}

/** The place that notices are grouped by. */
export function noticePlace({ char_id, task_id }: Pick<StoredRun, 'char_id' | 'task_id'>): string {
  return `${char_id}/${task_id ?? ''}`
}
