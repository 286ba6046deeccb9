import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { sealCursor } from '#src/core/page.ts'
import type { Store } from '#src/ports/store.ts'
import type { CalendarEntry } from '#src/runs/calendar/entry.ts'
import { scheduler } from '#src/work/scheduler.ts'
import { fakeClock, type FakeClock } from '#tests/support/fake-clock.ts'
import { stores } from '#tests/support/stores.ts'
import { openWorld, type World } from '#tests/support/world.ts'

const start = '2026-03-02T08:30:00Z'
const cron = (pattern: string, more: object = {}): object => ({
  type: 'cron',
  config: { cron: pattern, ...more },
})

/** Schedules of every kind: several triggers, jitter, a zone, a window, a heartbeat, and tasks that stand still. */
const tasks = [
  { task_id: 'near', triggers: [cron('0 * * * *'), cron('30 9 * * *'), cron('15 10 * * *')] },
  { task_id: 'late', triggers: [cron('0 * * * *')], reliability: { max_jitter_seconds: 3599 } },
  { task_id: 'zoned', triggers: [cron('30 2 * * *', { timezone: 'Europe/Berlin' })] },
  {
    task_id: 'window',
    triggers: [cron('5 * * * *')],
    reliability: { active_window: { start: '10:00', end: '12:00' } },
  },
  { task_id: 'heartbeat', name: 'heartbeat' },
  { task_id: 'off', triggers: [cron('0 12 * * *')], enabled: false },
  { task_id: 'manual', triggers: [cron('0 13 * * *')], autonomy: 'manual' },
  { task_id: 'none', triggers: [{ type: 'message' }] },
].map((task) => ({ name: task.task_id, runtime: 'template', ...task }))

interface Page {
  items: CalendarEntry[]
  next_cursor: string | null
}

describe.each(stores())('the calendar on $name', (kind) => {
  let store: Store
  let clock: FakeClock
  let made: World
  let key: string
  let accountId: string

  beforeAll(async () => {
    const opened = await kind.open()
    clock = fakeClock(Date.parse(start))
    store = {
      ...opened,
      now: () => Promise.resolve(clock.now()),
      leaseTime: () => Promise.resolve(clock.now()),
    }
    made = openWorld(store, { clock })
    const account = await made.account()
    key = account.key
    accountId = account.id
    const heart = { heartbeat_interval: '3h', timezone: 'Asia/Kathmandu', tasks }
    for (const id of ['ada', 'grace']) {
      await made.ask('characters.create', { character: { id, name: id, heart } }, key)
    }
    await clock.advance(Date.parse('2026-03-02T13:05:00Z') - clock.now().getTime())
    const one = scheduler(made.ports)
    while ((await one.tick(clock.now())) > 0);
  })
  afterAll(() => store.close())

  const read = (input: object): Promise<Page> =>
    made.ask<Page>('schedules.calendar', { from: '2026-03-02T00:00:00Z', ...input }, key)

  async function inPages(input: object): Promise<CalendarEntry[]> {
    const all: CalendarEntry[] = []
    for (let cursor: string | undefined; ;) {
      const page = await read({ ...input, ...(cursor !== undefined && { cursor }) })
      all.push(...page.items)
      if (page.next_cursor === null) return all
      cursor = page.next_cursor
    }
  }

  it.each([{}, { char_id: 'ada' }])(
    'shows the same in small pages as in a large one: %o',
    async (narrow) => {
      const span = { ...narrow, to: '2026-03-04T00:00:00Z' }
      const { items, next_cursor } = await read({ ...span, limit: 500 })
      expect(next_cursor).toBeNull()
      expect(items.length).toBeGreaterThan(50)
      expect(items.map(({ fires_at }) => fires_at)).toEqual(
        items.map(({ fires_at }) => fires_at).sort(),
      )
      expect(await inPages({ ...span, limit: 17 })).toEqual(items)
    },
  )

  it('says of each fire what its task says, past and to come', async () => {
    const { items } = await read({ to: '2026-03-04T00:00:00Z', char_id: 'ada', limit: 500 })
    for (const { task_id } of tasks) {
      const of = { char_id: 'ada', task_id }
      const outlook = await made.ask<{ next: object[]; last: object[] }>('tasks.schedule', of, key)
      const own = items.filter((one) => one.task_id === task_id)
      const isStill = task_id === 'off' || task_id === 'manual'
      const past = own.filter(({ status }) => status === 'fired' || status === 'skipped')
      const { run_id: _run, ...slot } = { run_id: 0, ...outlook.last.at(-1) }
      if (outlook.last.length > 0) expect(past[0]).toMatchObject(slot)
      expect(past).toHaveLength(outlook.last.length)
      const coming = own.filter((one) => !past.includes(one)).slice(0, 10)
      const said = outlook.next.slice(0, isStill ? 1 : coming.length)
      expect(coming.map(({ at, fires_at, reason }) => ({ at, fires_at, reason }))).toMatchObject(
        said.map((fire) => {
          const { at, fires_at, reason } = fire as CalendarEntry
          return { at, fires_at, reason }
        }),
      )
    }
    expect(items).toContainEqual(
      expect.objectContaining({ status: 'fired', run: expect.objectContaining({ error: null }) }),
    )
    expect(items).toContainEqual(
      expect.objectContaining({ task_id: 'off', status: 'not_coming', count: 1, to: null }),
    )
  })

  it('refuses a cursor whose place is no time', async () => {
    const [from, to] = ['2026-03-02T00:00:00Z', '2026-03-03T00:00:00Z']
    const list = `calendar ${accountId} ${Date.parse(from)} ${Date.parse(to)} `
    const cursor = sealCursor({ list, by: 'fires_at', direction: 1 }, ['later', 'x'])
    const refused = await made.refusal('schedules.calendar', { from, to, cursor }, key)
    expect(refused.code).toBe('cursor_invalid')
  })
})
