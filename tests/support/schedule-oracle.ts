import * as fc from 'fast-check'

/*
 * When tasks fire, computed in a second way: minute by minute, from the date of each minute, with
 * no parser and no code of the product.
 */

const minuteMs = 60_000

/** A cron pattern as text and as what it means. */
export interface OraclePattern {
  text: string
  minute: number
  hours: ReadonlySet<number>
  /** Null is any. */
  daysOfMonth: ReadonlySet<number> | null
  months: ReadonlySet<number>
  weekdays: ReadonlySet<number> | null
}

export interface OracleWindow {
  start: string
  end: string
  days: number[]
}

/** A schedule in plain values. */
export interface OracleSchedule {
  patterns: readonly OraclePattern[]
  heartbeatMinutes: number | null
  jitterSeconds: number
}

export interface OracleFire {
  at: number
  firesAt: number
  trigger: 'cron' | 'heartbeat'
}

function matches(pattern: OraclePattern, date: Date): boolean {
  if (date.getUTCMinutes() !== pattern.minute) return false
  if (!pattern.hours.has(date.getUTCHours())) return false
  if (!pattern.months.has(date.getUTCMonth() + 1)) return false
  const { daysOfMonth, weekdays } = pattern
  const inMonth = daysOfMonth?.has(date.getUTCDate()) ?? true
  const inWeek = weekdays?.has(date.getUTCDay()) ?? true
  return daysOfMonth && weekdays ? inMonth || inWeek : inMonth && inWeek
}

/** Every fire that comes from a time on and before another, looked for in every single minute. */
export function oracleFires(schedule: OracleSchedule, from: number, before: number): OracleFire[] {
  const fires: OracleFire[] = []
  const first = Math.floor((from - 3_600_000) / minuteMs) * minuteMs
  for (let at = first; at < before; at += minuteMs) {
    const date = new Date(at)
    const isCron = schedule.patterns.some((pattern) => matches(pattern, date))
    const every = schedule.heartbeatMinutes
    const isBeat = every !== null && (at / minuteMs) % every === 0
    if (!isCron && !isBeat) continue
    const late = date.getUTCMinutes() === 0 ? schedule.jitterSeconds * 1000 : 0
    const firesAt = at + late
    if (firesAt < from || firesAt >= before) continue
    fires.push({ at, firesAt, trigger: isCron ? 'cron' : 'heartbeat' })
  }
  return fires.sort((a, b) => a.firesAt - b.firesAt || a.at - b.at)
}

const formats = new Map<string, Intl.DateTimeFormat>()
const weekdayNames = ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat']

/** Whether a time is inside a window, asked of the calendar of the zone and counted in minutes of the week. */
export function oracleInside(window: OracleWindow, zone: string, at: number): boolean {
  const options = {
    timeZone: zone,
    weekday: 'short',
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
  } as const
  const format = formats.get(zone) ?? new Intl.DateTimeFormat('en-US', options)
  formats.set(zone, format)
  const parts = Object.fromEntries(format.formatToParts(at).map(({ type, value }) => [type, value]))
  const day = weekdayNames.indexOf(parts.weekday ?? '')
  const now = day * 1440 + Number(parts.hour) * 60 + Number(parts.minute)
  const minutes = (time: string): number => Number(time.slice(0, 2)) * 60 + Number(time.slice(3))
  const start = minutes(window.start)
  const length = (minutes(window.end) - start + 1440) % 1440 || 1440
  const days = window.days.length > 0 ? window.days : [0, 1, 2, 3, 4, 5, 6]
  // The whole day is that of the calendar, wherever in it the window is said to start.
  const begin = length === 1440 ? 0 : start
  return days.some((open) => (now - open * 1440 - begin + 20_160) % 10_080 < length)
}

/**
 * What a fire comes to as far as it depends on the hour alone.
 * @param last the nominal time of the last fire that came
 */
export function oracleReason(
  fire: OracleFire,
  schedule: OracleSchedule,
  { window, zone, skip }: { window: OracleWindow | null; zone: string; skip: number | null },
  last: number | null,
): 'skip_next' | 'outside_window' | 'within_hour' | null {
  if (skip !== null && fire.firesAt >= skip) {
    const earlier = oracleFires(schedule, skip, fire.firesAt)
    if (earlier.length === 0) return 'skip_next'
  }
  if (window && !oracleInside(window, zone, fire.firesAt)) return 'outside_window'
  if (last === null) return null
  const [earlier, later] = last < fire.at ? [last, fire.at] : [fire.at, last]
  return later >= earlier + 60 * minuteMs ? null : 'within_hour'
}

/** Which of the fires that a look finds are to be decided on; the others were missed. */
export function oracleCurrent(fires: readonly OracleFire[], now: number): OracleFire[] {
  const inTime = fires.filter(({ firesAt }) => now - firesAt < 30_000)
  if (inTime.length > 0) return inTime
  const latest = Math.max(...fires.map(({ firesAt }) => firesAt))
  return now - latest < 600_000 ? fires.filter(({ firesAt }) => firesAt === latest) : []
}

/** A field of a pattern: its text and the values that it stands for; null where it is a star. */
interface Field {
  text: string
  values: ReadonlySet<number> | null
}

const months = 'JAN FEB MAR APR MAY JUN JUL AUG SEP OCT NOV DEC'.split(' ')
const weekdays = 'sun mon tue wed thu fri sat'.split(' ')

function field(low: number, high: number, nameOf: (value: number) => string | undefined) {
  const value = fc.integer({ min: low, max: high })
  const single = fc.tuple(value, fc.boolean()).map(([one, named]) => ({
    text: (named ? nameOf(one) : undefined) ?? String(one),
    values: [one],
  }))
  const range = fc.tuple(value, value, fc.integer({ min: 1, max: 6 })).map(([a, b, step]) => {
    const [from, to] = a < b ? [a, b] : [b, a]
    const values = Array.from({ length: to - from + 1 }, (_, i) => from + i)
    const kept = values.filter((_, i) => i % step === 0)
    return { text: step === 1 ? `${from}-${to}` : `${from}-${to}/${step}`, values: kept }
  })
  const list = fc
    .array(fc.oneof(single, range), { minLength: 1, maxLength: 3 })
    .map((items): Field => ({
      text: items.map(({ text }) => text).join(','),
      values: new Set(items.flatMap(({ values }) => values)),
    }))
  const stepped = fc.integer({ min: 2, max: 7 }).map((step): Field => {
    const values = Array.from({ length: high - low + 1 }, (_, i) => low + i)
    return { text: `*/${step}`, values: new Set(values.filter((_, i) => i % step === 0)) }
  })
  return fc.oneof(
    { weight: 4, arbitrary: fc.constant<Field>({ text: '*', values: null }) },
    { weight: 3, arbitrary: list },
    { weight: 1, arbitrary: stepped },
  )
}

const minute = fc.oneof(fc.constant(0), fc.integer({ min: 0, max: 59 }))

/** Patterns that fire at least in some month. */
export const patterns: fc.Arbitrary<OraclePattern> = fc
  .tuple(
    minute,
    field(0, 23, () => undefined),
    field(1, 31, () => undefined),
    field(1, 12, (value) => months[value - 1]),
    field(0, 6, (value) => weekdays[value]),
  )
  .map(([at, hour, day, month, weekday]) => ({
    text: `${at} ${hour.text} ${day.text} ${month.text} ${weekday.text}`,
    minute: at,
    hours: hour.values ?? new Set(Array.from({ length: 24 }, (_, i) => i)),
    daysOfMonth: day.values,
    months: month.values ?? new Set(Array.from({ length: 12 }, (_, i) => i + 1)),
    weekdays: weekday.values,
  }))
  .filter(({ daysOfMonth, weekdays: named, months: within }) => {
    if (!daysOfMonth || named) return true
    const longest = [31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]
    return [...within].some((month) =>
      [...daysOfMonth].some((day) => day <= (longest[month - 1] ?? 0)),
    )
  })

/** Zones with changes of the clock at odd hours, by half an hour, at midnight, and with none. */
export const zones = fc.constantFrom(
  'UTC',
  'Europe/Berlin',
  'America/New_York',
  'Australia/Lord_Howe',
  'America/Santiago',
  'Asia/Kathmandu',
  'Africa/Casablanca',
  'Pacific/Chatham',
  'Asia/Beirut',
)

/** Times around changes of the clock in those zones, and at leisure. */
export const beginnings = fc.oneof(
  fc.constantFrom(
    Date.parse('2026-03-28T20:00:00Z'),
    Date.parse('2026-10-24T20:00:00Z'),
    Date.parse('2026-03-08T00:00:00Z'),
    Date.parse('2026-11-01T00:00:00Z'),
    Date.parse('2026-04-04T10:00:00Z'),
    Date.parse('2026-10-03T10:00:00Z'),
    Date.parse('2026-09-05T20:00:00Z'),
    Date.parse('2026-02-15T00:00:00Z'),
    Date.parse('2028-02-28T12:00:00Z'),
  ),
  fc.integer({ min: Date.parse('2025-01-01'), max: Date.parse('2031-01-01') }),
)

const time = fc
  .tuple(fc.integer({ min: 0, max: 23 }), fc.constantFrom(0, 0, 30, 15, 59, 1))
  .map(([hour, at]) => `${String(hour).padStart(2, '0')}:${String(at).padStart(2, '0')}`)

export const windows: fc.Arbitrary<OracleWindow> = fc.record({
  start: time,
  end: time,
  days: fc.uniqueArray(fc.integer({ min: 0, max: 6 }), { maxLength: 5 }),
})
