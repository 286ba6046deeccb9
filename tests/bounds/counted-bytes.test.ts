import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { Store } from '#src/ports/store.ts'
import { end } from '#src/runs/ending/end-run.ts'
import { scheduler } from '#src/work/scheduler.ts'
import { fakeClock, type FakeClock } from '#tests/support/fake-clock.ts'
import { stores } from '#tests/support/stores.ts'
import { openWorld, type World } from '#tests/support/world.ts'
import { takenBy } from './taken.ts'

const hourMs = 3_600_000
const hourly = { type: 'cron', config: { cron: '0 * * * *' } }

describe.each(stores())('what a task counts on $name', (kind) => {
  let store: Store
  let clock: FakeClock
  let world: World
  let owner: { key: string; id: string }
  const t = { char_id: 'ada', task_id: 't' }

  beforeEach(async () => {
    const opened = await kind.open()
    clock = fakeClock(Date.parse('2026-03-02T08:30:00Z'))
    const now = () => Promise.resolve(clock.now())
    store = { ...opened, now, leaseTime: now }
    world = openWorld(store, { clock })
    owner = await world.account()
  })
  afterEach(() => store.close())

  const ask = (name: string, input: object) => world.ask(name, input, owner.key)
  const make = (task: object) => {
    const heart = { tasks: [{ task_id: 't', name: 'T', ...task }] }
    return ask('characters.create', { character: { id: 'ada', name: 'Ada', heart } })
  }
  /** With the agent goes all that it counted, so that nothing is told by the count but what is still kept. */
  const isGivenBack = async () => {
    await ask('characters.delete', { char_id: 'ada' })
    await world.ports.quotas.settle()
    expect((await store.usage.get(owner.id))?.bytes).toBe(await takenBy(store, owner.id))
  }

  it('is the same however often it is changed', async () => {
    await make({})
    for (let i = 0; i < 12; i += 1) await ask('tasks.update', { ...t, task: { order: i % 2 } })
    await isGivenBack()
  })

  it('is the same however often it comes', async () => {
    const task = { runtime: 'template', prompt: 'Hour', triggers: [hourly] }
    await make({ ...task, reliability: { overlap_policy: 'queue' } })
    const fires = scheduler(world.ports)
    for (const wait of [hourMs / 2, hourMs, hourMs]) {
      await clock.advance(wait + 1000)
      await fires.tick(clock.now())
    }
    expect((await store.tasks.get('ada/t'))?.fire_counts).toMatchObject({ fired: 2, overlap: 1 })
    await isGivenBack()
  })

  it('grows where a failure pauses it', async () => {
    await make({ reliability: { pause_on_failure: true } })
    await ask('tasks.run', t)
    const [run] = await store.runs.find({})
    if (!run) throw new Error('the run is there')
    const error = { code: 'x', message: 'It did not work.' }
    await end(world.ports, run, { status: 'failed', error })
    expect(await store.tasks.get('ada/t')).toMatchObject({ enabled: false })
    await isGivenBack()
  })

  it('is the same however it is paused, resumed, told to skip, and rated', async () => {
    await make({ triggers: [hourly] })
    await ask('tasks.pause', t)
    await ask('tasks.resume', t)
    await ask('tasks.skip_next', t)
    const rated = { rating_sum: 9, rating_summary: { average: 4.5, count: 2 } }
    await store.tasks.update({ id: 'ada/t' }, { $set: rated })
    await ask('tasks.update', { ...t, task: { prompt: 'Longer' } })
    await isGivenBack()
  })
})
