import { timestamp } from '#src/core/time.ts'
import type { StoredTask } from '../task.ts'
import { nextFires, scheduleOf, type Scheduled } from './schedule.ts'

/**
 * When a task that is about to be stored is due. A past fire that is not handled yet is kept if the
 * new schedule still has it: an edit loses no fire. Everything else counts from now. A disabled task is
 * due too, so that the scheduler records why it did not fire.
 * @param heartbeat the heartbeat_interval of its agent
 * @param previous the task as it was
 */
export function dueAt(
  task: Scheduled,
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
  const [next] = nextFires(schedule, now)
  return next ? timestamp(new Date(next.firesAt)) : null
}

/**
 * Until when a task that is about to be stored was disabled, RFC 3339, where a fire of that time is
 * still to be told; null where none is.
 * @param previous the task as it was
 */
export function disabledUntil(
  task: Pick<StoredTask, 'enabled' | 'due_at'>,
  now: number,
  previous: Pick<StoredTask, 'enabled' | 'disabled_until'> | undefined,
): string | null {
  if (!previous || task.due_at === null || Date.parse(task.due_at) > now) return null
  if (task.enabled && !previous.enabled) return timestamp(new Date(now))
  return previous.disabled_until ?? null
}
