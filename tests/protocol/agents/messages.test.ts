import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { Store } from '#src/ports/store.ts'
import { runEvent } from '#src/runs/events.ts'
import { batchOf, bodyOf, textIn, type RpcAnswer, type Shown } from '#tests/protocol/a2a-harness.ts'
import { fakeClock, type FakeClock } from '#tests/support/fake-clock.ts'
import { stores } from '#tests/support/stores.ts'
import { echo, openAgents, saying, talker, taskIn, think, type AgentsWorld } from './harness.ts'
import { wrongToken } from '#tests/support/doors/challenge.ts'

let agents: AgentsWorld
let store: Store
let clock: FakeClock
let owner: string
let sender: string

beforeEach(async () => {
  const [kind] = stores()
  if (!kind) throw new Error('there is always one store')
  store = await kind.open()
  clock = fakeClock()
  agents = openAgents(store, { clock })
  owner = (await agents.account()).key
  sender = (await agents.account()).key
  const tasks = [echo, think, { ...echo, task_id: 'fails', name: 'Fails', prompt: '{{none}}' }]
  await agents.ask('characters.create', { character: talker('ada', tasks) }, owner)
})
afterEach(async () => {
  await agents.doors.close()
  await store.close()
})

const now = { returnImmediately: true }
const asked = (text: string, more: object = {}) =>
  saying([{ text }, { data: { task_id: 'think' } }], { ...more })

/** A task whose run waits for a brain. */
const begun = async (more: object = {}, key = sender): Promise<Shown> => {
  const params = { ...asked('this', more), configuration: now }
  return taskIn(await agents.rpc('ada', 'SendMessage', params, { key }))
}

async function lease(): Promise<{ run_id: string; lease_token: string }> {
  const leased = await agents.ask<{ run: { id: string }; lease_token: string }>(
    'runs.lease',
    { char_id: 'ada' },
    owner,
  )
  return { run_id: leased.run.id, lease_token: leased.lease_token }
}
const complete = async (output: unknown, more: object = {}): Promise<unknown> =>
  agents.ask('runs.complete', { ...(await lease()), output, ...more }, owner)

/** Resolves when a caller waits for a run. */
async function waitedFor(): Promise<void> {
  while (agents.ports.waiting.keys().length === 0) await new Promise((turn) => setImmediate(turn))
}

describe('SendMessage', () => {
  test('is answered with a task that is the run', async () => {
    const task = taskIn(await agents.rpc('ada', 'SendMessage', saying('Hello'), { key: sender }))
    expect(task).toMatchObject({
      id: expect.stringMatching(/^run_/),
      contextId: expect.stringMatching(/^ctx_/),
      status: { state: 'TASK_STATE_COMPLETED', timestamp: '2026-03-01T12:00:00.000Z' },
      artifacts: [
        {
          artifactId: 'output',
          name: 'output',
          parts: [{ text: 'Heard: Hello', mediaType: 'text/plain' }],
          metadata: {
            'abode/untrusted': true,
            'abode/source': { kind: 'chat', char_id: 'ada' },
          },
        },
      ],
      history: [{ role: 'ROLE_USER', parts: [{ text: 'Hello' }] }],
    })
    expect(await agents.ask('runs.get', { run_id: task['id'] }, owner)).toMatchObject({
      output: 'Heard: Hello',
    })
  })

  test('needs no credential where everybody may speak to the agent', async () => {
    const task = taskIn(await agents.rpc('ada', 'SendMessage', saying('Hello')))
    expect(task).toMatchObject({ status: { state: 'TASK_STATE_COMPLETED' } })
    const read = await agents.rpc('ada', 'GetTask', { id: task['id'] })
    expect(read.result).toMatchObject({ artifacts: [{ parts: [{ text: 'Heard: Hello' }] }] })
    const elsewhere = await agents.post(
      'ada',
      { jsonrpc: '2.0', id: 1, method: 'GetTask', params: { id: task['id'] } },
      { address: '203.0.113.0' },
    )
    expect(bodyOf(elsewhere).error).toMatchObject({ code: -32001 })
  })

  test('names its task in a data part, or in the metadata of message or params', async () => {
    for (const params of [
      saying([{ text: 'x' }, { data: { task_id: 'think' } }], {}, now),
      saying('x', { metadata: { task_id: 'think' } }, now),
      { ...saying('x', {}, now), metadata: { task_id: 'think' } },
    ]) {
      const task = taskIn(await agents.rpc('ada', 'SendMessage', params, { key: sender }))
      expect(task['status']).toMatchObject({ state: 'TASK_STATE_SUBMITTED' })
    }
  })

  test('that waits for a worker says how to follow it, and to its account what takes it', async () => {
    for (const key of [sender, owner]) {
      const { status, id } = await begun({}, key)
      const parts = [...(status?.['message']?.['parts'] ?? [])]
      expect(parts.at(-1)?.['text']).toContain(`SubscribeToTask`)
      expect(parts.at(-1)?.['text']).toContain(id)
      const calls = parts.flatMap((part) => part['data'] ?? [])
      const call = { operation: 'runs.lease', params: { char_id: 'ada' } }
      expect(calls).toEqual(key === owner ? [call] : [])
    }
  })

  test('waits for the end', async () => {
    const sent = agents.rpc('ada', 'SendMessage', asked('this'), { key: sender })
    await waitedFor()
    const artifacts = [
      { name: 'notes.md', media_type: 'text/markdown', content: '# Notes' },
      { name: 'page', url: 'https://example.com/' },
    ]
    await complete({ found: 3 }, { artifacts })
    expect(taskIn(await sent)).toMatchObject({
      status: { state: 'TASK_STATE_COMPLETED' },
      artifacts: [
        { artifactId: 'output', parts: [{ data: { found: 3 }, mediaType: 'application/json' }] },
        {
          artifactId: 'artifact-1',
          name: 'notes.md',
          parts: [{ text: '# Notes', mediaType: 'text/markdown', filename: 'notes.md' }],
        },
        { artifactId: 'artifact-2', parts: [{ url: 'https://example.com/' }] },
      ],
    })
  })

  test('waits a minute at most', async () => {
    const sent = agents.rpc('ada', 'SendMessage', asked('this'), { key: sender })
    await waitedFor()
    await clock.advance(61_000)
    expect(taskIn(await sent)['status']).toMatchObject({ state: 'TASK_STATE_SUBMITTED' })
  })

  test('sent again is the same task, as it stands then', async () => {
    const params = { ...asked('this'), configuration: now }
    const send = async () => taskIn(await agents.rpc('ada', 'SendMessage', params, { key: sender }))
    const first = await send()
    expect(await send()).toEqual(first)
    await complete('done')
    expect(await send()).toMatchObject({
      id: first['id'],
      status: { state: 'TASK_STATE_COMPLETED' },
      artifacts: [{ parts: [{ text: 'done' }] }],
    })
    const other = { ...params, message: { ...params.message, parts: [{ text: 'Other' }] } }
    const another = taskIn(await agents.rpc('ada', 'SendMessage', other, { key: sender }))
    expect(another['id']).not.toBe(first['id'])
    expect(taskIn(await agents.rpc('ada', 'SendMessage', other, { key: sender }))).toEqual(another)
  })

  test('sent again without a key is the same only with an id that cannot be guessed', async () => {
    const ids = async (messageId: string): Promise<unknown[]> => {
      const params = saying('x', { messageId })
      const send = async () => taskIn(await agents.rpc('ada', 'SendMessage', params))['id']
      return [await send(), await send()]
    }
    const [long, again] = await ids('5f3bd9f0-6f5e-4d4e-9c5d-6b1a1c8e7a10')
    expect(again).toBe(long)
    const [short, another] = await ids('1')
    expect(another).not.toBe(short)
  })

  test.each([
    ['with a key', () => ({ key: sender })],
    ['without a key', () => ({})],
  ])('with the same id to two agents is a task of each, %s', async (_, as) => {
    await agents.ask('characters.create', { character: talker('eve', [echo]) }, owner)
    const params = saying('Hello', { messageId: '5f3bd9f0-6f5e-4d4e-9c5d-6b1a1c8e7a11' })
    const ids = new Map<string, string>()
    for (const agent of ['ada', 'eve']) {
      const task = taskIn(await agents.rpc(agent, 'SendMessage', params, as()))
      expect(task).toMatchObject({ status: { state: 'TASK_STATE_COMPLETED' } })
      const id = textIn(task['id'])
      ids.set(agent, id)
      expect(await store.runs.get(id)).toMatchObject({ char_id: agent })
    }
    for (const [agent, id] of ids) {
      const again = taskIn(await agents.rpc(agent, 'SendMessage', params, as()))
      expect(again['id']).toBe(id)
    }
  })

  test('shows as much of the history as is asked for', async () => {
    const send = async (historyLength: number) =>
      taskIn(await agents.rpc('ada', 'SendMessage', saying('x', {}, { historyLength })))
    expect((await send(0))['history'] ?? []).toEqual([])
    expect([...((await send(1))['history'] ?? [])]).toHaveLength(1)
  })

  test('goes on with a conversation, and begins no other one', async () => {
    const first = taskIn(await agents.rpc('ada', 'SendMessage', saying('One'), { key: sender }))
    const contextId = first['contextId']
    const second = await agents.rpc('ada', 'SendMessage', saying('Two', { contextId }), {
      key: sender,
    })
    expect(taskIn(second)['contextId']).toBe(contextId)
    const foreign = await agents.rpc('ada', 'SendMessage', saying('Two', { contextId }), {
      key: owner,
    })
    const unknown = await agents.rpc('ada', 'SendMessage', saying('x', { contextId: 'no such' }), {
      key: owner,
    })
    expect(foreign.error).toEqual(unknown.error)
    expect(foreign.error).toMatchObject({
      code: -32602,
      data: { errors: [{ code: 'context_unknown' }] },
    })
  })

  test('tells the account of the agent what failed, and others that it did', async () => {
    const params = saying([{ text: 'x' }, { data: { task_id: 'fails' } }])
    const { id, status } = taskIn(await agents.rpc('ada', 'SendMessage', params, { key: sender }))
    expect(status).toMatchObject({
      state: 'TASK_STATE_FAILED',
      message: { parts: [{ data: { code: 'variable_missing' } }, { text: expect.any(String) }] },
    })
    expect(JSON.stringify(status)).not.toContain('none')
    const read = await agents.rpc('ada', 'GetTask', { id }, { key: owner })
    expect(JSON.stringify(read.result)).toContain('{{none}}')
  })

  test.each(['!!!! no base64', 'SGVsbG8', '\ud800'])(
    'takes no bytes that are none: %j',
    async (raw) => {
      const parts = [{ raw, mediaType: 'text/plain', filename: 'hello.txt' }]
      const { error } = await agents.rpc('ada', 'SendMessage', saying(parts), { key: sender })
      expect(error).toMatchObject({ code: -32602 })
    },
  )

  test('brings files as their bytes or their address', async () => {
    const raw = Buffer.from('Hello').toString('base64')
    const files = [
      { raw, mediaType: 'text/plain', filename: 'hello.txt' },
      { url: 'https://example.com/a.png', mediaType: 'image/png' },
    ]
    const task = taskIn(await agents.rpc('ada', 'SendMessage', saying(files), { key: sender }))
    const { input } = await agents.ask<{ input: unknown }>(
      'runs.get',
      { run_id: task['id'] },
      owner,
    )
    expect(input).toEqual({
      files: [
        { name: 'hello.txt', media_type: 'text/plain', text: 'Hello' },
        { name: null, media_type: 'image/png', url: 'https://example.com/a.png' },
      ],
    })
  })
})

describe('a refusal is in band', () => {
  const refused = async (agent: string, key?: string): Promise<RpcAnswer['error']> =>
    (await agents.rpc(agent, 'SendMessage', saying('x'), key === undefined ? {} : { key })).error

  test('where there is no agent, or one that is private', async () => {
    const hidden = { id: 'eve', name: 'Eve', heart: { tasks: [echo] } }
    await agents.ask('characters.create', { character: hidden }, owner)
    for (const agent of ['absent', 'eve']) {
      expect(await refused(agent, sender)).toMatchObject({
        code: 404,
        data: { code: 'character_not_found', request_id: 'req_1' },
      })
    }
    expect(await refused('eve', owner)).toBeUndefined()
  })

  test('where the agent takes messages of others alone', async () => {
    const friends = talker('eve', [echo], 'friends')
    await agents.ask('characters.create', { character: friends }, owner)
    expect(await refused('eve', sender)).toMatchObject({ code: 403, data: { code: 'forbidden' } })
    expect(await refused('eve')).toMatchObject({
      code: 401,
      data: { code: 'unauthenticated', hint: expect.stringContaining('/api/agent-claim') },
    })
  })

  test('where the agent has no task that a message could start', async () => {
    await agents.ask('characters.create', { character: talker('eve', []) }, owner)
    expect(await refused('eve', sender)).toMatchObject({
      code: 404,
      data: { code: 'task_not_found', hint: expect.any(String) },
    })
  })

  test('and of a wrong credential by HTTP', async () => {
    const answer = await agents.post(
      'ada',
      { jsonrpc: '2.0', id: 1, method: 'SendMessage', params: saying('x') },
      { key: 'ab_wrong' },
    )
    expect(answer).toMatchObject({ status: 401, headers: { 'www-authenticate': wrongToken } })
  })

  test('of what is no method here', async () => {
    const { error } = await agents.rpc('ada', 'characters.list', {}, { key: owner })
    expect(error).toMatchObject({ code: -32601 })
    const { error: misspelt } = await agents.rpc('ada', 'SendMesage', saying('x'))
    expect(misspelt?.data).toMatchObject({ suggestion: 'SendMessage' })
  })

  test('of params that are none', async () => {
    const { error } = await agents.rpc('ada', 'SendMessage', { message: {} })
    expect(error).toMatchObject({ code: -32602, data: { errors: expect.any(Array) } })
  })
})

describe('a task', () => {
  test('is read, cancelled once, and nothing to others', async () => {
    const { id } = await begun()
    for (const method of ['GetTask', 'CancelTask', 'SubscribeToTask']) {
      const other = (await agents.account()).key
      const { error } = await agents.rpc('ada', method, { id }, { key: other })
      expect(error, method).toMatchObject({ code: -32001, data: { code: 'task_not_found' } })
    }
    const cancel = () => agents.rpc('ada', 'CancelTask', { id }, { key: sender })
    expect((await cancel()).result).toMatchObject({ status: { state: 'TASK_STATE_CANCELED' } })
    const led = expect.stringContaining('GetTask')
    expect((await cancel()).error).toMatchObject({ code: -32002, message: led })
  })

  test('takes no message unless it waits for an approval', async () => {
    const { id } = await begun()
    const { error } = await agents.rpc('ada', 'SendMessage', saying('x', { taskId: id }), {
      key: sender,
    })
    expect(error).toMatchObject({ code: -32004 })
    await complete('done')
    const late = await agents.rpc('ada', 'SendMessage', saying('x', { taskId: id }), {
      key: sender,
    })
    expect(late.error).toMatchObject({ code: -32004, message: expect.stringContaining('ended') })
  })

  test('is listed by context and state, page by page', async () => {
    const first = await begun()
    const second = await begun({ contextId: first['contextId'] })
    await agents.rpc('ada', 'SendMessage', saying('Done'), { key: sender })
    const list = async (params: object) =>
      (await agents.rpc('ada', 'ListTasks', params, { key: sender })).result
    expect(await list({})).toMatchObject({ totalSize: 3, pageSize: 50 })
    const inContext = await list({ contextId: first['contextId'], pageSize: 1 })
    expect(inContext).toMatchObject({ totalSize: 2, tasks: [{ id: second['id'] }] })
    const next = { contextId: first['contextId'], pageToken: inContext?.['nextPageToken'] }
    const rest = await list(next)
    expect(rest).toMatchObject({ tasks: [{ id: first['id'] }] })
    const submitted = await list({ status: 'TASK_STATE_SUBMITTED' })
    expect(submitted).toMatchObject({ totalSize: 2 })
    const done = await list({ status: 'TASK_STATE_COMPLETED', includeArtifacts: true })
    expect(done).toMatchObject({ tasks: [{ artifacts: [{ name: 'output' }] }] })
    expect(await list({ status: 'TASK_STATE_AUTH_REQUIRED' })).toMatchObject({ totalSize: 0 })
    const broken = await agents.rpc('ada', 'ListTasks', { pageToken: 'x' }, { key: sender })
    expect(broken.error).toMatchObject({ code: -32602 })
    const anonymous = await agents.rpc('ada', 'ListTasks', {})
    expect(anonymous.error).toMatchObject({ code: 401 })
  })
})

describe('a stream', () => {
  const told = ({ result }: RpcAnswer): unknown =>
    result?.['artifactUpdate']
      ? 'artifact'
      : (result?.['task'] ?? result?.['statusUpdate'])?.['status']?.['state']

  test('of a message that ends at once tells its beginning and its end', async () => {
    const events = agents.stream('ada', 'SendStreamingMessage', saying('Hello'), { key: sender })
    const all = await Array.fromAsync(events)
    expect(all.map(told)).toEqual(['TASK_STATE_WORKING', 'artifact', 'TASK_STATE_COMPLETED'])
  })

  test('of a message follows its run', async () => {
    const events = agents.stream('ada', 'SendStreamingMessage', asked('this'), { key: sender })
    expect(told((await events.next()).value as RpcAnswer)).toBe('TASK_STATE_SUBMITTED')
    const rest = Array.fromAsync(events)
    await waitedFor()
    const leased = await lease()
    await waitedFor()
    await agents.ask('runs.complete', { ...leased, output: 'done' }, owner)
    expect((await rest).map(told).slice(-2)).toEqual(['artifact', 'TASK_STATE_COMPLETED'])
  })

  test('of a task goes on until it has ended, and is none after that', async () => {
    const { id } = await begun()
    const events = agents.stream('ada', 'SubscribeToTask', { id }, { key: sender })
    expect(told((await events.next()).value as RpcAnswer)).toBe('TASK_STATE_SUBMITTED')
    const rest = Array.fromAsync(events)
    await waitedFor()
    await agents.rpc('ada', 'CancelTask', { id }, { key: owner })
    expect((await rest).map(told)).toEqual(['TASK_STATE_CANCELED'])
    const { error } = await agents.rpc('ada', 'SubscribeToTask', { id }, { key: sender })
    expect(error).toMatchObject({ code: -32004 })
  })

  test('ends with the agent', async () => {
    const { id } = await begun()
    const events = agents.stream('ada', 'SubscribeToTask', { id }, { key: sender })
    await events.next()
    const rest = Array.fromAsync(events)
    await waitedFor()
    await agents.ask('characters.delete', { char_id: 'ada' }, owner)
    expect((await rest).map(told)).toEqual(['TASK_STATE_CANCELED'])
  })

  test('is refused before it begins, like every other answer', async () => {
    const { error } = await agents.rpc('absent', 'SendStreamingMessage', saying('x'))
    expect(error).toMatchObject({ code: 404 })
  })

  test('shows the events of the run to the account of the agent alone', async () => {
    const eventsOf = async (key: string): Promise<string[]> => {
      const { id } = await begun({}, key)
      const events = agents.stream('ada', 'SubscribeToTask', { id }, { key })
      await events.next()
      const rest = Array.fromAsync(events)
      await waitedFor()
      const { run_id, lease_token } = await lease()
      await store.run_events.insert(runEvent(run_id, 'tool.called', clock.now(), { x: 1 }))
      await agents.ask('runs.complete', { run_id, lease_token, output: 'done' }, owner)
      const inside = (await rest).map(
        ({ result }) => result?.['statusUpdate']?.['metadata']?.['abode/event']?.['type'],
      )
      return inside.flatMap((type) => (type === undefined ? [] : [textIn(type)]))
    }
    expect(await eventsOf(owner)).toContain('tool.called')
    expect(await eventsOf(sender)).toEqual([])
  })
})

test('a batch takes several messages, and no stream', async () => {
  const entry = (id: number, method: string) => ({
    jsonrpc: '2.0',
    id,
    method,
    params: saying(`No. ${id}`),
  })
  const batch = [entry(1, 'SendMessage'), entry(2, 'SendMessage'), entry(3, 'SendStreamingMessage')]
  const answers = batchOf(await agents.post('ada', batch, { key: sender }))
  expect(answers.map(({ id }) => id)).toEqual([1, 2, 3])
  expect(taskIn(answers[0] ?? bad())['status']).toMatchObject({ state: 'TASK_STATE_COMPLETED' })
  expect(answers[2]?.error).toMatchObject({ code: -32004 })
})

function bad(): never {
  throw new Error('there is an answer')
}

describe('in the shapes of 0.3', () => {
  const legacy = (text: string, more: object = {}, configuration?: object) => {
    const { message } = saying('')
    const parts = [{ kind: 'text', text }]
    return {
      message: { ...message, kind: 'message', role: 'user', parts, ...more },
      ...(configuration && { configuration }),
    }
  }

  test('a message is answered with its task, which is read and cancelled', async () => {
    const sent = await agents.rpc03('ada', 'message/send', legacy('Hello'), { key: sender })
    expect(sent.result).toMatchObject({
      kind: 'task',
      status: { state: 'completed' },
      artifacts: [{ parts: [{ kind: 'text', text: 'Heard: Hello' }] }],
    })
    const later = legacy('x', { metadata: { task_id: 'think' } }, { blocking: false })
    const begun = await agents.rpc03('ada', 'message/send', later, { key: sender })
    expect(begun.result?.['status']).toMatchObject({ state: 'submitted' })
    const id = begun.result?.['id']
    const read = await agents.rpc03('ada', 'tasks/get', { id }, { key: sender })
    expect(read.result).toMatchObject({ id, kind: 'task' })
    const gone = await agents.rpc03('ada', 'tasks/cancel', { id }, { key: sender })
    expect(gone.result).toMatchObject({ status: { state: 'canceled' } })
    const again = await agents.rpc03('ada', 'tasks/cancel', { id }, { key: sender })
    expect(again.error).toMatchObject({ code: -32002 })
  })

  test('a stream tells how it goes', async () => {
    const headers = { 'a2a-version': '0.3' }
    const sent = { key: sender, headers }
    const events = await Array.fromAsync(
      agents.stream('ada', 'message/stream', legacy('Hello'), sent),
    )
    expect(events.map(({ result }) => result?.['kind'])).toEqual([
      'task',
      'artifact-update',
      'status-update',
    ])
    expect(events.at(-1)?.result).toMatchObject({ final: true, status: { state: 'completed' } })
  })

  test('the whole card is there for those who may speak to the agent', async () => {
    const method = 'agent/getAuthenticatedExtendedCard'
    const { result } = await agents.rpc03('ada', method, undefined, { key: sender })
    expect(result).toMatchObject({ name: 'ada', url: 'http://127.0.0.1:8080/a2a/ada/' })
  })
})
