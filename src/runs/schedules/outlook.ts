import * as z from 'zod'
import { timestamp } from '#src/core/time.ts'
import type { StoredTask } from '#src/agents/tasks/task.ts'
import { firesBetween, type Fire, type Schedule } from '#src/agents/tasks/schedule/schedule.ts'
import { shownIn } from '#src/agents/tasks/schedule/zone.ts'
import { lastFireOf, reasonOf, type Judged } from './skip-reason.ts'
import { skipReasons, type SkipReason, type Slot, type StoredSlot } from './slot.ts'
import type { Rhythm } from './rhythm.ts'
import { skippedBecause } from './words.ts'

/** A fire by the clocks of its trigger. */
export const localTimes = {
  local_at: z.string().describe('`at` by the clocks of that zone, with their offset from UTC.'),
  timezone: z.string().describe('config.timezone of its trigger, by which the pattern was read.'),
}

export function localTimesOf({ at, zone }: Pick<Fire, 'at' | 'zone'>) {
  return { local_at: shownIn(zone, at), timezone: zone ?? 'UTC' }
}

export const UpcomingFire = z
  .object({
    at: z.string().describe('When the schedule names it.'),
    fires_at: z.string().describe('The same with jitter.'),
    ...localTimes,
    trigger: z.enum(['cron', 'heartbeat']),
    comes: z.boolean(),
    reason: z.enum(skipReasons).nullable().describe('Why it will not come.'),
    message: z.string().nullable(),
  })
  .meta({ id: 'UpcomingFire' })
/** A fire that is still to come, as far as the task itself decides on it. */
export type UpcomingFire = z.infer<typeof UpcomingFire>

export const FireCounters = z
  .object({ fired: z.int(), skipped: z.record(z.string(), z.int()).describe('By reason.') })
  .meta({ id: 'FireCounters' })
/** How the fires of a task have ended so far. */
export type FireCounters = z.infer<typeof FireCounters>

/** The next fires after a time. @param after milliseconds since the epoch */
export function upcoming(
  task: Judged,
  schedule: Schedule,
  { timezone }: Pick<Rhythm, 'timezone'>,
  after: number,
  count: number,
): UpcomingFire[] {
  const fires = judgedBetween(task, schedule, timezone, after + 1, Number.POSITIVE_INFINITY)
  return fires
    .take(count)
    .map((one) => shown(one, task, timezone))
    .toArray()
}

/** A fire, and why the task itself skips it; null if it comes. */
export interface JudgedFire {
  fire: Fire
  reason: SkipReason | null
}

/**
 * Every fire from one time up to another, exclusive, in order. Both in milliseconds since the epoch.
 * @param timezone of the agent; null is UTC
 */
export function* judgedBetween(
  task: Judged,
  schedule: Schedule,
  timezone: string | null,
  from: number,
  before: number,
): Generator<JudgedFire> {
  let last = lastFireOf(task)
  for (const fire of firesBetween(schedule, from, before)) {
    const reason = reasonOf(task, schedule, fire, timezone, last) ?? null
    if (reason === null) last = fire.at
    yield { fire, reason }
  }
}

function shown({ fire, reason }: JudgedFire, task: Judged, timezone: string | null): UpcomingFire {
  return {
    at: timestamp(new Date(fire.at)),
    fires_at: timestamp(new Date(fire.firesAt)),
    ...localTimesOf(fire),
    trigger: fire.trigger,
    comes: reason === null,
    reason,
    message: reason && skippedBecause(reason, task, timezone),
  }
}

/** The counts that are kept with a task, as they are shown. */
export function countersOf({ fire_counts }: Pick<StoredTask, 'fire_counts'>): FireCounters {
  const { fired = 0, ...skipped } = fire_counts ?? {}
  const known = Object.entries(skipped).map(([reason, count]) => [reason, count ?? 0])
  return { fired, skipped: Object.fromEntries(known) }
}

/** A slot as the wire shows it. */
export function publicSlot(slot: StoredSlot): Slot {
  const { id: _id, char_id: _char, task_id: _task, owner_id: _owner, bytes: _bytes, ...rest } = slot
  return rest
}
