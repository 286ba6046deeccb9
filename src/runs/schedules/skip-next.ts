import type { Store } from '#src/ports/store.ts'
import type { StoredTask } from '#src/agents/tasks/task.ts'
import { timestamp } from '#src/core/time.ts'
import { rhythmOf } from './rhythm.ts'
import { upcoming } from './outlook.ts'
import { switchedTo, type Switched } from './pause.ts'
import { scheduleOf } from '#src/agents/tasks/schedule/schedule.ts'

/** How far ahead a fire is looked for that would come. */
export const looksAhead = 200

/** The task with its next fire skipped; undefined where none is to come. */
export async function skippingNext(
  store: Pick<Store, 'characters'>,
  task: StoredTask,
  now: Date,
): Promise<Switched | undefined> {
  const rhythm = await rhythmOf(store, task)
  const schedule = scheduleOf(task, rhythm.heartbeat)
  if (!schedule) return undefined
  // What is skipped is the next fire of the schedule, also of one that is paused at the moment.
  const free = { ...task, enabled: true, autonomy: null, skip_next_run_at: null }
  const next = upcoming(free, schedule, rhythm, now.getTime(), looksAhead)
  const coming = next.find(({ comes }) => comes)
  if (!coming) return undefined
  const $set = { skip_next_run_at: coming.fires_at, updated_at: timestamp(now) }
  return switchedTo(task, $set, now)
}
