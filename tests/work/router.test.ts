import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { Run } from '#src/runs/run.ts'
import { runner, type Runner } from '#src/work/runner.ts'
import type { Store } from '#src/ports/store.ts'
import { modelsOf } from '#tests/support/models.ts'
import { startModelServer, type ModelServer } from '#tests/support/model-server.ts'
import { oneStore } from '#tests/support/stores.ts'
import { openWorld, type World, type WorldOptions } from '#tests/support/world.ts'
import { until } from '#tests/support/until.ts'

describe.each(oneStore())('a router on $name', (kind) => {
  let store: Store
  let key: string
  let made: World
  let server: ModelServer
  const running: Runner[] = []

  beforeEach(async () => {
    store = await kind.open()
    server = await startModelServer()
  })
  afterEach(async () => {
    await Promise.all(running.splice(0).map((one) => one.stop()))
    server.close()
    await store.close()
  })

  const open = async (options: WorldOptions = {}): Promise<void> => {
    made = openWorld(store, options)
    key = (await made.account()).key
    await made.ask('characters.create', { character: { id: 'ada', name: 'Ada' } }, key)
    const one = runner(made.ports, 4)
    made.ports.wake.connect('runs', (count) => one.wake(count))
    running.push(one)
  }
  const task = (task_id: string, rest: object = {}): Promise<unknown> => {
    const prompt = `${task_id}: {{input}}`
    const whole = { task_id, name: task_id, runtime: 'template', prompt, ...rest }
    return made.ask('tasks.create', { char_id: 'ada', task: whole }, key)
  }
  const desk = async (rest: object = {}): Promise<void> => {
    await task('front', { runtime: 'router', order: 0, name: 'Front desk for invoices', ...rest })
    await task('bills', { order: 1, name: 'Invoices', description: 'Questions about money' })
    await task('parcels', { order: 2, name: 'Parcels', tags: ['delivery', 'tracking'] })
    await task('off', { order: 3, name: 'Zebra', enabled: false })
    await task('hand', { order: 4, name: 'Walrus', autonomy: 'manual' })
  }
  const route = async (input: unknown): Promise<Run> => {
    const run = await made.ask<Run>('tasks.run', { char_id: 'ada', task_id: 'front', input }, key)
    const read = (): Promise<Run> => made.ask('runs.get', { run_id: run.id }, key)
    await until(async () => (await read()).finished_at !== null)
    return read()
  }
  const eventsOf = async (run: Run): Promise<{ type: string; data: object }[]> =>
    (
      await made.ask<{ items: { type: string; data: object }[] }>(
        'runs.events',
        { run_id: run.id },
        key,
      )
    ).items

  it('starts the task whose texts fit best, and ends with its output', async () => {
    await open()
    await desk()
    const first = await route('Where is the delivery of my parcel?')
    expect(first).toMatchObject({
      status: 'completed',
      output: 'parcels: Where is the delivery of my parcel?',
    })
    const second = await route({ about: 'an invoice' })
    expect(second).toMatchObject({ output: 'bills: {"about":"an invoice"}' })
    const { items } = await made.ask<{ items: Run[] }>('runs.list', { root_run_id: first.id }, key)
    expect(items).toHaveLength(2)
    expect(items[0]).toMatchObject({
      task_id: 'parcels',
      parent_run_id: first.id,
      depth: 1,
      trigger: { type: 'router', caller: { char_id: 'ada', task_id: 'front', run_id: first.id } },
    })
    const picked = { type: 'router.picked', data: { task_id: 'parcels', by: 'text' } }
    expect(await eventsOf(first)).toContainEqual(expect.objectContaining({ type: picked.type }))
    expect((await eventsOf(first)).find(({ type }) => type === picked.type)?.data).toMatchObject(
      picked.data,
    )
  })

  it.each(['zebra', 'walrus', 'front desk', 'the and of', '', null, '…'])(
    'finds no route for %j',
    async (input) => {
      await open()
      await desk()
      const failed = await route(input)
      expect(failed).toMatchObject({ status: 'failed', error: { code: 'no_route' } })
    },
  )

  it('fails with the task that it picked', async () => {
    await open()
    await desk()
    const change = { char_id: 'ada', task_id: 'bills', task: { prompt: '{{missing}}' } }
    await made.ask('tasks.update', change, key)
    const failed = await route('an invoice')
    expect(failed).toMatchObject({ status: 'failed', error: { code: 'step_failed' } })
    expect(failed.error?.message).toContain('variable_missing')
  })

  it('ends a circle of routers where the chain is eight runs deep', async () => {
    await open()
    await task('front', { runtime: 'router', name: 'invoice' })
    await task('back', { runtime: 'router', name: 'invoice' })
    expect(await route('invoice')).toMatchObject({ error: { code: 'step_failed' } })
    expect(await store.runs.count({ status: 'failed' })).toBe(9)
    expect(await store.runs.count({ 'error.code': 'chain_too_deep' })).toBe(1)
  })

  const withModel = (): WorldOptions => ({
    models: modelsOf({ openai: { apiKey: 'key-of-the-operator', baseUrl: server.baseUrl } }),
  })

  it('lets router_model pick, from the tasks that there are', async () => {
    await open(withModel())
    await desk({ router_model: 'openai/small' })
    server.plays({ calls: [{ name: 'route', arguments: { task_id: 'parcels' } }] })
    const run = await route('Ignore this and invoice me')
    expect(run).toMatchObject({
      status: 'completed',
      output: 'parcels: Ignore this and invoice me',
      usage: { input_tokens: 10, output_tokens: 5 },
    })
    expect((await eventsOf(run)).map(({ type, data }) => ({ type, data }))).toContainEqual({
      type: 'router.picked',
      data: { task_id: 'parcels', by: 'model' },
    })
    const asked = JSON.stringify(server.asked[0]?.body)
    expect(asked).toContain('"model":"small"')
    expect(asked).toContain('"enum":["bills","parcels"]')
    expect(asked).not.toContain('walrus')
  })

  it.each([
    ['an answer in words', { text: ['Well, ', 'hard to say'] }, 'model_answered_nonsense'],
    [
      'a task that there is not',
      { calls: [{ name: 'route', arguments: { task_id: 'hand' } }] },
      'model_answered_nonsense',
    ],
    ['an error', { status: 401, message: 'no' }, 'model_unauthorized'],
    ['a broken stream', { raw: 'data: {"cho' }, 'model_unavailable'],
  ])('goes by the texts after %s', async (_, turn, reason) => {
    await open(withModel())
    await desk({ router_model: 'openai/small' })
    server.plays(turn, turn, turn)
    const run = await route('an invoice')
    expect(run).toMatchObject({ status: 'completed', output: 'bills: an invoice' })
    const fallen = (await eventsOf(run)).find(({ type }) => type === 'router.fell_back')
    expect(fallen?.data).toEqual({ reason })
  })

  it('takes an answer that is the task_id alone', async () => {
    await open(withModel())
    await desk({ router_model: 'openai/small' })
    server.plays({ text: ['`par', 'cels`'] })
    expect(await route('an invoice')).toMatchObject({ output: 'parcels: an invoice' })
  })

  it('goes by the texts where the provider is not configured', async () => {
    await open()
    await desk({ router_model: 'openai/small' })
    const run = await route('an invoice')
    expect(run).toMatchObject({ output: 'bills: an invoice' })
    const fallen = (await eventsOf(run)).find(({ type }) => type === 'router.fell_back')
    expect(fallen?.data).toEqual({ reason: 'model_not_configured' })
  })
})
