import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { Run } from '#src/runs/run.ts'
import type { Store } from '#src/ports/store.ts'
import { runner, type Runner } from '#src/work/runner.ts'
import { startModelServer, type ModelServer } from '#tests/support/model-server.ts'
import { modelsOf } from '#tests/support/models.ts'
import { stores } from '#tests/support/stores.ts'
import { until } from '#tests/support/until.ts'
import { openWorld, type World } from '#tests/support/world.ts'

interface Seen {
  type: string
  data: Record<string, unknown>
}

const secret = 'marker-secret-0123456789'

describe.each(stores())('what a brain is asked, on $name', (kind) => {
  let store: Store
  let model: ModelServer
  let world: World
  let worker: Runner | undefined
  let key: string

  beforeEach(async () => {
    store = await kind.open()
    model = await startModelServer()
  })
  afterEach(async () => {
    await worker?.stop()
    model.close()
    await store.close()
  })

  const open = async (hasModel: boolean, task: object = {}): Promise<void> => {
    world = openWorld(store, {
      ...(hasModel && {
        models: modelsOf({
          defaultModel: { provider: 'openai', model: 'm' },
          openai: { apiKey: 'sk-1', baseUrl: model.baseUrl },
        }),
      }),
    })
    worker = runner(world.ports, 8)
    world.ports.wake.connect('runs', (count) => worker?.wake(count))
    key = (await world.account()).key
    const whole = { task_id: 't', name: 'T', prompt: 'Look at {{input}}.', ...task }
    const brain = { skills: ['clock'], system_prompt_override: 'You are Ada.' }
    const character = { id: 'ada', name: 'Ada', brain, heart: { tasks: [whole] } }
    await world.ask('characters.create', { character }, key)
  }
  const start = (input: unknown = 'tea') =>
    world.ask<Run>('tasks.run', { char_id: 'ada', task_id: 't', input }, key)
  const read = (id: string) => world.ask<Run>('runs.get', { run_id: id }, key)
  const ended = async (input?: unknown): Promise<Run> => {
    const { id } = await start(input)
    await until(async () => (await read(id)).finished_at !== null)
    return read(id)
  }
  const said = async (id: string): Promise<Seen[]> => {
    const page = await world.ask<{ items: Seen[] }>('runs.events', { run_id: id }, key)
    return page.items.filter(({ type }) => ['model.request', 'lease.given'].includes(type))
  }

  it('is kept with the run, and which model was asked', async () => {
    await open(true)
    model.plays({ text: ['Done.'] })
    const run = await ended()
    expect(run).toMatchObject({ status: 'completed', model: 'openai/m' })
    const [event, ...others] = await said(run.id)
    expect(others).toEqual([])
    expect(event).toMatchObject({
      type: 'model.request',
      data: {
        model: 'openai/m',
        prompt: 'Look at tea.',
        knowledge: [],
        tools: ['request_approval', 'current_time'],
      },
    })
    expect(event?.data['system_prompt']).toMatch(/^You are Ada\./)
  })

  it('is kept where the run fails too', async () => {
    await open(true)
    model.plays({ status: 401 })
    const run = await ended()
    expect(run).toMatchObject({ status: 'failed', model: 'openai/m' })
    expect(await said(run.id)).toHaveLength(1)
  })

  it('is kept without secrets, and of long texts the beginning', async () => {
    await open(true, { selected_secrets: ['GAUGE_KEY'] })
    const secrets = [{ name: 'GAUGE_KEY', value: secret }]
    await world.ask('characters.secrets.update', { char_id: 'ada', secrets }, key)
    model.plays({ text: ['Done.'] })
    const run = await ended(`${'x'.repeat(19_980)}${secret}${'y'.repeat(1000)}`)
    const prompt = String((await said(run.id))[0]?.data['prompt'])
    expect(prompt).not.toContain('marker')
    expect(prompt).toMatch(/\[… \d+ more characters\]$/)
    expect(prompt.length).toBeLessThan(20_100)
  })

  it('is kept without its texts where the account says so', async () => {
    await open(true)
    await world.ask('account.update', { keep_prompts: false }, key)
    model.plays({ text: ['Done.'] })
    const run = await ended()
    const [event] = await said(run.id)
    expect(Object.keys(event?.data ?? {}).toSorted()).toEqual(['knowledge', 'model', 'tools'])
  })

  it('of a brain that leases it is what the lease gave', async () => {
    await open(false)
    const { id } = await start()
    const lease = await world.ask<{ prompt: string; system_prompt: string; lease_token: string }>(
      'runs.lease',
      {},
      key,
    )
    expect(await said(id)).toMatchObject([
      {
        type: 'lease.given',
        data: { system_prompt: lease.system_prompt, prompt: lease.prompt, tools: [] },
      },
    ])
    const second = await start('cake')
    const done = { run_id: id, lease_token: lease.lease_token, output: 'x', lease_next: true }
    await world.ask('runs.complete', done, key)
    expect(await said(second.id)).toMatchObject([{ data: { prompt: 'Look at cake.' } }])
  })
})
