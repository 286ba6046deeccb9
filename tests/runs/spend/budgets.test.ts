import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { Budget } from '#src/runs/spend/budget.ts'
import type { Run } from '#src/runs/run.ts'
import { releaseDue } from '#src/runs/waits/release.ts'
import { runner, type Runner } from '#src/work/runner.ts'
import { fakeClock, type FakeClock } from '#tests/support/fake-clock.ts'
import { startModelServer, type ModelServer } from '#tests/support/model-server.ts'
import { modelsOf } from '#tests/support/models.ts'
import { stores, type Place } from '#tests/support/stores.ts'
import { until } from '#tests/support/until.ts'
import { openWorld, type World } from '#tests/support/world.ts'

/** Each call of the model costs ten cents. */
const usage = { input: 10, output: 0 }
const modelPrices = new Map([['openai-compatible/m', { input: 10_000_000_000, output: 0 }]])

describe.each(stores())('budgets for models on $name', (kind) => {
  let place: Place
  let clock: FakeClock
  let server: ModelServer
  /** Of two processes. */
  let both: World[]
  let here: World
  let key: string
  const running: Runner[] = []

  beforeEach(async () => {
    place = await kind.place()
    clock = fakeClock(Date.parse('2026-03-31T12:00:00Z'))
    server = await startModelServer(() => ({ text: ['Done.'], usage }))
    both = await Promise.all([opened(), opened()])
    here = both[0] as World
    key = (await here.account()).key
    const character = { id: 'ada', name: 'Ada' }
    await here.ask('characters.create', { character }, key)
    const task = { task_id: 't', name: 'T', prompt: 'Say {{input}}', allow_overlap: true }
    await here.ask('tasks.create', { char_id: 'ada', task }, key)
  })
  afterEach(async () => {
    await Promise.all(running.splice(0).map((one) => one.stop()))
    server.close()
    for (const { ports } of both) await ports.store.close()
    await place.remove()
  })

  const opened = async (): Promise<World> => {
    const store = await place.open()
    const times = { now: () => Promise.resolve(clock.now()) }
    const timed = { ...store, ...times, leaseTime: times.now }
    const openai = { apiKey: 'key-of-the-operator', baseUrl: server.baseUrl }
    const models = modelsOf({ defaultModel: { provider: 'openai-compatible', model: 'm' }, openai })
    const made = openWorld(timed, { clock, models, modelPrices })
    const one = runner(made.ports, 4)
    made.ports.wake.connect('runs', (count) => one.wake(count))
    running.push(one)
    return made
  }
  const put = (more: object): Promise<Budget> =>
    here.ask('budgets.put', { budget_id: 'all', period: 'day', limit_cents: 20, ...more }, key)
  const run = (world = here): Promise<Run> =>
    world.ask('tasks.run', { char_id: 'ada', task_id: 't', input: 'x' }, key)
  const read = ({ id }: Pick<Run, 'id'>): Promise<Run> => here.ask('runs.get', { run_id: id }, key)
  const settled = async (made: Run): Promise<Run> => {
    await until(async () => {
      const { status, reason } = await read(made)
      return status === 'queued' ? reason === 'budget_exceeded' : status !== 'running'
    })
    return read(made)
  }
  const told = async (): Promise<string[]> => {
    const { items } = await here.ask<{ items: { type: string }[] }>('account.inbox', {}, key)
    return items.map(({ type }) => type).filter((type) => type.startsWith('budget.'))
  }

  it('warn, stop what would ask a model, and let it go on with a higher limit', async () => {
    await put({ warn_at_percent: 50 })
    expect(await settled(await run())).toMatchObject({
      status: 'completed',
      usage: { cost_cents: 10 },
    })
    expect(await told()).toEqual(['budget.warned'])
    await settled(await run())
    expect((await told()).sort()).toEqual(['budget.used_up', 'budget.warned'])
    const held = await settled(await run())
    expect(held).toMatchObject({
      status: 'queued',
      reason: 'budget_exceeded',
      attempt: 0,
      next: { operation: 'budgets.list', input: {} },
    })
    expect(server.asked).toHaveLength(2)
    const listed = await here.ask('budgets.list', {}, key)
    const stands = { state: 'used_up', spent_cents: 20, resets_at: '2026-04-01T00:00:00.000Z' }
    expect(listed).toMatchObject({ items: [{ id: 'all', ...stands }] })
    await releaseDue(here.ports, clock.now())
    expect(await read(held)).toMatchObject({ reason: 'budget_exceeded' })

    expect(await put({ limit_cents: 30 })).toMatchObject({ state: 'open' })
    await releaseDue(here.ports, clock.now())
    expect(await settled(held)).toMatchObject({ status: 'completed' })
    expect(await told()).toHaveLength(3)
  })

  it('hold until the next period, and for the agents that they name', async () => {
    await put({ budget_id: 'none', limit_cents: 0, char_id: 'ada', period: 'month' })
    await put({ budget_id: 'today', limit_cents: 0 })
    const held = await settled(await run())
    expect(held.reason).toBe('budget_exceeded')
    expect(server.asked).toHaveLength(0)
    await clock.advance(12 * 3_600_000)
    // On the first of April a new month has begun as well, and neither leaves room for anything.
    await releaseDue(here.ports, clock.now())
    expect(await settled(held)).toMatchObject({ reason: 'budget_exceeded' })
    await here.ask('budgets.delete', { budget_id: 'none' }, key)
    await put({ budget_id: 'today', limit_cents: 1, char_id: null })
    await releaseDue(here.ports, clock.now())
    expect(await settled(held)).toMatchObject({ status: 'completed' })
    expect((await settled(await run())).reason).toBe('budget_exceeded')
    await clock.advance(24 * 3_600_000)
    expect(await settled(await run())).toMatchObject({ status: 'completed' })
  })

  it('end a run that is under way, with what it spent', async () => {
    await put({ limit_cents: 5 })
    server.plays({ calls: [{ name: 'teleport', arguments: {} }], usage })
    const failed = await settled(await run())
    expect(failed).toMatchObject({ status: 'failed', error: { code: 'budget_exceeded' } })
    expect(failed.usage).toMatchObject({ cost_cents: 10 })
    expect(failed.error?.message).toContain('"all" of 0.05 USD a day')
    expect(server.asked).toHaveLength(1)
  })

  it('are crossed by two processes at once by no more than the calls under way', async () => {
    await put({ limit_cents: 35 })
    const made = await Promise.all(Array.from({ length: 16 }, (_, nth) => run(both[nth % 2])))
    for (const one of running) one.wake(16)
    const ends = await Promise.all(made.map(settled))
    const done = ends.filter(({ status }) => status === 'completed').length
    expect(ends.filter(({ reason }) => reason === 'budget_exceeded')).toHaveLength(16 - done)
    expect(server.asked).toHaveLength(done)
    // Four calls use it up; eight are under way at most, in two processes with four places each.
    expect(done).toBeGreaterThanOrEqual(4)
    expect(done).toBeLessThanOrEqual(11)
    const { items } = await here.ask<{ items: Budget[] }>('budgets.list', {}, key)
    expect(items).toMatchObject([{ spent_cents: done * 10, state: 'used_up' }])
    expect((await told()).filter((type) => type === 'budget.used_up')).toHaveLength(1)
    expect((await settled(await run(both[1]))).reason).toBe('budget_exceeded')
  })
})
