import { isTimezone } from '../timezone.ts'
import { lastIn, nextIn, type Timetable } from './timetable.ts'

/** A stretch of time in which the clocks of a zone stay as they are. Milliseconds since the epoch. */
interface Stretch {
  from: number
  /** Exclusive. */
  end: number
  /** What the clocks show is so much later than UTC, and was so much later before. */
  offset: number
  before: number
}

/** More than the clocks are ever put forward or back. */
const longestShiftMs = 2 * 86_400_000
// Looking for a change of the clocks takes microseconds, and schedules ask for the same ones again and again.
const remembered = new Map<string, Stretch[]>()
const zonesAtMost = 1000
const stretchesAtMost = 64

/** The zone in which a trigger's pattern is read; undefined is UTC, as is a zone that is not known any more. */
export function zoneOf(config: Readonly<Record<string, unknown>>): string | undefined {
  const { timezone } = config
  if (typeof timezone !== 'string' || timezone.toUpperCase() === 'UTC') return undefined
  return isTimezone(timezone) ? timezone : undefined
}

function stretchAt(zone: string, at: number): Stretch {
  const known = remembered.get(zone) ?? []
  const found = known.find(({ from, end }) => from <= at && at < end)
  if (found) return found
  if (known.length >= stretchesAtMost) known.length = 0
  if (remembered.size >= zonesAtMost) remembered.clear()
  const made = read(zone, at)
  remembered.set(zone, [...known, made])
  return made
}

function read(zone: string, at: number): Stretch {
  const wall = Temporal.Instant.fromEpochMilliseconds(at).toZonedDateTimeISO(zone)
  const offset = wall.offsetNanoseconds / 1e6
  // A change at this very moment is the beginning of the stretch.
  const begin = wall.add({ milliseconds: 1 }).getTimeZoneTransition('previous')
  const end = wall.getTimeZoneTransition('next')
  return {
    from: begin?.epochMilliseconds ?? Number.NEGATIVE_INFINITY,
    end: end?.epochMilliseconds ?? Number.POSITIVE_INFINITY,
    offset,
    before: begin ? begin.subtract({ milliseconds: 1 }).offsetNanoseconds / 1e6 : offset,
  }
}

/**
 * A pattern of one hour names one time a day: it comes once where the clocks show it twice, and as the clocks
 * are put forward where they leave it out. One of several hours comes whenever the clocks show them. So it is
 * in croner and in Vixie cron.
 */
function isOnce({ hours }: Timetable): boolean {
  return hours.length === 1
}

/** The first fire after a time of a pattern that is read in a zone. */
export function nextInZone(table: Timetable, zone: string, after: number): number | undefined {
  const once = isOnce(table)
  for (let from = after; ;) {
    const { from: begin, end, offset, before } = stretchAt(zone, from + 1)
    if (once && from + 1 === begin && before < offset) {
      const left = nextIn(table, begin + before - 1)
      if (left !== undefined && left < begin + offset) return begin
    }
    const shown = once ? Math.max(from + offset, begin + before - 1) : from + offset
    const wall = nextIn(table, shown)
    if (wall === undefined) return undefined
    if (wall - offset < end) return wall - offset
    // Until shortly before what the clocks will show then there is nothing, but what a change soon may show again.
    const isSoon = end - (shown - offset) <= longestShiftMs
    from = isSoon ? end - 1 : Math.max(end - 1, wall - offset - longestShiftMs)
  }
}

/** The last fire before a time of a pattern that is read in a zone. */
export function lastInZone(table: Timetable, zone: string, before: number): number | undefined {
  const once = isOnce(table)
  for (let to = before; ;) {
    const { from: begin, offset, before: previous } = stretchAt(zone, to - 1)
    const wall = lastIn(table, to + offset)
    if (wall === undefined) return undefined
    const first = begin + (once ? Math.max(offset, previous) : offset)
    if (wall >= first) return wall - offset
    if (once && previous < offset) {
      const left = lastIn(table, begin + offset)
      if (left !== undefined && left >= begin + previous) return begin
    }
    // Until shortly after what the clocks showed then there is nothing, but what they showed twice lately.
    const isLate = to - begin <= longestShiftMs
    to = isLate ? begin : Math.min(begin, wall - offset + longestShiftMs)
  }
}

/** A time as the clocks of a zone show it, with their offset from UTC: `2026-03-02T09:00:00+01:00`. */
export function shownIn(zone: string | undefined, at: number): string {
  const wall = Temporal.Instant.fromEpochMilliseconds(at).toZonedDateTimeISO(zone ?? 'UTC')
  return wall.toString({ timeZoneName: 'never', smallestUnit: 'second' })
}
