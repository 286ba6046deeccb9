import { taskBytes } from '#src/agents/counted.ts'
import { growing } from '#src/core/counts/growth.ts'
import { timestamp } from '#src/core/time.ts'
import type { Happening } from '#src/events/emit.ts'
import type { Write } from '#src/ports/store.ts'
import { TaskReliability } from '#src/agents/tasks/reliability.ts'
import { asRead } from '#src/agents/tasks/replace-tasks.ts'
import { touched } from '#src/agents/tasks/owner.ts'
import type { StoredTask } from '#src/agents/tasks/task.ts'
import { disabledUntil, dueAt } from '#src/agents/tasks/schedule/next-due.ts'

/** A task after it was paused, resumed or told to skip, and the writes that make it so. */
export interface Switched {
  task: StoredTask
  /**
   * To the task, bound to what was read, and to its agent, whose text shows the task. They count
   * the bytes by which the task grows.
   */
  writes: Write[]
}

/** The task disabled, with the reason. It stays due, so that the scheduler records why its fires do not come. */
export function paused(task: StoredTask, reason: string, now: Date): Switched {
  return switched(task, { ...disabledFor(task, reason), ...byItself(task) }, now)
}

/** The same with its app: what resumes that resumes it too. */
export function pausedByApp(task: StoredTask, reason: string, now: Date): Switched {
  return switched(task, { ...disabledFor(task, reason), app_paused: true }, now)
}

/** What its app does with it no longer matters. */
function byItself({ app_paused }: StoredTask): Partial<StoredTask> {
  return app_paused ? { app_paused: false } : {}
}

/** The same for a task of which no one asks any more why it does not fire. */
export function stopped(task: StoredTask, reason: string, now: Date): Switched {
  return switched(task, { ...disabledFor(task, reason), due_at: null }, now)
}

function disabledFor({ reliability }: StoredTask, pause_reason: string) {
  // Without settings that can hold the reason, the task gets the defaults.
  return {
    enabled: false,
    reliability: { ...(reliability ?? TaskReliability.parse({})), pause_reason },
  }
}

/** The task enabled. @param heartbeat the heartbeat_interval of its agent */
export function resumed(
  task: StoredTask,
  heartbeat: string | null | undefined,
  now: Date,
): Switched {
  const reliability = task.reliability && { ...task.reliability, pause_reason: null }
  const enabled = { ...task, enabled: true }
  const due_at = dueAt(enabled, heartbeat, now.getTime(), task)
  const disabled_until = disabledUntil({ enabled: true, due_at }, now.getTime(), task)
  const told = disabled_until ? { disabled_until } : {}
  const change = { enabled: true, reliability, due_at, ...told, ...byItself(task) }
  return switched(task, change, now)
}

function switched(
  task: StoredTask,
  change: Pick<StoredTask, 'enabled' | 'reliability'> & Partial<StoredTask>,
  now: Date,
): Switched {
  return switchedTo(task, { ...change, updated_at: timestamp(now) }, now)
}

/** The task with other members. */
export function switchedTo(task: StoredTask, $set: Partial<StoredTask>, now: Date): Switched {
  const next = { ...task, ...$set, revision: task.revision + 1 }
  const change = { $set, $inc: { revision: 1 } }
  const write: Write = { in: 'tasks', update: asRead(task), change }
  const bytes = taskBytes([next]) - taskBytes([task])
  return {
    task: next,
    writes: [growing(write, task.owner_id, bytes), touched({ id: task.char_id }, timestamp(now))],
  }
}

/** The platform event of a pause. */
export function pauseHappening(task: StoredTask, reason: string): Happening {
  const { char_id, task_id, name, owner_id, app_id } = task
  const data = { char_id, task_id, name, reason }
  return { type: 'task.paused', ownerId: owner_id, charId: char_id, appId: app_id, data }
}
