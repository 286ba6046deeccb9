import { describe, expect, it } from 'vitest'
import type { Run } from '#src/runs/run.ts'
import { stores } from '#tests/support/stores.ts'
import { Works } from './brains/works.ts'

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
  const works = new Works(kind)
  const { start, read, ended } = works
  const open = (task: object, { hasModel = false }: { hasModel?: boolean } = {}): Promise<void> =>
    works.open({ hasModel, task: { output_schema: schema, ...task } })
  const lease = (char_id = 'ada') => works.world.ask<Lease>('runs.lease', { char_id }, works.key)

  it('is kept with the task, and replaced as a whole', async () => {
    await open({})
    const at = { char_id: 'ada', task_id: 't' }
    expect(await works.world.ask('tasks.get', at, works.key)).toMatchObject({
      output_schema: schema,
    })
    const other = { type: 'string' }
    await works.world.ask('tasks.update', { ...at, task: { output_schema: other } }, works.key)
    expect(
      (await works.world.ask<{ output_schema: object }>('tasks.get', at, works.key)).output_schema,
    ).toEqual(other)
    await works.world.ask('tasks.update', { ...at, task: { output_schema: null } }, works.key)
    await start()
    const held = await lease()
    expect(held.output_schema).toBeUndefined()
    const done = { run_id: held.run?.id, lease_token: held.lease_token, output: 7 }
    expect(await works.world.ask('runs.complete', done, works.key)).toMatchObject({
      status: 'completed',
    })
  })

  it('fails a template that does not fit, and understands JSON in its text', async () => {
    await open({ runtime: 'template', prompt: '{"found":["{{input}}"]}' })
    expect(await start('tea')).toMatchObject({ status: 'completed', output: { found: ['tea'] } })
    await works.world.ask(
      'tasks.update',
      { char_id: 'ada', task_id: 't', task: { prompt: '{"found":[1]}' } },
      works.key,
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
    expect(await works.world.refusal('runs.complete', send, works.key)).toMatchObject({
      code: 'output_invalid',
    })
    expect(await read(run?.id ?? '')).toMatchObject({ status: 'running', attempt: 1 })
    expect(await works.world.ask('runs.complete', send, works.key)).toMatchObject({
      status: 'failed',
      error: { code: 'output_invalid' },
    })
  })

  it('is taken from a brain that has corrected it, and handed on with its schema', async () => {
    const output_sharing = { enabled: true, target_agent_id: 'eve', target_task_id: 'next' }
    await open({ output_sharing })
    const heart = { tasks: [{ task_id: 'next', name: 'Next', prompt: 'Go on.' }] }
    await works.world.ask(
      'characters.create',
      { character: { id: 'eve', name: 'Eve', heart } },
      works.key,
    )
    await start()
    const { run, lease_token } = await lease()
    const send = { run_id: run?.id, lease_token }
    const wrong = { ...send, output: { found: [1] } }
    expect(await works.world.refusal('runs.complete', wrong, works.key)).toMatchObject({
      code: 'output_invalid',
    })
    const right = { ...send, output: '```json\n{"found":["tea"]}\n```' }
    expect(await works.world.ask('runs.complete', right, works.key)).toMatchObject({
      status: 'completed',
      output: { found: ['tea'] },
    })
    expect((await lease('eve')).input_schema).toEqual(schema)
  })

  it('is asked of a model again with its faults, once', async () => {
    await open({}, { hasModel: true })
    works.model.plays({ text: ['Found: tea.'] }, { text: ['{"found":["tea"]}'] })
    expect(await ended()).toMatchObject({ status: 'completed', output: { found: ['tea'] } })
    const [first, second] = works.model.asked.map(({ body }) => body.messages)
    expect(JSON.stringify(first?.[0])).toContain('JSON Schema')
    expect(JSON.stringify(second?.at(-1))).toContain('is no JSON')
    works.model.plays({ text: ['{}'] }, { text: ['{"found":1}'] })
    const failed = await ended()
    expect(failed).toMatchObject({ status: 'failed', error: { code: 'output_invalid' } })
    expect(failed.usage.output_tokens).toBeGreaterThan(0)
    expect(works.model.asked).toHaveLength(4)
  })

  it('of a model waits for its check while too many results wait for theirs', async () => {
    await open({}, { hasModel: true })
    const found = Array.from({ length: 3000 }, (_, i) => `x${i}`)
    const { owner_id } = (await works.world.ports.store.characters.get('ada')) ?? {}
    const over = new AbortController()
    const busy = async (): Promise<void> => {
      const patient = works.world.ports.schemas.patient()
      while (!over.signal.aborted) await patient.misfits(schema, { found }, String(owner_id))
    }
    // One is checked, and the 64 that may wait do.
    const others = Array.from({ length: 65 }, busy)
    await expect(
      works.world.ports.schemas.misfits(schema, { found }, String(owner_id)),
    ).rejects.toMatchObject({ code: 'unavailable' })
    works.model.plays({ text: [JSON.stringify({ found })] })
    const run = await ended()
    over.abort()
    await Promise.all(others)
    expect(run).toMatchObject({ status: 'completed', attempt: 1, output: { found } })
    expect(works.model.asked).toHaveLength(1)
  })
})
