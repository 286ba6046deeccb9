import { describe, expect, test } from 'vitest'
import type { CalendarEntry } from '#src/runs/calendar/entry.ts'
import type { Showing } from '#src/views/view.ts'
import { views } from '#src/views/views.ts'
import { entry, hour, ofWeek } from '#tests/support/apps/calendar.ts'
import { seen } from '#tests/support/apps/samples.ts'

const at: Showing = { now: seen, zone: 'UTC', input: ofWeek, link: (path) => path }

function shown(items: readonly CalendarEntry[], more: Partial<Showing> = {}, cursor?: string) {
  const answer = { items, next_cursor: cursor ?? null }
  return views.week.show(answer, { ...at, ...more }).text
}

/** What can be read of a markup. */
const textOf = (markup: string): string =>
  markup.replaceAll(/<[^>]*>/g, ' ').replaceAll(/\s+/g, ' ')
const daysIn = (markup: string): string[] =>
  [...markup.matchAll(/<h2>([^<]*)/g)].map(([, day = '']) => day)
/** The calls that it offers. */
const callsIn = (markup: string): { operation: string; input: object }[] =>
  [...markup.matchAll(/name="operation" value="([^"]+)"[^]*?name="input" value="([^"]*)"/g)].map(
    ([, operation = '', input = '']) => ({
      operation,
      input: JSON.parse(input.replaceAll('&quot;', '"')) as object,
    }),
  )

describe('the calendar of schedules', () => {
  test('has the days that were asked for, by the clocks of its reader', () => {
    expect(daysIn(shown([]))).toEqual([
      'Sun 1 Mar',
      'Mon 2 Mar',
      'Tue 3 Mar',
      'Wed 4 Mar',
      'Thu 5 Mar',
      'Fri 6 Mar',
      'Sat 7 Mar',
    ])
    // A few hours at the end of it are no day of their own, unless something is in them.
    const east = { zone: 'Asia/Tokyo' }
    expect(daysIn(shown([], east))).toHaveLength(7)
    expect(daysIn(shown([entry(167)], east)).at(-1)).toBe('Sun 8 Mar')
    const west = { zone: 'America/New_York' }
    expect(daysIn(shown([], west))[0]).toBe('Sun 1 Mar')
    expect(daysIn(shown([entry(1)], west))[0]).toBe('Sat 28 Feb')
    // The night in which clocks are put forward has an hour less.
    const spring = { from: '2026-03-27T23:00:00Z', to: '2026-04-03T22:00:00Z' }
    expect(daysIn(shown([], { zone: 'Europe/Berlin', input: spring }))).toHaveLength(7)
  })

  test('shows what is alike on a day as one line, and counts all of it', () => {
    const run = { id: 'run_1', status: 'failed', reason: null, error: null } as const
    const text = shown([
      ...Array.from({ length: 24 }, (_, i) => entry(24 + i)),
      entry(50, { status: 'fired', run }),
      entry(51, { status: 'not_coming', count: 90, to: hour(150) }),
    ])
    expect(text.match(/<li class="fire/g)).toHaveLength(3)
    expect(textOf(text)).toContain('24 to come; 1 started, of which 1 failed; 90 left out.')
    expect(textOf(text)).toContain('×24')
    expect(textOf(text)).toContain('To come. 24 fires until 23:00.')
    expect(textOf(text)).toContain('Does not come. 90 fires until Sat 7 Mar, 06:00.')
    expect(textOf(text)).toContain('Failed.')
  })

  test('opens the schedule of a task, other days and what comes after a page', () => {
    const calls = callsIn(shown([entry(24)], {}, 'next'))
    const input = { char_id: 'newsroom--researcher', task_id: 'research' }
    expect(calls).toContainEqual({ operation: 'tasks.schedule', input })
    const calendars = calls.filter(({ operation }) => operation === 'schedules.calendar')
    expect(calendars.map((call) => call.input)).toEqual([
      { from: '2026-02-22T00:00:00.000Z', to: hour(0) },
      { from: hour(168), to: hour(336) },
      { ...ofWeek, cursor: 'next' },
    ])
    const of = { app_id: 'newsroom', limit: 500 }
    const [before] = callsIn(shown([], { input: { ...ofWeek, ...of, cursor: 'x' } }))
    expect(before?.input).toMatchObject(of)
    expect(before?.input).not.toHaveProperty('cursor')
  })

  test('comes back to today from other days', () => {
    const input = { from: hour(336), to: hour(504) }
    const [, today] = callsIn(shown([], { input }))
    expect(today?.input).toEqual({ from: '2026-02-28T00:00:00.000Z', to: hour(144) })
  })

  test('has links in place of calls where pages show the answers', () => {
    const page: Showing['page'] = ({ operation, input }) =>
      operation === 'runs.get'
        ? `/runs/${String(input['run_id'])}`
        : `/schedule?${String(input['from'])}`
    const run = { id: 'run_1', status: 'completed', reason: null, error: null } as const
    const text = shown([entry(24, { status: 'fired', run })], { page }, 'next')
    expect(callsIn(text)).toEqual([])
    expect(text).toContain('href="/runs/run_1"')
    expect(text).toContain(`href="/schedule?${hour(168)}"`)
  })

  test('offers nothing where nothing can be called', () => {
    const text = shown([entry(24)], { isStill: true }, 'next')
    expect(text).not.toMatch(/<(form|button|a) /)
    expect(textOf(text)).toContain('00:00')
    expect(textOf(text)).toContain('Research')
  })

  test('bounds what a day shows of very much, and what it takes from a hostile input', () => {
    const items = Array.from({ length: 5000 }, (_, i) => entry(24, { task_id: `t${i}` }))
    const text = shown(items)
    expect(text.match(/<li class="fire/g)).toHaveLength(60)
    expect(textOf(text)).toContain('440 more fires are not shown here.')
    expect(text.length).toBeLessThan(60_000)
    for (const input of [
      {},
      { from: 'x' },
      { from: 7, to: {} },
      { from: hour(0), to: hour(1e6) },
    ]) {
      expect(daysIn(shown([entry(24)], { input })).length).toBeLessThanOrEqual(9)
    }
    expect(() => shown([entry(24, { fires_at: 'x' })])).toThrow(RangeError)
  })
})
