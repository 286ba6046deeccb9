import { isDeepStrictEqual } from 'node:util'
import type { App } from '#src/agents/app/app.ts'
import { appPauseReason, pausedWithApp } from '#src/agents/app/pause.ts'
import { TaskReliability } from '#src/agents/tasks/reliability.ts'
import type { StoredTask, TaskInput } from '#src/agents/tasks/task.ts'

const idle = TaskReliability.parse({})

/**
 * A task of a manifest with the current state of the task: whether it is paused, and which fire it skips. A
 * manifest says how a task is to be, not what has happened to it since.
 * @param last the task in the manifest that was applied before
 */
export function withState(
  input: TaskInput,
  previous: StoredTask | undefined,
  last: TaskInput | undefined,
): TaskInput {
  if (!previous) return input
  const { skip_next_run_at: skip } = input
  const isSkipKept = skip === null || skip === last?.skip_next_run_at
  return {
    ...input,
    enabled: input.enabled && !isPaused(previous),
    skip_next_run_at: isSkipKept ? previous.skip_next_run_at : skip,
    reliability: input.reliability ?? reliabilityKept(previous, last),
  }
}

/**
 * A task of a manifest in an app that is paused: a new one begins paused with it, and one that the manifest switches off
 * is no longer resumed with it.
 */
export function withAppPause(
  task: StoredTask,
  {
    input,
    previous,
    app,
  }: { input: TaskInput; previous?: StoredTask | undefined; app?: App | undefined },
): StoredTask {
  if (app?.status !== 'paused') return task
  if (!previous) return pausedWithApp(task, appPauseReason(app.id, app.pause?.reason ?? ''))
  return task.app_paused && !input.enabled ? { ...task, app_paused: false } : task
}

/** Whether a task was paused, by a failed run or by hand; only resuming it ends that. */
export function isPaused({ enabled, reliability }: StoredTask): boolean {
  return !enabled && (reliability?.pause_reason ?? null) !== null
}

/** Pausing a task that has no such block gives it an empty one, which changes nothing. */
function reliabilityKept(
  previous: StoredTask,
  last: TaskInput | undefined,
): TaskInput['reliability'] {
  const { reliability } = previous
  if (isPaused(previous)) return { ...idle, pause_reason: reliability?.pause_reason ?? null }
  const isIdle = isDeepStrictEqual({ ...reliability, pause_reason: null }, idle)
  return isIdle && last?.reliability === null ? reliability : null
}
