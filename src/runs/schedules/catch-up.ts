import {
  firesBetween,
  lastFires,
  type Fire,
  type Schedule,
} from '#src/agents/tasks/schedule/schedule.ts'

/** A fire that is older than this when a scheduler finds it was missed. */
export const firesWithinMs = 600_000

/** Fires no later than this are in time, however many they are: a tick may find several. */
const inTimeMs = 30_000

/** Fires that come to nothing for one reason, told as one. */
export interface Together {
  /** The earliest and the latest nominal time, in milliseconds since the epoch. */
  from: number
  to: number
  count: number
  /** The fire that came first. */
  first: Fire
}

/** What is to be decided now, and what was missed. */
export interface Caught {
  current: readonly Fire[]
  missed: Together | undefined
}

/**
 * The fires of a schedule from the time it was due until now: those in time come, or else the
 * latest if it is recent enough, and all before were missed.
 */
export function caughtUp(schedule: Schedule, dueAt: number, now: number): Caught {
  const latest = lastFires(schedule, now + 1)[0]?.firesAt ?? Number.NEGATIVE_INFINITY
  const age = now - latest
  const from = age < inTimeMs ? now - inTimeMs + 1 : age < firesWithinMs ? latest : now
  // Where the schedule has been changed since, it may have been due for nothing.
  const since = Math.max(dueAt, from)
  return {
    current: [...firesBetween(schedule, since, now + 1)],
    missed: together(firesBetween(schedule, dueAt, since)),
  }
}

/** Fires told as one; undefined where there are none. */
export function together(fires: Iterable<Fire>): Together | undefined {
  let told: Together | undefined
  for (const fire of fires) {
    told ??= { from: fire.at, to: fire.at, count: 0, first: fire }
    told.from = Math.min(told.from, fire.at)
    told.to = Math.max(told.to, fire.at)
    told.count += 1
  }
  return told
}
