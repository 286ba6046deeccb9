import { Cron } from 'croner'
import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { heartbeatMinutes, isHeartbeatTask } from '#src/agents/tasks/heartbeat.ts'
import { lastInZone, nextInZone } from '#src/agents/tasks/schedule/zone.ts'
import { beginnings, patterns, zones } from '#tests/support/schedule-oracle.ts'
import { checkCron, lastIn, nextIn, timetableOf } from '#src/agents/tasks/schedule/timetable.ts'
import { isTimezone } from '#src/agents/tasks/timezone.ts'

test.for([
  '0 9 * * 1-5',
  '59 23 31 12 7',
  '05 */2 1-15/3 JAN,MAR-jun mon-FRI',
  '  7   9 * * * ',
  '0\t9\t*\t*\t*',
  '0 0 29 2 *',
  '0 0 31 2,3 *',
  '0 0 30 2 MON',
  '0 9,12,18 * * *',
])('the pattern "%s" is good', (pattern) => {
  expect(checkCron(pattern)).toBeUndefined()
})

test.for([
  ['* * * * *', 'minute'],
  ['*/30 * * * *', 'minute'],
  ['0,30 * * * *', 'minute'],
  ['0-5 * * * *', 'minute'],
  ['60 * * * *', 'minute'],
  ['0 0 9 * * *', 'five fields'],
  ['0 9 * *', 'five fields'],
  ['', 'five fields'],
  ['@hourly', 'five fields'],
  ['@a @b @c @d @e', 'minute'],
  ['0 9 L * *', 'day of the month'],
  ['0 9 15W * *', 'day of the month'],
  ['0 9 LW * *', 'day of the month'],
  ['0 9 ? * *', 'day of the month'],
  ['0 9 * * 1#2', 'day of the week'],
  ['0 9 * * 5L', 'day of the week'],
  ['0 9 * * ?', 'day of the week'],
  ['0 9 * * +1', 'day of the week'],
  ['0 9 * * JAN', 'day of the week'],
  ['0 9 * MON *', 'month'],
  ['0 9 * JANUARY *', 'month'],
  ['0 9 1*2 * *', 'day of the month'],
  ['0 24 * * *', 'hour'],
  ['0 9 32 * *', 'day'],
  ['0 9 0 * *', 'day'],
  ['0 9 * 13 *', 'month'],
  ['0 9 * * 8', 'dayOfWeek'],
  ['0 9-5 * * *', 'larger'],
  ['0 */0 * * *', 'stepping'],
  ['0 5/2 * * *', 'stepping'],
  ['0 1,,2 * * *', 'hour'],
  ['0 0 30 2 *', 'never fire'],
  ['0 0 31 4,6,9,11 *', 'never fire'],
  ['0 0 30-31 FEB *', 'never fire'],
] as const)('the pattern "%s" is refused, and the words name the %s', ([pattern, word]) => {
  expect(checkCron(pattern)).toContain(word)
})

const field = fc.oneof(
  fc.constant('*'),
  fc.nat(35).map(String),
  fc.tuple(fc.nat(35), fc.nat(35)).map(([a, b]) => `${a}-${b}`),
  fc.tuple(fc.nat(35), fc.nat(35), fc.nat(5)).map(([a, b, step]) => `${a}-${b}/${step}`),
  fc.nat(9).map((step) => `*/${step}`),
  fc.array(fc.nat(31), { minLength: 1, maxLength: 4 }).map((list) => list.join(',')),
  fc.constantFrom('FEB', 'mon', 'SUN-TUE', 'L', '?', '1#1', '15W', '1*2'),
)

test('a good pattern fires at the one minute that it names, and croner plans it', () => {
  const pattern = fc.tuple(fc.nat(61), field, field, field, field).map((fields) => fields.join(' '))
  let good = 0
  fc.assert(
    fc.property(pattern, (pattern) => {
      if (checkCron(pattern) !== undefined) return
      good += 1
      const from = new Date('2000-01-01T00:00:00Z')
      const fires = new Cron(pattern, { mode: '5-part', utcOffset: 0 }).nextRuns(5, from)
      expect(fires).toHaveLength(5)
      for (const fire of fires) expect(fire.getUTCMinutes()).toBe(Number(pattern.split(' ')[0]))
    }),
    { numRuns: 3000 },
  )
  expect(good).toBeGreaterThan(50)
})

test('a numeric pattern that croner plans with one minute is good, and one that it never plans is not', () => {
  const numeric = fc.oneof(
    fc.constant('*'),
    fc.integer({ min: 1, max: 31 }).map(String),
    fc.integer({ min: 28, max: 31 }).map((day) => `${day}-31`),
  )
  const months = fc.uniqueArray(fc.integer({ min: 1, max: 12 }), { minLength: 1, maxLength: 3 })
  fc.assert(
    fc.property(numeric, months, fc.constantFrom('*', '1', '0-6'), (day, months, weekday) => {
      const pattern = `0 0 ${day} ${months.join(',')} ${weekday}`
      const cron = new Cron(pattern, { mode: '5-part', utcOffset: 0 })
      const fires = cron.nextRun(new Date('2000-01-01T00:00:00Z')) !== null
      expect(checkCron(pattern) === undefined).toBe(fires)
    }),
    { numRuns: 300 },
  )
})

// croner leaves out the first of March after a leap day; days of months are tried minute by minute elsewhere.
// And a single hour that is written with a step, as 1-1/2, is not one hour to it.
const daily = patterns.filter(
  ({ daysOfMonth, hours, text }) =>
    daysOfMonth === null && (hours.size > 1 || text.split(' ')[1]?.includes('/') === false),
)

test('in a zone a pattern fires as croner plans it, through every change of the clocks, and back', () => {
  let seen = 0
  fc.assert(
    fc.property(daily, zones, beginnings, ({ text }, zone, from) => {
      const table = timetableOf(text)
      if (!table) throw new Error(`${text} is a pattern`)
      const cron = new Cron(text, { mode: '5-part', timezone: zone })
      const fires: number[] = []
      for (let after = from; fires.length < 12;) {
        const expected = cron.nextRun(new Date(after))?.getTime()
        const at = nextInZone(table, zone, after)
        expect(at, `${text} in ${zone} after ${new Date(after).toISOString()}`).toBe(expected)
        if (at === undefined) break
        fires.push(at)
        after = at
      }
      seen += fires.length
      let before = (fires.at(-1) ?? from) + 1
      for (const at of fires.toReversed()) {
        expect(lastInZone(table, zone, before)).toBe(at)
        before = at
      }
    }),
    { numRuns: 300 },
  )
  expect(seen).toBeGreaterThan(2000)
})

test.for([
  ['a time that the clocks leave out comes as they go forward', '30 2 * * *', '2026-03-29T01:00'],
  ['the time after it, as ever', '0 3 * * *', '2026-03-29T01:00'],
  ['of several hours the one left out does not come', '30 2,4 * * *', '2026-03-29T02:30'],
  ['a time that comes twice, at the first', '30 2 * * *', '2026-10-25T00:30'],
  ['and not again', '30 2 * * *', '2026-10-26T01:30', '2026-10-25T00:30'],
  ['but with several hours again', '30 2,4 * * *', '2026-10-25T01:30', '2026-10-25T00:30'],
] as const)('%s', ([, pattern, at, after = `${at.slice(0, 10)}T00:00`]) => {
  const table = timetableOf(pattern)
  const next = table && nextInZone(table, 'Europe/Berlin', Date.parse(`${after}Z`))
  expect(new Date(next ?? 0).toISOString()).toBe(`${at}:00.000Z`)
})

test.for([
  ['several hours come again', '45 0,2 * 4 */3', '2025-04-05T13:00', '2025-04-05T14:00'],
  ['one hour comes', '45 2 6 4 *', '2025-04-05T11:00', '2025-04-05T13:00'],
  [
    'several hours come again in the last minutes',
    '30 0,3 6 4 *',
    '2025-04-05T13:45',
    '2025-04-05T14:45',
  ],
] as const)(
  'as clocks go back %s, though nothing follows for days or years',
  ([, pattern, from, at]) => {
    const table = timetableOf(pattern)
    if (!table) throw new Error(`${pattern} is a pattern`)
    const [before, fire] = [Date.parse(`${from}Z`), Date.parse(`${at}Z`)]
    expect(nextInZone(table, 'Pacific/Chatham', before)).toBe(fire)
    expect(lastInZone(table, 'Pacific/Chatham', fire + 1)).toBe(fire)
  },
)

test('what comes once is found in the minutes that the clocks show again', () => {
  const table = timetableOf('30 3 6 4 *')
  if (!table) throw new Error('it is a good pattern')
  // They show 02:55 for the second time.
  const again = Date.parse('2025-04-05T14:10Z')
  expect(lastInZone(table, 'Pacific/Chatham', again)).toBe(Date.parse('2025-04-05T13:45Z'))
})

test('a pattern as long as a body is refused without hanging', () => {
  expect(checkCron(`0 ${'1,'.repeat(200_000)} * * *`)).toContain('400')
})

test.for([
  ['90m', 90],
  ['2h', 120],
  ['PT2H', 120],
  ['1h30m', 90],
  ['PT1H30M', 90],
  ['1d', 1440],
  ['P1D', 1440],
  ['P1DT12H', 2160],
  ['3600s', 60],
  ['30m', 30],
  ['0m', 0],
] as const)('a heartbeat of "%s" is %d minutes', ([text, minutes]) => {
  expect(heartbeatMinutes(text)).toBe(minutes)
})

test.for([
  '',
  'P',
  'PT',
  'P1DT',
  '60',
  'soon',
  '2 hours',
  '-2h',
  '1.5h',
  'P1Y',
  'P1M',
  '2hh',
  '30m2h',
])('a heartbeat of "%s" cannot be read', (text) => {
  expect(heartbeatMinutes(text)).toBeUndefined()
})

test('the heartbeat task is called so by its id or by its name', () => {
  expect(isHeartbeatTask({ task_id: 'heartbeat', name: 'Wake up' })).toBe(true)
  expect(isHeartbeatTask({ task_id: null, name: 'heartbeat' })).toBe(true)
  expect(isHeartbeatTask({ task_id: 'other', name: 'Heartbeat' })).toBe(false)
})

test('a pattern that lists everything by itself is not too long', () => {
  const listed = (from: number, to: number): string =>
    Array.from({ length: to - from + 1 }, (_, i) => String(from + i).padStart(2, '0')).join(',')
  const months = 'jan,feb,mar,apr,may,jun,jul,aug,sep,oct,nov,dec'
  const days = 'sun,mon,tue,wed,thu,fri,sat'
  expect(checkCron(`05 ${listed(0, 23)} ${listed(1, 31)} ${months} ${days}`)).toBeUndefined()
})

test('months without a fire are passed over in every century', () => {
  const table = timetableOf('0 0 29 2 *')
  if (!table) throw new Error('it is a good pattern')
  const day = (text: string): number => Date.parse(`${text}T00:00:00Z`)
  for (const [before, after] of [
    ['0004-02-29', '0008-02-29'],
    ['1896-02-29', '1904-02-29'],
    ['2096-02-29', '2104-02-29'],
    ['9992-02-29', '9996-02-29'],
  ] as const) {
    expect(nextIn(table, day(before))).toBe(day(after))
    expect(lastIn(table, day(after))).toBe(day(before))
  }
})

test('the next fire of a rare pattern is found at little more cost than that of a daily one', () => {
  const cost = (pattern: string): number => {
    const table = timetableOf(pattern)
    if (!table) throw new Error('it is a good pattern')
    // Work of this thread alone, of enough rounds to be told: how busy the machine is does not count.
    const begun = process.threadCpuUsage()
    let rounds = 0
    let spent = 0
    for (let at = 0; spent < 50_000; rounds += 1000) {
      for (let i = 0; i < 1000; i++) at = nextIn(table, at % 4e12) ?? 0
      const { user, system } = process.threadCpuUsage(begun)
      spent = user + system
    }
    return spent / rounds
  }
  cost('0 0 29 2 *')
  // Day by day it would be some 500 times as much.
  expect(cost('0 0 29 2 *') / cost('0 0 * * *')).toBeLessThan(250)
})

test.for([
  'UTC',
  'Europe/Berlin',
  'europe/berlin',
  'America/Argentina/Buenos_Aires',
  'Asia/Calcutta',
])('"%s" is a time zone', (name) => {
  expect(isTimezone(name)).toBe(true)
  expect(isTimezone(name), 'when asked again').toBe(true)
})

test.for(['', '+02:00', '-05', 'Mars/Olympus', 'Berlin', 'Europe/Berlin ', '2'])(
  '"%s" is no time zone',
  (name) => {
    expect(isTimezone(name)).toBe(false)
  },
)
