import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { Run } from '#src/runs/run.ts'
import type { Store } from '#src/ports/store.ts'
import { runner, type Runner } from '#src/work/runner.ts'
import { startModelServer, type ModelServer } from '#tests/support/model-server.ts'
import { modelsOf } from '#tests/support/models.ts'
import { stores } from '#tests/support/stores.ts'
import { until } from '#tests/support/until.ts'
import { openWorld, type World } from '#tests/support/world.ts'

interface Lease {
  run: Run | null
  lease_token: string
  prompt: string
  output_schema?: object
  input_schema?: object
}

const schema = {
  $defs: { 'a.b': { type: 'string' } },
  type: 'object',
  required: ['found'],
  properties: { found: { type: 'array', items: { $ref: '#/$defs/a.b' } } },
}

describe.each(stores())('the output of a task with a schema, on $name', (kind) => {
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
    await world.ports.schemas.close()
    model.close()
    await store.close()
  })

  const open = async (task: object, options: { hasModel?: boolean } = {}): Promise<void> => {
    world = openWorld(store, {
      ...(options.hasModel && {
        models: modelsOf({
          defaultModel: { provider: 'openai', model: 'm' },
          openai: { apiKey: 'sk-1', baseUrl: model.baseUrl },
        }),
      }),
    })
    worker = runner(world.ports, 8)
    world.ports.wake.connect('runs', (count) => worker?.wake(count))
    key = (await world.account()).key
    const whole = { task_id: 't', name: 'T', prompt: 'Do it.', output_schema: schema, ...task }
    const heart = { tasks: [whole] }
    await world.ask('characters.create', { character: { id: 'ada', name: 'Ada', heart } }, key)
  }
  const start = (input: unknown = null) =>
    world.ask<Run>('tasks.run', { char_id: 'ada', task_id: 't', input }, key)
  const read = (id: string) => world.ask<Run>('runs.get', { run_id: id }, key)
  const ended = async (): Promise<Run> => {
    const { id } = await start()
    await until(async () => (await read(id)).finished_at !== null)
    return read(id)
  }
  const lease = (char_id = 'ada') => world.ask<Lease>('runs.lease', { char_id }, key)

  it('is kept with the task, and replaced as a whole', async () => {
    await open({})
    const at = { char_id: 'ada', task_id: 't' }
    expect(await world.ask('tasks.get', at, key)).toMatchObject({ output_schema: schema })
    const other = { type: 'string' }
    await world.ask('tasks.update', { ...at, task: { output_schema: other } }, key)
    expect(
      (await world.ask<{ output_schema: object }>('tasks.get', at, key)).output_schema,
    ).toEqual(other)
    await world.ask('tasks.update', { ...at, task: { output_schema: null } }, key)
    await start()
    const held = await lease()
    expect(held.output_schema).toBeUndefined()
    const done = { run_id: held.run?.id, lease_token: held.lease_token, output: 7 }
    expect(await world.ask('runs.complete', done, key)).toMatchObject({ status: 'completed' })
  })

  it('fails a template that does not fit, and understands JSON in its text', async () => {
    await open({ runtime: 'template', prompt: '{"found":["{{input}}"]}' })
    expect(await start('tea')).toMatchObject({ status: 'completed', output: { found: ['tea'] } })
    await world.ask(
      'tasks.update',
      { char_id: 'ada', task_id: 't', task: { prompt: '{"found":[1]}' } },
      key,
    )
    const failed = await start()
    expect(failed).toMatchObject({
      status: 'failed',
      output: null,
      error: { code: 'output_invalid' },
    })
    expect(failed.error?.message).toContain('/found/0')
  })

  it('is refused a brain once in a lease, and fails the run the second time', async () => {
    await open({})
    await start()
    const { run, lease_token, ...told } = await lease()
    expect(told.output_schema).toEqual(schema)
    expect(told.prompt).toContain('JSON Schema')
    const send = { run_id: run?.id, lease_token, output: 'no JSON' }
    expect(await world.refusal('runs.complete', send, key)).toMatchObject({
      code: 'output_invalid',
    })
    expect(await read(run?.id ?? '')).toMatchObject({ status: 'running', attempt: 1 })
    expect(await world.ask('runs.complete', send, key)).toMatchObject({
      status: 'failed',
      error: { code: 'output_invalid' },
    })
  })

  it('is taken from a brain that has corrected it, and handed on with its schema', async () => {
    const output_sharing = { enabled: true, target_agent_id: 'eve', target_task_id: 'next' }
    await open({ output_sharing })
    const heart = { tasks: [{ task_id: 'next', name: 'Next', prompt: 'Go on.' }] }
    await world.ask('characters.create', { character: { id: 'eve', name: 'Eve', heart } }, key)
    await start()
    const { run, lease_token } = await lease()
    const send = { run_id: run?.id, lease_token }
    const wrong = { ...send, output: { found: [1] } }
    expect(await world.refusal('runs.complete', wrong, key)).toMatchObject({
      code: 'output_invalid',
    })
    const right = { ...send, output: '```json\n{"found":["tea"]}\n```' }
    expect(await world.ask('runs.complete', right, key)).toMatchObject({
      status: 'completed',
      output: { found: ['tea'] },
    })
    expect((await lease('eve')).input_schema).toEqual(schema)
  })

  it('is asked of a model again with its faults, once', async () => {
    await open({}, { hasModel: true })
    model.plays({ text: ['Found: tea.'] }, { text: ['{"found":["tea"]}'] })
    expect(await ended()).toMatchObject({ status: 'completed', output: { found: ['tea'] } })
    const [first, second] = model.asked.map(({ body }) => body.messages)
    expect(JSON.stringify(first?.[0])).toContain('JSON Schema')
    expect(JSON.stringify(second?.at(-1))).toContain('is no JSON')
    model.plays({ text: ['{}'] }, { text: ['{"found":1}'] })
    const failed = await ended()
    expect(failed).toMatchObject({ status: 'failed', error: { code: 'output_invalid' } })
    expect(failed.usage.output_tokens).toBeGreaterThan(0)
    expect(model.asked).toHaveLength(4)
  })

  it('of a model waits for its check while too many results wait for theirs', async () => {
    await open({}, { hasModel: true })
    const found = Array.from({ length: 3000 }, (_, i) => `x${i}`)
    const { owner_id } = (await store.characters.get('ada')) ?? {}
    const over = new AbortController()
    const busy = async (): Promise<void> => {
      const patient = world.ports.schemas.patient()
      while (!over.signal.aborted) await patient.misfits(schema, { found }, String(owner_id))
    }
    // One is checked, and the 64 that may wait do.
    const others = Array.from({ length: 65 }, busy)
    await expect(
      world.ports.schemas.misfits(schema, { found }, String(owner_id)),
    ).rejects.toMatchObject({ code: 'unavailable' })
    model.plays({ text: [JSON.stringify({ found })] })
    const run = await ended()
    over.abort()
    await Promise.all(others)
    expect(run).toMatchObject({ status: 'completed', attempt: 1, output: { found } })
    expect(model.asked).toHaveLength(1)
  })
})
