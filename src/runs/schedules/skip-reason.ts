import type { StoredTask } from '#src/agents/tasks/task.ts'
import {
  betweenFiresMs,
  lastFires,
  type Fire,
  type Schedule,
} from '#src/agents/tasks/schedule/schedule.ts'
import type { SkipReason } from './slot.ts'
import { isInside } from './window.ts'

/** The settings of a task that may skip a fire. */
export type Judged = Pick<
  StoredTask,
  'enabled' | 'autonomy' | 'skip_next_run_at' | 'reliability' | 'last_fire'
>

/** When the schedule named the last fire of a task that came, in milliseconds; NaN if none did. */
export function lastFireOf({ last_fire = '' }: Pick<StoredTask, 'last_fire'>): number {
  return Date.parse(last_fire)
}

/**
 * Why the time of a fire or the settings of its task skip it; undefined where they do not. What
 * other runs and quotas say is only known when it comes.
 * @param timezone of the agent; null is UTC
 * @param last what `lastFireOf` gives, or that of a fire that has come since
 */
export function reasonOf(
  task: Judged,
  schedule: Schedule,
  fire: Fire,
  timezone: string | null | undefined,
  last: number,
): SkipReason | undefined {
  if (!task.enabled) return 'task_disabled'
  if (task.autonomy === 'manual') return 'autonomy_manual'
  if (isNextToSkip(task.skip_next_run_at, schedule, fire)) return 'skip_next'
  const window = task.reliability?.active_window
  if (window && !isInside(window, fire.firesAt, timezone ?? 'UTC')) return 'outside_window'
  // A clock that was put back may have left one behind that is still to come.
  if (Math.abs(fire.at - last) < betweenFiresMs) return 'within_hour'
  return undefined
}

/**
 * Whether this is the one fire that is to be skipped: the first that comes at or after that time.
 * So nothing needs to be marked as used up, and a time that has passed skips nothing.
 */
function isNextToSkip(
  skip: string | null,
  schedule: Schedule,
  { firesAt }: Pick<Fire, 'firesAt'>,
): boolean {
  if (!skip) return false
  const from = Date.parse(skip)
  if (!(from <= firesAt)) return false
  const [before] = lastFires(schedule, firesAt)
  return !before || before.firesAt < from
}
