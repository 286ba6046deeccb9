import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { Run } from '#src/runs/run.ts'
import type { Store } from '#src/ports/store.ts'
import { runner, type Runner } from '#src/work/runner.ts'
import { startModelServer, type ModelServer } from '#tests/support/model-server.ts'
import { modelsOf, toolServersOf } from '#tests/support/models.ts'
import { stores } from '#tests/support/stores.ts'
import { startToolServer, type TestToolServer } from '#tests/support/tool-server.ts'
import { until } from '#tests/support/until.ts'
import { openWorld, type World } from '#tests/support/world.ts'

interface Lease {
  run: Run | null
  lease_token: string
  tools: { name: string; required?: boolean }[]
}

describe.each(stores())('a run without a tool that it names, on $name', (kind) => {
  let store: Store
  let model: ModelServer
  let gauges: TestToolServer
  let world: World
  let worker: Runner | undefined
  let key: string

  beforeEach(async () => {
    store = await kind.open()
    model = await startModelServer()
    gauges = await startToolServer(['echo'])
  })
  afterEach(async () => {
    await worker?.stop()
    for (const server of [model, gauges]) server.close()
    await store.close()
  })

  const open = async (tools: object[], options: { hasModel: boolean; brain?: object }) => {
    world = openWorld(store, {
      ...(options.hasModel && {
        models: modelsOf({
          defaultModel: { provider: 'openai', model: 'm' },
          openai: { apiKey: 'sk-1', baseUrl: model.baseUrl },
        }),
      }),
      toolServers: toolServersOf([gauges.origin], 3000),
    })
    worker = runner(world.ports, 8)
    world.ports.wake.connect('runs', (count) => worker?.wake(count))
    key = (await world.account()).key
    const task = { task_id: 't', name: 'T', prompt: 'Do it.', tools }
    const character = {
      id: 'ada',
      name: 'Ada',
      brain: options.brain ?? {},
      heart: { tasks: [task] },
    }
    await world.ask('characters.create', { character }, key)
  }
  const start = () => world.ask<Run>('tasks.run', { char_id: 'ada', task_id: 't' }, key)
  const read = (id: string) => world.ask<Run>('runs.get', { run_id: id }, key)
  const ended = async (): Promise<Run> => {
    const { id } = await start()
    await until(async () => (await read(id)).finished_at !== null)
    return read(id)
  }
  const typesOf = async ({ id }: Run): Promise<string[]> => {
    const page = await world.ask<{ items: { type: string }[] }>('runs.events', { run_id: id }, key)
    return page.items.map(({ type }) => type)
  }
  const away = { name: 'away', type: 'mcp', config: { url: 'http://127.0.0.2:9/mcp' } }

  it.each([
    ['a server that is away', away],
    ['a bundle that no one knows', { name: 'crystal_ball', type: 'builtin' }],
    ['a type that no one knows', { name: 'ball', type: 'crystal' }],
    ['an incomplete one', { name: 'lost', type: 'http' }],
  ])('fails before the model is asked, where it requires %s', async (_, tool) => {
    await open([{ ...tool, required: true }], { hasModel: true })
    const run = await ended()
    expect(run).toMatchObject({ status: 'failed', error: { code: 'tool_unavailable' } })
    expect(run.error?.message).toContain(tool.name)
    expect(run).not.toHaveProperty('degraded')
    expect(model.asked).toEqual([])
  })

  it('fails where the required server of its agent is away, named by its name or its address', async () => {
    const brain = { mcps: [{ name: 'away', url: away.config.url }] }
    await open([{ name: 'away', type: 'mcp', required: true }], { hasModel: true, brain })
    expect((await ended()).error?.code).toBe('tool_unavailable')
  })

  it('goes on and says which, where it requires none of them', async () => {
    const there = { name: 'gauges', type: 'mcp', required: true, config: { url: gauges.url } }
    await open([away, there], { hasModel: true })
    model.plays({ text: ['Done.'] })
    const run = await ended()
    expect(run).toMatchObject({ status: 'completed', output: 'Done.', degraded: ['away'] })
    expect(await typesOf(run)).toContain('run.degraded')
  })

  it('says nothing where all are there', async () => {
    await open([{ name: 'gauges', type: 'mcp', required: true, config: { url: gauges.url } }], {
      hasModel: true,
    })
    model.plays({ text: ['Done.'] })
    const run = await ended()
    expect(run.status).toBe('completed')
    expect(run).not.toHaveProperty('degraded')
    expect(await typesOf(run)).not.toContain('run.degraded')
  })

  it('tells the brain that leases it, of bundles alone', async () => {
    await open(
      [
        { ...away, required: true },
        { name: 'crystal_ball', type: 'builtin' },
      ],
      {
        hasModel: false,
      },
    )
    const { id } = await start()
    const lease = await world.ask<Lease>('runs.lease', {}, key)
    expect(lease.run).toMatchObject({ id, degraded: ['crystal_ball'] })
    expect(lease.tools).toMatchObject([{ name: 'away', required: true }, { name: 'crystal_ball' }])
    const done = { run_id: id, lease_token: lease.lease_token, output: 'x' }
    expect(await world.ask('runs.complete', done, key)).toMatchObject({
      status: 'completed',
      degraded: ['crystal_ball'],
    })
    expect(await typesOf(await read(id))).toContain('run.degraded')
  })

  it('is not leased, and fails, where it requires a bundle that no one knows', async () => {
    await open([{ name: 'crystal_ball', type: 'builtin', required: true }], { hasModel: false })
    const { id } = await start()
    expect(await world.ask<Lease>('runs.lease', {}, key)).toMatchObject({ run: null })
    expect(await read(id)).toMatchObject({ status: 'failed', error: { code: 'tool_unavailable' } })
  })
})
