import { isTimezone } from '#src/agents/tasks/timezone.ts'

/** Hours of days: `HH:MM`, and the days of the week, Sunday being 0; none named is every day. */
export interface Window {
  start: string
  end: string
  days: readonly number[]
}

/** A time as the clocks on the wall of a zone show it, with the offset from UTC. */
export function wallClock(at: number, timezone: string): Temporal.ZonedDateTime {
  // A zone that the machine does not know any more counts as UTC, rather than keeping a task still.
  const zone = isTimezone(timezone) ? timezone : 'UTC'
  return Temporal.Instant.fromEpochMilliseconds(at).toZonedDateTimeISO(zone)
}

/**
 * Whether a time lies in a window, by wall clock. A window that ends before it starts spans
 * midnight, and its small hours belong to the day on which it began; one that ends as it starts is
 * the whole day.
 * @param at milliseconds since the epoch
 */
export function isInside({ start, end, days }: Window, at: number, timezone: string): boolean {
  const wall = wallClock(at, timezone)
  const minute = wall.hour * 60 + wall.minute
  const [from, to] = [minuteOf(start), minuteOf(end)]
  const today = wall.dayOfWeek % 7
  const yesterday = (today + 6) % 7
  const isOpen = (day: number): boolean => days.length === 0 || days.includes(day)
  if (from === to) return isOpen(today)
  if (from < to) return minute >= from && minute < to && isOpen(today)
  return (minute >= from && isOpen(today)) || (minute < to && isOpen(yesterday))
}

function minuteOf(time: string): number {
  const [hours = 0, minutes = 0] = time.split(':').map(Number)
  return hours * 60 + minutes
}
