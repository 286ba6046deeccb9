import { isGated } from '#src/agents/tasks/approval-gate.ts'
import type { StoredTask } from '#src/agents/tasks/task.ts'
import { RunFailure } from '../failure.ts'
import type { Outcome } from '../ended.ts'
import type { StoredRun } from '../run.ts'
import { instantRuntime } from '../runtimes/registry.ts'
import type { Subject } from '../runtimes/runtime.ts'

/**
 * The outcome of a run whose runtime ends at once; undefined if it needs a worker or an agent, or waits
 * for an approval before it starts.
 */
export function instantOutcome(
  run: Subject['run'] & Pick<StoredRun, 'resumed_from'>,
  task: StoredTask,
): Outcome | undefined {
  const runtime = instantRuntime(task.runtime)
  if (!runtime || isGated(run, task)) return undefined
  try {
    return { status: 'completed', output: runtime({ run, task }) }
  } catch (cause) {
    return failedOutcome(cause)
  }
}

/** Whether runs of the task that follow no approval end at once, as in `instantOutcome`. */
export function isInstant(task: StoredTask): boolean {
  const isHeld = isGated({ resumed_from: null }, task)
  return instantRuntime(task.runtime) !== undefined && !isHeld
}

/** The outcome of a failed runtime. Anything but a RunFailure is our fault, and rethrown. */
export function failedOutcome(cause: unknown): Outcome {
  if (!(cause instanceof RunFailure)) throw cause
  const { status, code, message, usage } = cause
  return { status, error: { code, message }, ...(usage && { usage }) }
}
