import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { Store } from '#src/ports/store.ts'
import type { Run } from '#src/runs/run.ts'
import { runner, type Runner } from '#src/work/runner.ts'
import { fakeClock, type FakeClock } from '#tests/support/fake-clock.ts'
import {
  startModelServer,
  type ModelServer,
  type ScriptedCall,
} from '#tests/support/model-server.ts'
import { modelsOf } from '#tests/support/models.ts'
import { oneStore } from '#tests/support/stores.ts'
import { until } from '#tests/support/until.ts'
import { openWorld, type World } from '#tests/support/world.ts'

describe.each(oneStore())('a tool that is a task of an agent, on $name', (kind) => {
  let store: Store
  let clock: FakeClock
  let model: ModelServer
  let world: World
  let key: string
  const running: Runner[] = []

  beforeEach(async () => {
    const opened = await kind.open()
    clock = fakeClock()
    // The store's clock is the test's.
    const now = (): Promise<Date> => Promise.resolve(clock.now())
    store = { ...opened, now, leaseTime: now }
    model = await startModelServer()
    const models = modelsOf({
      defaultModel: { provider: 'openai', model: 'm' },
      openai: { apiKey: 'sk-1', baseUrl: model.baseUrl },
    })
    world = openWorld(store, { clock, models })
    key = (await world.account()).key
    for (const id of ['ada', 'grace']) {
      await world.ask('characters.create', { character: { id, name: id } }, key)
    }
    const log = { task_id: 'log', name: 'Log', runtime: 'template', prompt: 'Logged {{input}}' }
    await world.ask('tasks.create', { char_id: 'grace', task: log }, key)
    const tools = [{ name: 'log', type: 'agent', config: { agent_id: 'grace', task_id: 'log' } }]
    const brain = { skills: ['messaging'] }
    await world.ask('characters.update', { char_id: 'ada', character: { brain } }, key)
    const task = { task_id: 't', name: 'T', prompt: 'Do it.', tools }
    await world.ask('tasks.create', { char_id: 'ada', task }, key)
  })
  afterEach(async () => {
    await Promise.all(running.splice(0).map((one) => one.stop()))
    model.close()
    await store.close()
  })

  const read = (run: Run): Promise<Run> => world.ask('runs.get', { run_id: run.id }, key)
  const logs = () => store.runs.find({ char_id: 'grace' })
  const log = (input: unknown) => ({ name: 'log', arguments: { input } })
  const answers = () =>
    (model.asked.at(-1)?.body.messages ?? []).filter(({ role }) => role === 'tool')
  const started = (at: World, its: FakeClock): Runner => {
    const one = runner({ ...at.ports, clock: its }, 4)
    running.push(one)
    return one
  }
  /** A run whose worker is lost after the model was told what these calls have brought. */
  const lostAfter = (...inputs: unknown[]): Promise<Run> => lostAfterCalls(inputs.map(log))
  const lostAfterCalls = async (calls: ScriptedCall[]): Promise<Run> => {
    model.plays({ calls }, { text: ['…'], hangs: true })
    // Another process, whose time stands still: it keeps no claim.
    const lost = started(world, fakeClock())
    world.ports.wake.connect('runs', (count) => lost.wake(count))
    const run = await world.ask<Run>('tasks.run', { char_id: 'ada', task_id: 't' }, key)
    await until(() => model.asked.length === 2)
    await clock.advance(31_000)
    return run
  }
  const goneOn = async (run: Run): Promise<Run> => {
    const worker = started(world, clock)
    world.ports.wake.connect('runs', (count) => worker.wake(count))
    await worker.tick(clock.now())
    await until(async () => (await read(run)).finished_at !== null)
    return read(run)
  }

  it('starts once, although the worker of the run that calls it is lost', async () => {
    const run = await lostAfter('calm')
    expect(await logs()).toHaveLength(1)
    model.plays({ calls: [log('calm')] }, { text: ['Done.'] })
    expect(await goneOn(run)).toMatchObject({ status: 'completed', output: 'Done.', attempt: 2 })
    const [only, ...more] = await logs()
    expect(more).toEqual([])
    expect(String(answers()[0]?.content)).toContain(`"run_id":"${only?.id}"`)
    expect(String(answers()[0]?.content)).toContain('"output":"Logged calm"')
  })

  it('starts as often as it is called, and for another input too', async () => {
    const run = await lostAfter('calm', 'calm')
    expect(await logs()).toHaveLength(2)
    model.plays({ calls: [log('calm'), log('calm'), log('calm'), log('storm')] }, { text: ['x'] })
    await goneOn(run)
    const inputs = (await logs()).map(({ input }) => String(input)).sort()
    expect(inputs).toEqual(['calm', 'calm', 'calm', 'storm'])
    const ids = answers().map(({ content }) => /"run_id":"(\w+)"/.exec(String(content))?.[1])
    expect(new Set(ids).size).toBe(4)
  })

  it('is as a message is, which is sent once for each call', async () => {
    const say = (body: string) => ({ name: 'send_message', arguments: { to: 'grace', body } })
    const run = await lostAfterCalls([say('Hello.'), say('Hello.')])
    const sent = await store.messages.find({})
    expect(sent).toHaveLength(2)
    model.plays({ calls: [say('Hello.'), say('Hello.'), say('Bye.')] }, { text: ['x'] })
    await goneOn(run)
    const all = await store.messages.find({})
    expect(all.map(({ body }) => body).sort()).toEqual(['Bye.', 'Hello.', 'Hello.'])
    const told = answers().map(({ content }) => String(content))
    for (const { id } of all) expect(told.filter((one) => one.includes(id))).toHaveLength(1)
  })

  it('starts again where its run did not do its work, or is gone', async () => {
    const run = await lostAfter('calm', 'storm')
    await store.runs.update({ char_id: 'grace', input: 'calm' }, { $set: { status: 'failed' } })
    await store.runs.delete({ char_id: 'grace', input: 'storm' })
    model.plays({ calls: [log('calm'), log('storm')] }, { text: ['x'] })
    await goneOn(run)
    const found = (await logs()).map(({ input, status }) => `${String(input)} ${status}`)
    expect(found.sort()).toEqual(['calm completed', 'calm failed', 'storm completed'])
  })
})
