import * as z from 'zod'
import { secondsAfter } from '#src/core/time.ts'
import { largestJitterSeconds, type TaskReliability } from '#src/agents/tasks/reliability.ts'
import { timetableOf } from '#src/agents/tasks/schedule/timetable.ts'
import { zoneOf } from '#src/agents/tasks/schedule/zone.ts'
import { UpcomingFire, upcoming } from './outlook.ts'

export const PreviewedFire = UpcomingFire.extend({
  latest_at: z.string().describe('The same with the largest jitter.'),
}).meta({ id: 'PreviewedFire' })
/** A fire that a schedule would have. */
export type PreviewedFire = z.infer<typeof PreviewedFire>

/** A schedule that no task has yet. */
export interface Proposal {
  cron: string
  /** By whose clocks the pattern is read; null is UTC. */
  cronTimezone: string | null
  /** Of the agent, for the window. */
  timezone: string | null
  reliability: TaskReliability | null
}

/** Its next fires; whether one lies in the window is judged without jitter, which no task has chosen yet. */
export function previewed(
  { cron, cronTimezone, timezone, reliability }: Proposal,
  now: Date,
  count: number,
): PreviewedFire[] {
  const table = timetableOf(cron)
  if (!table) return []
  const zone = zoneOf({ timezone: cronTimezone })
  const tables = [zone === undefined ? table : { ...table, zone }]
  const schedule = { tables, heartbeatMs: null, jitterMs: 0 }
  const task = { enabled: true, autonomy: null, skip_next_run_at: null, reliability }
  const asked = table.minute === 0 ? (reliability?.max_jitter_seconds ?? 0) : 0
  const jitter = Math.min(asked, largestJitterSeconds)
  return upcoming(task, schedule, { timezone }, now.getTime(), count).map((fire) => ({
    ...fire,
    latest_at: secondsAfter(new Date(fire.fires_at), jitter),
  }))
}
