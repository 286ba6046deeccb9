import { refuse } from '#src/core/errors.ts'
import { timestamp } from '#src/core/time.ts'
import type { StoredRun } from '../run.ts'

const dayMs = 86_400_000
/** How far ahead a run may be asked for. */
export const daysAhead = 366

/**
 * When a run is to begin, as it is stored; undefined if that is now, or has passed.
 * @throws Refusal `invalid_input` for a time that is too far ahead
 */
export function laterTime(notBefore: string | undefined, now: Date): string | undefined {
  if (notBefore === undefined) return undefined
  const ahead = Date.parse(notBefore) - now.getTime()
  if (ahead > daysAhead * dayMs) {
    const message = `must be at most ${daysAhead} days ahead`
    const errors = [{ pointer: '/not_before', message, code: 'too_big' }]
    return refuse('invalid_input', `not_before: ${message}`, { errors })
  }
  return ahead > 0 ? timestamp(new Date(notBefore)) : undefined
}

/** The run waits for its time: it takes no place, and keeps no fire of its task from coming. */
export function waitingForTime(run: StoredRun, due_at: string): StoredRun {
  return { ...run, reason: 'not_before', waits_for: 'time', due_at, open: null }
}
