import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { Store } from '#src/ports/store.ts'
import { scheduler } from '#src/work/scheduler.ts'
import { fakeClock, type FakeClock } from '#tests/support/fake-clock.ts'
import { stores } from '#tests/support/stores.ts'
import { openWorld, type World } from '#tests/support/world.ts'

const hourMs = 3_600_000
const daysAhead = 40

describe.each(stores())('schedules under a clock that is put back, on $name', (kind) => {
  let store: Store
  let clock: FakeClock
  let world: World

  beforeEach(async () => {
    clock = fakeClock(Date.parse('2026-03-02T08:30:00Z'))
    store = await kind.open()
    world = openWorld(store, { clock })
    const { key } = await world.account()
    const cron = (pattern: string) => [{ type: 'cron', config: { cron: pattern } }]
    const task = { name: 'T', runtime: 'template', prompt: 'x' }
    const tasks = [
      { ...task, task_id: 'hourly', triggers: cron('0 * * * *') },
      { ...task, task_id: 'yearly', triggers: cron('0 0 1 1 *') },
    ]
    await world.ask(
      'characters.create',
      { character: { id: 'ada', name: 'A', heart: { tasks } } },
      key,
    )
  })
  afterEach(() => store.close())

  const due = async (id: string): Promise<string | null | undefined> =>
    (await store.tasks.get(`ada/${id}`))?.due_at
  const fired = (): Promise<number> => store.runs.count({ char_id: 'ada' })

  it.each(['goes on', 'is restarted'])('fire as before where the process %s', async (how) => {
    let looking = scheduler(world.ports)
    await looking.tick(clock.now())
    const begun = clock.now().getTime()
    clock.set(begun + daysAhead * 24 * hourMs)
    await looking.tick(clock.now())
    expect(await due('hourly')).toBe('2026-04-11T09:00:00.000Z')
    const before = await fired()
    clock.set(begun + 5000)
    if (how === 'is restarted') looking = scheduler(world.ports)
    await looking.tick(clock.now())
    expect(await due('hourly')).toBe('2026-03-02T09:00:00.000Z')
    expect(await due('yearly')).toBe('2027-01-01T00:00:00.000Z')
    await clock.advance(hourMs)
    await looking.tick(clock.now())
    expect(await due('hourly')).toBe('2026-03-02T10:00:00.000Z')
    expect(await fired()).toBeGreaterThanOrEqual(before)
  })
})
