import type { StoredTask } from '#src/tasks/task.ts'
import { RunFailure } from './failure.ts'
import { refuseGated } from './gate.ts'
import type { Outcome } from './outcome.ts'
import { instantRuntime, type Subject } from './runtimes/runtime.ts'

/** How a run ends whose runtime ends at once; undefined where it takes a worker or an agent. */
export function instantOutcome(run: Subject['run'], task: StoredTask): Outcome | undefined {
  const runtime = instantRuntime(task.runtime)
  if (!runtime) return undefined
  try {
    refuseGated(task)
    return { status: 'completed', output: runtime({ run, task }) }
  } catch (cause) {
    return failedOutcome(cause)
  }
}

/** The end of a run that its runtime gave up. Anything but a RunFailure is a fault of ours, thrown on. */
export function failedOutcome(cause: unknown): Outcome {
  if (!(cause instanceof RunFailure)) throw cause
  return { status: cause.status, error: { code: cause.code, message: cause.message } }
}
