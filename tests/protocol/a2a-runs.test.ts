import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { Store } from '#src/ports/store.ts'
import { startWork, type Work } from '#src/work/work.ts'
import { stateOfRun } from '#protocol/a2a/states.ts'
import { fakeClock, type FakeClock } from '#tests/support/fake-clock.ts'
import { stores } from '#tests/support/stores.ts'
import {
  eventsOf,
  legacyMessage,
  message,
  openA2a,
  textIn,
  type A2aWorld,
  type RpcAnswer,
  type Shown,
} from './a2a-harness.ts'

let a2a: A2aWorld
let store: Store
let key: string
let clock: FakeClock
let work: Work | undefined

beforeEach(async () => {
  const [kind] = stores()
  if (!kind) throw new Error('there is always one store')
  store = await kind.open()
  clock = fakeClock()
  a2a = openA2a(store, { clock })
  key = (await a2a.account()).key
  await a2a.ask('characters.create', { character: { id: 'ada', name: 'Ada' } }, key)
  for (const [task_id, task] of Object.entries({
    echo: { runtime: 'template', prompt: 'Heard: {{input}}' },
    broken: { runtime: 'template', prompt: '{{missing}}' },
    think: { prompt: 'Think of {{input}}' },
  })) {
    await a2a.ask(
      'tasks.create',
      { char_id: 'ada', task: { task_id, name: task_id, ...task } },
      key,
    )
  }
})
afterEach(async () => {
  await a2a.door.close()
  await work?.stop()
  work = undefined
  await store.close()
})

const startRunner = (): void => {
  work = startWork(a2a.ports, ['runner'], 2)
}
const run = (task_id: string): { operation: string; params: object } => ({
  operation: 'tasks.run',
  params: { char_id: 'ada', task_id, input: 'this' },
})
const send = async (params: object): Promise<Shown> => {
  const { result } = await a2a.rpc1('SendMessage', params, { key })
  if (!result?.['task']) throw new Error('there is no task')
  return result['task']
}
const now = { returnImmediately: true }
const runId = (task: Shown): string => textIn(task['metadata']?.['abode/run_id'])

/** Resolves when a caller waits for a run. */
async function waitedFor(): Promise<void> {
  while (a2a.ports.waiting.keys().length === 0) await new Promise((turn) => setImmediate(turn))
}

/** Does a brain's work, as another agent would. */
async function lease(): Promise<{ run_id: string; lease_token: string }> {
  const leased = await a2a.ask<{ run: { id: string }; lease_token: string }>(
    'runs.lease',
    { char_id: 'ada' },
    key,
  )
  return { run_id: leased.run.id, lease_token: leased.lease_token }
}

test.each([
  ['queued', 'SUBMITTED'],
  ['running', 'WORKING'],
  ['waiting_approval', 'INPUT_REQUIRED'],
  ['waiting_input', 'INPUT_REQUIRED'],
  ['completed', 'COMPLETED'],
  ['failed', 'FAILED'],
  ['timed_out', 'FAILED'],
  ['cancelled', 'CANCELED'],
  ['abandoned', 'CANCELED'],
  ['skipped', 'REJECTED'],
])('a run that is %s is TASK_STATE_%s', async (status, state) => {
  const { TaskState } = await import('@a2a-js/sdk')
  expect(TaskState[stateOfRun(status)]).toBe(`TASK_STATE_${state}`)
})

test('a run of which its caller asked to see too little is the answer of a task that has ended', async () => {
  const { operation, params } = run('echo')
  const task = await send(message({ operation, params: { ...params, fields: ['output'] } }))
  expect(task['status']).toMatchObject({ state: 'TASK_STATE_COMPLETED' })
  expect(task['artifacts']).toMatchObject([{ parts: [{ data: { output: 'Heard: this' } }] }])
})

describe('a message that runs a task', () => {
  test('is the run, and waits for its end', async () => {
    startRunner()
    const task = await send(message(run('echo')))
    expect(task).toMatchObject({
      status: { state: 'TASK_STATE_COMPLETED' },
      artifacts: [
        { name: 'run', parts: [{ data: { status: 'completed', output: 'Heard: this' } }] },
      ],
      metadata: { 'abode/operation': 'tasks.run', 'abode/run_id': expect.stringMatching(/^run_/) },
    })
  })

  test('says what has failed', async () => {
    startRunner()
    const task = await send(message(run('broken')))
    expect(task['status']).toMatchObject({
      state: 'TASK_STATE_FAILED',
      message: { parts: [{ data: { code: expect.any(String) } }, { text: expect.any(String) }] },
    })
  })

  test('does not wait when it is asked not to', async () => {
    const task = await send(message(run('think'), {}, now))
    expect(task['status']).toMatchObject({ state: 'TASK_STATE_SUBMITTED' })
  })

  test('waits a minute at most, and says how it stands then', async () => {
    const sent = send(message(run('think')))
    let isAnswered = false
    const noted = sent.then(() => (isAnswered = true))
    await waitedFor()
    await clock.advance(59_000)
    expect(isAnswered).toBe(false)
    await clock.advance(2_000)
    await noted
    const task = await sent
    expect(task).toMatchObject({
      status: {
        state: 'TASK_STATE_SUBMITTED',
        message: {
          parts: [
            { data: { operation: 'runs.lease', params: { char_id: 'ada', task_id: 'think' } } },
            { text: expect.stringContaining('waiting_for_worker') },
          ],
        },
      },
    })
    const [work, said] = task['status']?.['message']?.['parts'] ?? []
    expect(said?.['text']).toContain(`GetTask or SubscribeToTask`)
    expect(said?.['text']).toContain(textIn(task['id']))
    // The call that it names takes the run.
    const call = work?.['data'] as unknown as { operation: string; params: object }
    const leased = await a2a.ask(call.operation, call.params, key)
    expect(leased).toMatchObject({ run: { id: task['metadata']?.['abode/run_id'] } })
  })

  test('sent again is the same run, as it stands', async () => {
    const params = message(run('think'), {}, now)
    const first = await send(params)
    await a2a.ask('runs.complete', { ...(await lease()), output: 'done' }, key)
    const again = await send({ ...params, configuration: undefined })
    expect(again).toMatchObject({ id: first['id'], status: { state: 'TASK_STATE_COMPLETED' } })
    expect(runId(again)).toBe(runId(first))
    expect(await a2a.ask('runs.list', {}, key)).toMatchObject({ items: [{ id: runId(first) }] })
  })

  test('sent again without waiting is the task as it is now, and stays so', async () => {
    const params = message(run('think'), {}, now)
    const first = await send(params)
    const read = async (): Promise<Shown | undefined> =>
      (await a2a.rpc1('GetTask', { id: first['id'] }, { key })).result
    const leased = await lease()
    expect(await send(params)).toMatchObject({ status: { state: 'TASK_STATE_WORKING' } })
    await a2a.ask('runs.complete', { ...leased, output: 'done' }, key)
    expect(await read()).toMatchObject({ status: { state: 'TASK_STATE_COMPLETED' } })
    const again = await send(params)
    expect(again).toMatchObject({
      id: first['id'],
      status: { state: 'TASK_STATE_COMPLETED' },
      artifacts: [{ parts: [{ data: { output: 'done' } }] }],
    })
    const kept = await store.a2a_tasks.get(textIn(first['id']))
    expect(kept?.task).toContain('TASK_STATE_COMPLETED')
    expect(await read()).toEqual(again)
  })
})

describe('a task that is a run', () => {
  test('is read as the run stands', async () => {
    const { id } = await send(message(run('think'), {}, now))
    const read = async () => (await a2a.rpc1('GetTask', { id }, { key })).result
    expect(await read()).toMatchObject({ status: { state: 'TASK_STATE_SUBMITTED' } })
    const leased = await lease()
    expect(await read()).toMatchObject({ status: { state: 'TASK_STATE_WORKING' } })
    await a2a.ask('runs.complete', { ...leased, output: 'done' }, key)
    const ended = await read()
    expect(ended).toMatchObject({
      status: { state: 'TASK_STATE_COMPLETED' },
      artifacts: [{ parts: [{ data: { output: 'done' } }] }],
      history: [{ parts: [{ data: { operation: 'tasks.run' } }] }],
    })
    expect(await read()).toEqual(ended)
  })

  test('is cancelled with its run, once', async () => {
    const task = await send(message(run('think'), {}, now))
    const cancel = () => a2a.rpc1('CancelTask', { id: task['id'] }, { key })
    expect((await cancel()).result).toMatchObject({ status: { state: 'TASK_STATE_CANCELED' } })
    const { status } = await a2a.ask<{ status: string }>('runs.get', { run_id: runId(task) }, key)
    expect(status).toBe('cancelled')
    expect((await cancel()).error).toMatchObject({
      code: -32002,
      data: { code: 'task_not_cancelable' },
    })
  })

  test('takes no further message, and says what it waits for', async () => {
    const task = await send(message(run('think'), {}, now))
    const { error } = await a2a.rpc1('SendMessage', message('x', { taskId: task['id'] }), { key })
    expect(error).toMatchObject({ code: -32004, message: expect.stringContaining('run') })
  })

  test('is nothing to another caller', async () => {
    const task = await send(message(run('think'), {}, now))
    const other = (await a2a.account()).key
    for (const method of ['GetTask', 'CancelTask', 'SubscribeToTask']) {
      for (const sent of [{ key: other }, {}]) {
        const { error } = await a2a.rpc1(method, { id: task['id'] }, sent)
        expect(error, method).toMatchObject({ code: -32001, data: { code: 'task_not_found' } })
      }
    }
  })
})

test('an operation that answers a run has its state, and does not wait for it', async () => {
  const { id } = await a2a.ask<{ id: string }>('tasks.run', run('think').params, key)
  const task = await send(message({ operation: 'runs.get', params: { run_id: id } }))
  expect(task).toMatchObject({
    status: { state: 'TASK_STATE_SUBMITTED' },
    artifacts: [{ parts: [{ data: { id, status: 'queued' } }] }],
  })
})

describe('a stream', () => {
  /** The state or the artifact of each event, for comparing. */
  const told = ({ result }: RpcAnswer): unknown =>
    result?.['artifactUpdate']
      ? 'artifact'
      : (result?.['task'] ?? result?.['statusUpdate'])?.['status']?.['state']

  test('of a message follows its run to the end', async () => {
    const events = a2a.stream('SendStreamingMessage', message(run('think')), { key })
    expect(told((await events.next()).value as RpcAnswer)).toBe('TASK_STATE_SUBMITTED')
    const leased = await lease()
    expect(told((await events.next()).value as RpcAnswer)).toBe('TASK_STATE_WORKING')
    await a2a.ask('runs.complete', { ...leased, output: 'thought' }, key)
    const rest = await Array.fromAsync(events)
    expect(rest.map(told)).toEqual(['artifact', 'TASK_STATE_COMPLETED'])
    expect(rest[0]?.result).toMatchObject({
      artifactUpdate: { artifact: { parts: [{ data: { output: 'thought' } }] }, lastChunk: true },
    })
  })

  test('of a task begins with it as it stands', async () => {
    const { id } = await send(message(run('think'), {}, now))
    const leased = await lease()
    const events = a2a.stream('SubscribeToTask', { id }, { key })
    const first = (await events.next()).value as RpcAnswer
    expect(first.result).toMatchObject({ task: { id, status: { state: 'TASK_STATE_WORKING' } } })
    await a2a.ask('runs.fail', { ...leased, error: { message: 'I cannot.' } }, key)
    expect((await Array.fromAsync(events)).map(told)).toEqual(['artifact', 'TASK_STATE_FAILED'])
  })

  test('of a task that has ended is -32004', async () => {
    const task = await send(message(run('think'), {}, now))
    await a2a.ask('runs.cancel', { run_id: runId(task) }, key)
    const { error } = await a2a.rpc1('SubscribeToTask', { id: task['id'] }, { key })
    expect(error?.code).toBe(-32004)
  })

  test('is kept alive while nothing happens, and ends with the door', async () => {
    const body = {
      jsonrpc: '2.0',
      id: 1,
      method: 'SendStreamingMessage',
      params: message(run('think')),
    }
    const answer = await a2a.post(body, { key, headers: { 'a2a-version': '1.0' } })
    if (!(answer.body instanceof ReadableStream)) throw new Error('the answer is no stream')
    const reader = answer.body.getReader()
    const text = async () => Buffer.from((await reader.read()).value ?? []).toString()
    expect(await text()).toContain('TASK_STATE_SUBMITTED')
    const next = text()
    await clock.advance(15_000)
    expect(await next).toBe(':\n\n')
    const last = reader.read()
    await a2a.door.close()
    expect(await last).toMatchObject({ done: true })
  })

  test('ends when its reader has gone', async () => {
    const leaving = new AbortController()
    const body = {
      jsonrpc: '2.0',
      id: 1,
      method: 'SendStreamingMessage',
      params: message(run('think')),
    }
    const { signal } = leaving
    const answer = await a2a.post(body, { key, signal, headers: { 'a2a-version': '1.0' } })
    const events = eventsOf(answer)
    await events.next()
    const rest = events.next()
    leaving.abort()
    expect(await rest).toMatchObject({ done: true })
    expect(a2a.ports.waiting.keys()).toEqual([])
  })

  test('has the same in the words of 0.3', async () => {
    startRunner()
    const params = legacyMessage(run('echo'))
    const body = { jsonrpc: '2.0', id: 1, method: 'message/stream', params }
    const events = await Array.fromAsync(eventsOf(await a2a.post(body, { key })))
    expect(events[0]?.result).toMatchObject({ kind: 'task' })
    expect(events.at(-2)?.result).toMatchObject({ kind: 'artifact-update' })
    expect(events.at(-1)?.result).toMatchObject({
      kind: 'status-update',
      final: true,
      status: { state: 'completed' },
    })
  })
})
