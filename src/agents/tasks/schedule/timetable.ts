import { CronPattern } from 'croner'

const months = 'JAN|FEB|MAR|APR|MAY|JUN|JUL|AUG|SEP|OCT|NOV|DEC'
const weekdays = 'SUN|MON|TUE|WED|THU|FRI|SAT'

/** A list of stars, values and ranges, each with an optional step. croner also accepts looser forms. */
function listOf(value: string): RegExp {
  const item = `(?:\\*|(?:${value})(?:-(?:${value}))?)(?:/\\d{1,2})?`
  return new RegExp(`^${item}(?:,${item})*$`, 'i')
}

const numbers = listOf('\\d{1,2}')
const fields = [
  { name: 'minute', allowed: /^\d{1,2}$/ },
  { name: 'hour', allowed: numbers },
  { name: 'day of the month', allowed: numbers },
  { name: 'month', allowed: listOf(`\\d{1,2}|${months}`) },
  { name: 'day of the week', allowed: listOf(`\\d{1,2}|${weekdays}`) },
]
/** Every hour, day, month and weekday listed by itself takes some 220. */
const longestPattern = 400
const daysOfMonths = [31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]

// croner takes some 25 us for a pattern, and the same few patterns are sent again and again.
const remembered = new Map<string, string | undefined>()
const rememberedAtMost = 1000

/**
 * Why a cron pattern is refused, in words; undefined if it is valid: five fields in UTC, exactly
 * one minute (so that it fires at most once an hour), lists, ranges, steps and names elsewhere, and
 * at least one day in the calendar on which it fires.
 */
export function checkCron(pattern: string): string | undefined {
  if (remembered.has(pattern)) return remembered.get(pattern)
  const objection = objectionTo(pattern)
  // Long texts are not worth their memory.
  if (pattern.length <= 100) {
    if (remembered.size >= rememberedAtMost) remembered.clear()
    remembered.set(pattern, objection)
  }
  return objection
}

function objectionTo(pattern: string): string | undefined {
  if (pattern.length > longestPattern) {
    return `a cron pattern has at most ${longestPattern} characters`
  }
  const given = pattern.trim().split(/[ \t]+/)
  if (given.length !== fields.length || given[0] === '') {
    return 'a cron pattern has five fields: minute, hour, day of the month, month, day of the week'
  }
  for (const [position, field] of fields.entries()) {
    const text = given[position] ?? ''
    if (field.allowed.test(text)) continue
    if (field.name === 'minute') {
      return `the minute must be one number from 0 to 59, as a schedule fires at most once an hour`
    }
    return `the ${field.name} may hold numbers, names, lists, ranges and steps, and nothing else`
  }
  try {
    return neverFires(new CronPattern(given.join(' '), undefined, { mode: '5-part' }))
      ? 'no month has such a day, so it would never fire'
      : undefined
  } catch (cause) {
    return cause instanceof Error ? cause.message.replace(/^CronPattern: /, '') : 'unreadable'
  }
}

/** A pattern never fires only if its months lack its day; a named weekday fires in any case. */
function neverFires(cron: CronPattern): boolean {
  if (cron.starDOM || !cron.starDOW) return false
  return !daysOfMonths.some(
    (days, month) => cron.month[month] === 1 && cron.day.slice(0, days).includes(1),
  )
}

const dayMs = 86_400_000
const hourMs = 3_600_000
const minuteMs = 60_000
/** Longer than any valid pattern pauses: there is no 29 February for eight years around 2100. */
const longestRestDays = 3300

/** When a cron pattern fires, in UTC: one minute of some hours of some days. */
export interface Timetable {
  minute: number
  /** Ascending. */
  hours: readonly number[]
  /** Bits of the days of the month, from 1, of the months, from 0, and of the weekdays, Sunday first. */
  days: number
  months: number
  weekdays: number
  /** If both days and weekdays are restricted, a day that matches either is enough. */
  eitherDay: boolean
}

// croner parses a pattern once. Its fields are searched here, in well under a microsecond per fire:
// croner's own search takes some 15 us, too long for a simulated week of a thousand tasks.
const timetables = new Map<string, Timetable | undefined>()
const timetablesAtMost = 10_000

/** The timetable of a pattern; undefined if it is invalid, so that it never fires. */
export function timetableOf(pattern: string): Timetable | undefined {
  if (timetables.has(pattern)) return timetables.get(pattern)
  const table = checkCron(pattern) === undefined ? read(pattern) : undefined
  // Long texts are not worth their memory.
  if (pattern.length <= 100) {
    if (timetables.size >= timetablesAtMost) timetables.clear()
    timetables.set(pattern, table)
  }
  return table
}

function read(pattern: string): Timetable {
  const text = pattern
    .trim()
    .split(/[ \t]+/)
    .join(' ')
  const cron = new CronPattern(text, undefined, { mode: '5-part' })
  const everyWeekday = bitsOf(cron.starDOW ? Array<number>(7).fill(1) : cron.dayOfWeek)
  return {
    minute: cron.minute.indexOf(1),
    hours: cron.hour.flatMap((set, hour) => (set ? [hour] : [])),
    days: bitsOf(cron.day) << 1,
    months: bitsOf(cron.month),
    weekdays: everyWeekday,
    eitherDay: !cron.starDOM && !cron.starDOW,
  }
}

function bitsOf(places: readonly number[]): number {
  return places.reduce((bits, set, place) => (set ? bits | (1 << place) : bits), 0)
}

/** Whether it fires on a day. @param day whole days since the epoch */
function isOn({ days, months, weekdays, eitherDay }: Timetable, day: number): boolean {
  const date = new Date(day * dayMs)
  if (!(months & (1 << date.getUTCMonth()))) return false
  const inMonth = (days & (1 << date.getUTCDate())) !== 0
  const inWeek = (weekdays & (1 << date.getUTCDay())) !== 0
  return eitherDay ? inMonth || inWeek : inMonth && inWeek
}

// Months without a fire are skipped as a whole: 29 February is some 1500 days away.
function dayAfter({ months }: Timetable, day: number): number {
  const date = new Date((day + 1) * dayMs)
  const month = date.getUTCMonth()
  let ahead = 0
  while (!(months & (1 << ((month + ahead) % 12)))) ahead += 1
  if (ahead === 0) return day + 1
  return date.setUTCMonth(month + ahead, 1) / dayMs
}

function dayBefore({ months }: Timetable, day: number): number {
  const date = new Date((day - 1) * dayMs)
  const month = date.getUTCMonth()
  let back = 0
  while (!(months & (1 << ((month - back + 12) % 12)))) back += 1
  if (back === 0) return day - 1
  // The day 0 of a month is the last one of the month before it.
  return date.setUTCMonth(month - back + 1, 0) / dayMs
}

/** The first fire after a time; both in milliseconds since the epoch. */
export function nextIn(table: Timetable, after: number): number | undefined {
  const first = Math.floor(after / dayMs)
  for (let day = first; day < first + longestRestDays; day = dayAfter(table, day)) {
    if (!isOn(table, day)) continue
    const start = day * dayMs + table.minute * minuteMs
    for (const hour of table.hours) {
      const at = start + hour * hourMs
      if (at > after) return at
    }
  }
  return undefined
}

/** The last fire before a time; both in milliseconds since the epoch. */
export function lastIn(table: Timetable, before: number): number | undefined {
  const last = Math.floor(before / dayMs)
  for (let day = last; day > last - longestRestDays; day = dayBefore(table, day)) {
    if (!isOn(table, day)) continue
    const start = day * dayMs + table.minute * minuteMs
    for (let i = table.hours.length - 1; i >= 0; i--) {
      const at = start + (table.hours[i] ?? 0) * hourMs
      if (at < before) return at
    }
  }
  return undefined
}
