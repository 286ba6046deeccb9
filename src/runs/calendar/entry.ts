import * as z from 'zod'
import { runStatuses } from '../run.ts'
import { skipReasons } from '../schedules/slot.ts'

export const CalendarEntry = z
  .object({
    char_id: z.string(),
    task_id: z.string(),
    name: z.string().nullable().describe('Of the task; null if it is gone.'),
    at: z.string().describe('When the schedule names it.'),
    fires_at: z.string().describe('The same with jitter, by which entries are ordered.'),
    to: z.string().nullable().describe('The last of the fires that this entry stands for.'),
    count: z.int().describe('How many fires it stands for.'),
    trigger: z.enum(['cron', 'heartbeat']),
    status: z
      .enum(['fired', 'skipped', 'coming', 'not_coming'])
      .describe('The last two are still to be decided on.'),
    reason: z.enum(skipReasons).nullable().describe('Why it did not or will not come.'),
    message: z.string().nullable(),
    run: z
      .object({
        id: z.string(),
        status: z.enum(runStatuses).nullable().describe('Null once the run was deleted.'),
        reason: z.string().nullable(),
        error: z.object({ code: z.string(), message: z.string() }).nullable(),
      })
      .nullable()
      .describe('The run that it started, or the one that goes on after its approval.'),
  })
  .meta({ id: 'CalendarEntry' })
/** One fire of a schedule, past or to come; or several that come to nothing for one reason. */
export type CalendarEntry = z.infer<typeof CalendarEntry>

/** An entry on its way into a page: enough to find its place, and what it is shown from. */
export interface Placed {
  /** `char_id/task_id@at`, as a slot of the same fire has it. */
  id: string
  /** When it fires, in milliseconds since the epoch. */
  firesAt: number
  /** Makes the entry, but for its name and its run; in steps where it has to count fires. */
  shown: () => Generator<void, Bare>
}

/** An entry without what is looked up for a whole page. */
export interface Bare extends Omit<CalendarEntry, 'name' | 'run'> {
  run_id: string | null
}
