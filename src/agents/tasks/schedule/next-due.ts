import { timestamp } from '#src/core/time.ts'
import type { StoredTask } from '../task.ts'
import { nextFires, scheduleOf, type Scheduled } from './schedule.ts'

/**
 * When a task that is about to be stored is due. A past fire that is not handled yet is kept if the
 * new schedule still has it: an edit loses no fire, and for a disabled task the scheduler records why
 * it did not fire. Everything else counts from now.
 * @param heartbeat the heartbeat_interval of its agent
 * @param previous the task as it was
 */
export function dueAt(
  task: Scheduled & Pick<StoredTask, 'enabled'>,
  heartbeat: string | null | undefined,
  now: number,
  previous?: Pick<StoredTask, 'due_at'>,
): string | null {
  const schedule = scheduleOf(task, heartbeat)
  if (!schedule) return null
  const pending = previous?.due_at ? Date.parse(previous.due_at) : Number.NaN
  if (pending <= now && nextFires(schedule, pending - 1)[0]?.firesAt === pending) {
    return timestamp(new Date(pending))
  }
  if (!task.enabled) return null
  const [next] = nextFires(schedule, now)
  return next ? timestamp(new Date(next.firesAt)) : null
}
