import { isHeartbeatTask } from '#src/agents/tasks/heartbeat.ts'
import type { StoredTask } from '#src/agents/tasks/task.ts'
import { call } from '#src/core/words/reference.ts'
import type { UpcomingFire } from './outlook.ts'
import type { Slot } from './slot.ts'
import type { Rhythm } from './rhythm.ts'
import { wallClock } from './window.ts'
import { onRequestOnly, reasonOfPause } from './words.ts'

export const scheduleStates = [
  'scheduled',
  'paused',
  'disabled',
  'no_schedule',
  'autonomy_manual',
  'outside_window',
  'overdue',
] as const

/** How the schedule of a task stands, and what that means, in words. */
export interface ScheduleState {
  state: (typeof scheduleStates)[number]
  message: string
}

/** A running scheduler decides on what is due long before this is over. */
const overdueAfterMs = 60_000

/**
 * Why a task does not fire, or when it does.
 * @param next its coming fires, more than are shown: a window may let none of many pass
 */
export function stateOf(
  task: StoredTask,
  rhythm: Rhythm,
  next: readonly UpcomingFire[],
  last: Slot | undefined,
  now: Date,
): ScheduleState {
  if (next.length === 0) return { state: 'no_schedule', message: noSchedule(task, rhythm) }
  if (!task.enabled) {
    const state = task.reliability?.pause_reason ? 'paused' : 'disabled'
    return { state, message: `${reasonOfPause(task)} ${resume(task)} enables it.` }
  }
  if (task.autonomy === 'manual') {
    return { state: 'autonomy_manual', message: onRequestOnly }
  }
  if (task.due_at !== null && now.getTime() - Date.parse(task.due_at) > overdueAfterMs) {
    const message =
      `It was due at ${task.due_at}, and no scheduler has handled it: none is running on ` +
      'this store, or it is far behind.'
    return { state: 'overdue', message }
  }
  const coming = next.find(({ comes }) => comes)
  if (!coming) {
    const message = `None of its next ${next.length} fires lies in its active window.`
    return { state: 'outside_window', message }
  }
  return { state: 'scheduled', message: `${comes(coming, rhythm)}${lastWords(last)}` }
}

function resume({ char_id, task_id }: StoredTask): string {
  return call('tasks.resume', { char_id, task_id })
}

function comes({ fires_at }: UpcomingFire, { timezone }: Rhythm): string {
  if (!timezone) return `It comes next at ${fires_at}.`
  const wall = wallClock(Date.parse(fires_at), timezone).toPlainDateTime()
  return `It comes next at ${fires_at}, ${wall.toString({ smallestUnit: 'minute' })} in ${timezone}.`
}

function lastWords(last: Slot | undefined): string {
  return last?.status === 'skipped'
    ? ` The last one, of ${last.at}, did not come. ${last.message}`
    : ''
}

function noSchedule(task: StoredTask, { heartbeat }: Rhythm): string {
  const crons = task.triggers.filter(({ type }) => type === 'cron')
  if (crons.length > 0) return 'Its triggers of type cron are all disabled.'
  if (isHeartbeatTask(task) && heartbeat === null) {
    return 'It is called heartbeat, but its agent has no heartbeat_interval, and it has no trigger of type cron.'
  }
  const others = task.triggers.filter(({ enabled }) => enabled).map(({ type }) => type)
  const run = others.length > 0 ? ` It runs by: ${[...new Set(others)].join(', ')}.` : ''
  return `It has no trigger of type cron, so nothing fires.${run}`
}
