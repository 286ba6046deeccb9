import { CronPattern } from 'croner'

const months = 'JAN|FEB|MAR|APR|MAY|JUN|JUL|AUG|SEP|OCT|NOV|DEC'
const weekdays = 'SUN|MON|TUE|WED|THU|FRI|SAT'

/** A list of stars, values and ranges, each perhaps with a step. croner also takes looser forms. */
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
const daysOfMonths = [31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]

// croner takes some 25 us for a pattern, and the same few patterns are sent again and again.
const remembered = new Map<string, string | undefined>()
const rememberedAtMost = 1000

/**
 * Why a cron pattern is refused, in words; undefined when it is good: five fields in UTC, exactly
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

/** Only a day that its months lack keeps a pattern from firing; a named weekday fires beside it. */
function neverFires(cron: CronPattern): boolean {
  if (cron.starDOM || !cron.starDOW) return false
  return !daysOfMonths.some(
    (days, month) => cron.month[month] === 1 && cron.day.slice(0, days).includes(1),
  )
}
