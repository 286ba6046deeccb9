import type { StoredTask } from '#src/tasks/task.ts'
import { RunFailure } from './failure.ts'

/** @throws RunFailure when the task asks for an approval first, which this version cannot give */
export function refuseGated(task: StoredTask): void {
  if (!task.approval_gate?.requires_approval) return
  throw new RunFailure(
    'approvals_not_available',
    'The task has an approval gate, and approvals are not available in this version; the task was kept as sent.',
  )
}
