import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { caughtUp } from '#src/runs/schedules/catch-up.ts'
import { disabledUntil, dueAt } from '#src/agents/tasks/schedule/next-due.ts'
import { jitterSeconds } from '#src/agents/tasks/schedule/jitter.ts'
import {
  firesBetween,
  lastFires,
  nextFires,
  scheduleOf,
  tooNear,
} from '#src/agents/tasks/schedule/schedule.ts'
import { upcoming } from '#src/runs/schedules/outlook.ts'
import { reasonOf } from '#src/runs/schedules/skip-reason.ts'
import { isInside } from '#src/runs/schedules/window.ts'
import { taskFrom } from '#src/agents/tasks/stored-task.ts'
import { TaskInput, type StoredTask } from '#src/agents/tasks/task.ts'
import {
  beginnings,
  oracleCurrent,
  oracleFires,
  oracleInside,
  oracleReason,
  patterns,
  windows,
  zones,
  type OracleSchedule,
} from '#tests/support/schedule-oracle.ts'

const hourMs = 3_600_000
const dayMs = 24 * hourMs

const at = (time: string): number => Date.parse(`2026-03-02T${time}Z`)
const iso = (time: string): string => new Date(at(time)).toISOString()

function taskOf(sent: object, now = Date.parse('2026-01-01T00:00:00Z')): StoredTask {
  const input = TaskInput.parse({ name: 'Tick', ...sent })
  return taskFrom(input, {
    charId: 'ada',
    ownerId: 'acc_1',
    appId: null,
    taskId: input.task_id ?? 'tick',
    now: new Date(now).toISOString(),
  }).task
}

const cron = (pattern: string): object => ({ type: 'cron', config: { cron: pattern } })

const heartbeats = fc.option(fc.constantFrom(60, 61, 90, 120, 180, 1440, 10_000), { nil: null })

/** A task with its schedule, and the same in plain values. */
const planned = fc
  .record({
    patterns: fc.array(patterns, { minLength: 0, maxLength: 3 }),
    heartbeat: heartbeats,
    jitter: fc.constantFrom(0, 0, 1, 59, 600, 3599, 10_000),
    window: fc.option(windows, { nil: null }),
    zone: zones,
    id: fc.integer({ min: 0, max: 999 }),
  })
  .map(({ patterns: named, heartbeat, jitter, window, zone, id }) => {
    const task_id = heartbeat === null ? `t${id}` : 'heartbeat'
    const task = taskOf({
      task_id,
      triggers: named.map(({ text }) => cron(text)),
      reliability: { max_jitter_seconds: jitter, active_window: window },
    })
    const oracle: OracleSchedule = {
      patterns: named,
      heartbeatMinutes: heartbeat,
      jitterSeconds: jitterSeconds(`ada/${task_id}`, jitter),
    }
    return { task, oracle, window, zone, interval: heartbeat === null ? null : `${heartbeat}m` }
  })

test('fires are those of a walk through every minute, forwards and backwards', () => {
  let seen = 0
  fc.assert(
    fc.property(
      planned,
      beginnings,
      fc.nat(5 * dayMs),
      ({ task, oracle, interval }, from, length) => {
        const schedule = scheduleOf(task, interval)
        const expected = oracleFires(oracle, from, from + length)
        const found = schedule ? [...firesBetween(schedule, from, from + length)] : []
        expect(found).toEqual(expected)
        seen += expected.length
        if (!schedule) return
        const backwards = []
        for (let fires = lastFires(schedule, from + length); ;) {
          const [first] = fires
          if (!first || first.firesAt < from) break
          backwards.unshift(...fires)
          fires = lastFires(schedule, first.firesAt)
        }
        expect(backwards).toEqual(expected)
      },
    ),
    { numRuns: 400 },
  )
  expect(seen).toBeGreaterThan(2000)
})

test('a rare pattern fires next when its day comes, after years where need be', () => {
  const schedule = scheduleOf(taskOf({ triggers: [cron('30 6 29 2 *')] }), null)
  if (!schedule) throw new Error('it has a schedule')
  const next = (after: string): string =>
    new Date(nextFires(schedule, Date.parse(after))[0]?.at ?? 0).toISOString()
  expect(next('2026-03-01T00:00:00Z')).toBe('2028-02-29T06:30:00.000Z')
  expect(next('2096-02-29T06:30:00Z')).toBe('2104-02-29T06:30:00.000Z')
  const [last] = lastFires(schedule, Date.parse('2104-02-29T06:30:00Z'))
  expect(new Date(last?.at ?? 0).toISOString()).toBe('2096-02-29T06:30:00.000Z')
})

test('a window is what the clocks on the wall say, through every change of them', () => {
  let inside = 0
  fc.assert(
    fc.property(windows, zones, beginnings, (window, zone, from) => {
      for (let at = from; at < from + 2 * dayMs; at += 17 * 60_000 + 13_000) {
        const expected = oracleInside(window, zone, at)
        if (expected) inside += 1
        expect(isInside(window, at, zone), `${new Date(at).toISOString()} in ${zone}`).toBe(
          expected,
        )
      }
    }),
    { numRuns: 300 },
  )
  expect(inside).toBeGreaterThan(1000)
})

test.for([
  ['the hour that is left out in spring', '02:00', '03:00', [], '2026-03-29T01:30:00Z', false],
  ['the hour after it', '03:00', '04:00', [], '2026-03-29T01:00:00Z', true],
  [
    'the hour that comes twice in autumn, first',
    '02:00',
    '03:00',
    [],
    '2026-10-25T00:30:00Z',
    true,
  ],
  ['the same hour again', '02:00', '03:00', [], '2026-10-25T01:30:00Z', true],
  ['its start', '09:00', '18:00', [], '2026-01-05T08:00:00Z', true],
  ['its end', '09:00', '18:00', [], '2026-01-05T17:00:00Z', false],
  ['the second before its end', '09:00', '18:00', [], '2026-01-05T16:59:59Z', true],
  ['the night of Friday, on Saturday', '22:00', '06:00', [5], '2026-01-10T01:00:00Z', true],
  ['the night of Thursday, on Friday', '22:00', '06:00', [5], '2026-01-09T01:00:00Z', false],
  ['the whole Friday', '09:00', '09:00', [5], '2026-01-08T23:30:00Z', true],
  ['the whole Friday, over', '09:00', '09:00', [5], '2026-01-09T23:00:00Z', false],
] as const)('%s: %s to %s on %j at %s is inside: %j', ([, start, end, days, at, expected]) => {
  const window = { start, end, days: [...days] }
  expect(isInside(window, Date.parse(at), 'Europe/Berlin')).toBe(expected)
})

test('a window in a zone that the machine does not know any more is one in UTC', () => {
  const window = { start: '09:00', end: '10:00', days: [] }
  const isOpenAt = (time: string): boolean => isInside(window, at(time), 'Mars/Olympus')
  expect(['08:59', '09:00', '09:59', '10:00'].map(isOpenAt)).toEqual([false, true, true, false])
})

test('jitter is the same at every start, spreads tasks over its range, and moves the top of the hour alone', () => {
  const all = Array.from({ length: 4000 }, (_, i) => jitterSeconds(`ada/t${i}`, 599))
  expect(all).toEqual(Array.from({ length: 4000 }, (_, i) => jitterSeconds(`ada/t${i}`, 599)))
  expect(Math.min(...all)).toBe(0)
  expect(Math.max(...all)).toBe(599)
  const byMinute = Map.groupBy(all, (seconds) => Math.floor(seconds / 60))
  for (const [, some] of byMinute) expect(some.length).toBeGreaterThan(300)
  // A changed hash would move every task of every installation.
  expect(jitterSeconds('ada/digest', 3599)).toBe(jitterSeconds('ada/digest', 99_999))
  expect(['ada/digest', 'ada/heartbeat'].map((key) => jitterSeconds(key, 3599))).toEqual([546, 931])
  expect(jitterSeconds('ada/digest', 0)).toBe(0)
})

test('a fire comes to what its hour says, and one is skipped where that was asked for', () => {
  let skipped = 0
  let tooSoon = 0
  fc.assert(
    fc.property(
      planned,
      beginnings,
      fc.option(fc.nat(2 * dayMs), { nil: null }),
      ({ task, oracle, window, zone, interval }, from, offset) => {
        const skip = offset === null ? null : from + offset
        const schedule = scheduleOf(task, interval)
        if (!schedule) return
        const judged = {
          ...task,
          skip_next_run_at: skip === null ? null : new Date(skip).toISOString(),
        }
        let last: number | null = null
        for (const fire of firesBetween(schedule, from, from + 2 * dayMs)) {
          const expected = oracleReason(fire, oracle, { window, zone, skip }, last)
          if (expected === 'skip_next') skipped += 1
          if (expected === 'within_hour') tooSoon += 1
          expect(reasonOf(judged, schedule, fire, zone, last ?? Number.NaN) ?? null).toBe(expected)
          if (expected === null) last = fire.at
        }
      },
    ),
    { numRuns: 300 },
  )
  expect(skipped).toBeGreaterThan(50)
  expect(tooSoon).toBeGreaterThan(50)
})

test('at any look, each fire since the last look is decided on or missed, once', () => {
  const gaps = fc.array(
    fc.oneof(
      { weight: 1, arbitrary: fc.integer({ min: 500, max: 3000 }) },
      { weight: 6, arbitrary: fc.nat(15 * 60_000) },
      { weight: 1, arbitrary: fc.nat(9 * hourMs) },
    ),
    { minLength: 10, maxLength: 60 },
  )
  let came = 0
  let missed = 0
  fc.assert(
    fc.property(planned, beginnings, gaps, ({ task, oracle, interval }, from, waits) => {
      const schedule = scheduleOf(task, interval)
      if (!schedule) return
      let now = from
      let due = dueAt(task, interval, now)
      let before = now + 1
      for (const wait of waits) {
        now += wait
        const fires = oracleFires(oracle, before, now + 1)
        expect(due !== null && Date.parse(due) <= now).toBe(fires.length > 0)
        if (fires.length === 0) continue
        const found = caughtUp(schedule, Date.parse(due ?? ''), now)
        const current = oracleCurrent(fires, now)
        const others = fires.filter((fire) => !current.some(({ at }) => at === fire.at))
        expect(found.current).toEqual(current)
        expect(found.missed?.count ?? 0).toBe(others.length)
        if (found.missed) {
          expect(found.missed.from).toBe(Math.min(...others.map(({ at }) => at)))
          expect(found.missed.to).toBe(Math.max(...others.map(({ at }) => at)))
        }
        came += current.length
        missed += others.length
        due = dueAt(task, interval, now)
        before = now + 1
      }
    }),
    { numRuns: 300 },
  )
  expect(Math.min(came, missed)).toBeGreaterThan(300)
})

test('fires within half a minute all come, and of older ones the latest alone', () => {
  const triggers = [cron('0 * * * *'), cron('5 * * * *')]
  const schedule = scheduleOf(taskOf({ triggers }), null)
  if (!schedule) throw new Error('it has a schedule')
  // Those of the full hour come so many seconds after the other.
  const found = (time: string, seconds = 20): unknown => {
    const moved = { ...schedule, jitterMs: 300_000 + seconds * 1000 }
    const { current, missed } = caughtUp(moved, at('09:05'), at(time))
    return [current.map((fire) => new Date(fire.firesAt).toISOString()), missed?.count ?? 0]
  }
  const [first, second] = [iso('09:05'), iso('09:05:20')]
  expect(found('09:05:29.999')).toEqual([[first, second], 0])
  expect(found('09:05:30')).toEqual([[second], 1])
  expect(found('09:05:50')).toEqual([[second], 1])
  expect(found('09:15:19.999')).toEqual([[second], 1])
  expect(found('09:15:20')).toEqual([[], 2])
  expect(found('09:05:40', 40)).toEqual([[iso('09:05:40')], 1])
})

test('a pattern is read by the clocks of the zone of its trigger, next to one in UTC', () => {
  const berlin = { type: 'cron', config: { cron: '30 2 * * *', timezone: 'Europe/Berlin' } }
  const schedule = scheduleOf(taskOf({ triggers: [berlin, cron('0 12 * * *')] }), null)
  if (!schedule) throw new Error('it has a schedule')
  const span = [Date.parse('2026-03-28T20:00:00Z'), Date.parse('2026-03-30T20:00:00Z')] as const
  expect([...firesBetween(schedule, ...span)]).toMatchObject([
    { at: Date.parse('2026-03-29T01:00:00Z'), zone: 'Europe/Berlin' },
    { at: Date.parse('2026-03-29T12:00:00Z') },
    { at: Date.parse('2026-03-30T00:30:00Z'), zone: 'Europe/Berlin' },
    { at: Date.parse('2026-03-30T12:00:00Z') },
  ])
})

test.each([
  [
    'an hour that comes twice, an hour later',
    'Europe/Berlin',
    '2026-10-24T23:00:00Z',
    [60, 60, 60],
  ],
  ['half an hour that comes twice', 'Australia/Lord_Howe', '2026-04-04T14:00:00Z', [30, 60, 60]],
  ['clocks that are put forward', 'Europe/Berlin', '2026-03-29T00:00:00Z', [60, 60, 60]],
] as const)('one pattern fires by %s, and at most once an hour', (_, timezone, from, apart) => {
  const triggers = [{ type: 'cron', config: { cron: '45 * * * *', timezone } }]
  const task = taskOf({ triggers })
  const schedule = scheduleOf(task, null)
  if (!schedule) throw new Error('it has a schedule')
  const next = upcoming(task, schedule, { timezone: null }, Date.parse(from), 4)
  const times = next.map((fire) => Date.parse(fire.at))
  expect(times.slice(1).map((time, i) => (time - (times[i] ?? 0)) / 60_000)).toEqual(apart)
  const reasons = apart.map((minutes) => (minutes < 60 ? 'within_hour' : null))
  expect(next.map(({ reason }) => reason)).toEqual([null, ...reasons])
  expect(tooNear(schedule, Date.parse(from), 50), 'of one pattern nothing is told').toBeUndefined()
})

test.each([
  ['half an hour apart', ['0 9 * * *', '30 9 * * *'], ['09:00', '09:30']],
  ['an hour apart', ['0 9 * * *', '0 10 * * *'], undefined],
  ['a minute less', ['1 9 * * *', '0 10 * * *'], ['09:01', '10:00']],
  ['at one minute', ['0 9 * * *', '0 9 * * 1', '0 9 2 * *'], undefined],
  ['beyond the fires that are looked at', ['0 * * * *', '30 9 5 * *'], undefined],
  ['by its heartbeat', ['30 10 * * *'], ['10:00', '10:30']],
  ['by its heartbeat alone', [], undefined],
] as const)('triggers are told to be too near: %s', (how, patterns, near) => {
  const triggers = patterns.map((pattern) => cron(pattern))
  const heartbeat = how.includes('heartbeat') ? '2h' : null
  const task = taskOf({ task_id: 'heartbeat', triggers })
  const schedule = scheduleOf(task, heartbeat)
  if (!schedule) throw new Error('it has a schedule')
  expect(tooNear(schedule, at('08:30'), 50)).toEqual(near?.map((time) => at(time)))
})

test('a schedule that has been changed since was due for nothing', () => {
  const schedule = scheduleOf(taskOf({ triggers: [cron('30 * * * *')] }), null)
  if (!schedule) throw new Error('it has a schedule')
  for (const time of ['09:00', '09:10:00', '09:29:59']) {
    expect(caughtUp(schedule, at('09:00'), at(time))).toEqual({ current: [], missed: undefined })
  }
})

const hourly = { triggers: [cron('0 * * * *')] }

test('a task that was just made is due at its next fire, and one without a schedule never', () => {
  expect(taskOf(hourly, at('08:59:59.999')).due_at).toBe(iso('09:00'))
  expect(taskOf(hourly, at('09:00')).due_at).toBe(iso('10:00'))
  expect(taskOf({ ...hourly, enabled: false }, at('09:00')).due_at).toBe(iso('10:00'))
  expect(taskOf({}, at('09:00')).due_at).toBeNull()
  expect(taskOf({ triggers: [{ ...cron('0 * * * *'), enabled: false }] }).due_at).toBeNull()
  const two = { triggers: [cron('30 * * * *'), cron('10 9 * * *')] }
  expect(taskOf(two, at('09:00')).due_at).toBe(iso('09:10'))
})

test('an edit loses no pending fire, unless it changes the schedule', () => {
  const made = { ...taskOf(hourly, at('08:30')), due_at: iso('09:00') }
  const edited = { ...made, prompt: 'x' }
  expect(dueAt(edited, null, at('09:00:05'), made)).toBe(iso('09:00'))
  expect(dueAt(edited, null, at('09:00'), made)).toBe(iso('09:00'))
  expect(dueAt(edited, null, at('08:59'), made)).toBe(iso('09:00'))
  const moved = { ...made, triggers: taskOf({ triggers: [cron('30 * * * *')] }).triggers }
  expect(dueAt(moved, null, at('09:00:05'), made)).toBe(iso('09:30'))
  const off = { ...made, enabled: false }
  expect(dueAt(off, null, at('09:00:05'), made), 'why it did not come is still to be told').toBe(
    iso('09:00'),
  )
  expect(dueAt(off, null, at('08:59'), made)).toBe(iso('09:00'))
  expect(dueAt(made, null, at('09:30'), { due_at: null })).toBe(iso('10:00'))
})

test('until when a task was disabled is noted while a fire of that time is to be told', () => {
  const on = { ...taskOf(hourly, at('08:30')), due_at: iso('09:00') }
  const off = { ...on, enabled: false }
  expect(disabledUntil(on, at('09:00:05'), off)).toBe(iso('09:00:05'))
  expect(disabledUntil(on, at('09:00'), off)).toBe(iso('09:00'))
  expect(disabledUntil(on, at('08:59:59'), off), 'it is still to come').toBeNull()
  expect(disabledUntil({ ...on, due_at: null }, at('09:00:05'), off)).toBeNull()
  expect(disabledUntil(on, at('09:00:05'), on)).toBeNull()
  expect(disabledUntil(off, at('09:00:05'), on)).toBeNull()
  expect(disabledUntil(on, at('09:00:05'), undefined)).toBeNull()
  const again = { ...on, disabled_until: iso('09:00:05') }
  expect(disabledUntil(on, at('09:00:07'), again), 'by any further edit').toBe(iso('09:00:05'))
})

test('the heartbeat fires at multiples of its interval, at least an hour, of the task called so', () => {
  const beat = taskOf({ task_id: 'heartbeat' })
  expect(dueAt(beat, '90m', at('00:30'))).toBe(iso('01:30'))
  expect(dueAt(beat, '10m', at('00:30'))).toBe(iso('01:00'))
  expect(dueAt(beat, '1d', at('00:30'))).toBe('2026-03-03T00:00:00.000Z')
  expect(dueAt(beat, null, at('00:30'))).toBeNull()
  expect(dueAt(taskOf({ task_id: 'other' }), '90m', at('00:30'))).toBeNull()
  const both = taskOf({ task_id: 'heartbeat', triggers: [cron('0 2 * * *'), cron('0 2,4 * * *')] })
  const schedule = scheduleOf(both, '2h')
  const fires = schedule ? [...firesBetween(schedule, at('01:00'), at('05:00'))] : []
  expect(fires.map((fire) => [new Date(fire.at).toISOString(), fire.trigger])).toEqual([
    [iso('02:00'), 'cron'],
    [iso('04:00'), 'cron'],
  ])
})
