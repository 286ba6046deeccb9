import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { stores } from '#tests/support/stores.ts'
import {
  message,
  openA2a,
  type A2aWorld,
  type RpcAnswer,
  type Sent,
  type Shown,
} from './a2a-harness.ts'

let a2a: A2aWorld
let key: string

beforeAll(async () => {
  const [kind] = stores()
  if (!kind) throw new Error('there is always one store')
  a2a = openA2a(await kind.open())
  key = (await a2a.account()).key
  await a2a.ask('characters.create', { character: { id: 'ada', name: 'Ada' } }, key)
})
afterAll(() => a2a.ports.store.close())

const get = { operation: 'characters.get', params: { char_id: 'ada' } }
const create = (id: string): { operation: string; params: object } => ({
  operation: 'characters.create',
  params: { character: { id, name: id } },
})
const send = (params: object, sent: Sent = { key }): Promise<RpcAnswer> =>
  a2a.rpc1('SendMessage', params, sent)
const taskOf = async (params: object, sent?: Sent) => (await send(params, sent)).result?.['task']

describe('a message with an operation', () => {
  test('becomes a completed task with what the operation answers', async () => {
    const params = message(get)
    const task = await taskOf(params)
    const output = await a2a.ask('characters.get', { char_id: 'ada' }, key)
    expect(task).toMatchObject({
      status: { state: 'TASK_STATE_COMPLETED', timestamp: expect.any(String) },
      artifacts: [{ name: 'characters.get', parts: [{ data: output }] }],
      history: [{ messageId: params.message['messageId'], role: 'ROLE_USER' }],
      metadata: { 'abode/operation': 'characters.get' },
    })
    expect(task?.['id']).toMatch(/^[0-9a-f-]{36}$/)
  })

  test('may come after words, and with none of its members but the operation', async () => {
    const parts = [{ text: 'Are you well?' }, { data: { operation: 'health.get' } }]
    const task = await taskOf(message('', { parts }), {})
    expect(task).toMatchObject({
      artifacts: [{ parts: [{ data: { status: 'ok' } }] }],
      history: [{ parts: [{ data: { operation: 'health.get' } }, { text: 'Are you well?' }] }],
    })
  })

  test('keeps nothing of what the operation was given', async () => {
    const secret = { operation: 'characters.get', params: { char_id: 'ada', x: 'hush' } }
    const task = await taskOf(message(secret))
    const { result } = await a2a.rpc1('GetTask', { id: task?.['id'] }, { key })
    expect(JSON.stringify(result)).not.toContain('hush')
    expect(result?.['history']).toMatchObject([{ parts: [{ data: { operation: get.operation } }] }])
  })
})

describe('a message whose operation is refused', () => {
  test('has failed, with the error object', async () => {
    const task = await taskOf(message({ operation: get.operation, params: { char_id: 'absent' } }))
    expect(task).toMatchObject({
      status: {
        state: 'TASK_STATE_FAILED',
        message: {
          role: 'ROLE_AGENT',
          parts: [
            { data: { code: 'character_not_found', request_id: 'req_1' } },
            { text: expect.stringContaining('absent') },
          ],
        },
      },
    })
    expect(task).not.toHaveProperty('artifacts')
  })

  test('is rejected where the input is wrong', async () => {
    const task = await taskOf(message({ operation: get.operation, params: {} }))
    expect(task?.['status']).toMatchObject({
      state: 'TASK_STATE_REJECTED',
      message: {
        parts: [{ data: { code: 'invalid_input', errors: [{ pointer: '/char_id' }] } }, {}],
      },
    })
  })

  test('has failed without the credential that it needs, and says how to get one', async () => {
    const task = await taskOf(message(get), {})
    expect(task?.['status']).toMatchObject({
      state: 'TASK_STATE_FAILED',
      message: { parts: [{ data: { code: 'unauthenticated' } }, {}] },
    })
  })

  test.each([
    ['an operation that is none', { operation: 'characters.gt' }, 'FAILED', 'operation_not_found'],
    ['a name of every object', { operation: 'constructor' }, 'FAILED', 'operation_not_found'],
    ['no operation', { params: {} }, 'REJECTED', 'invalid_input'],
    ['a stray member', { operation: 'health.get', parms: {} }, 'REJECTED', 'invalid_input'],
    ['a list', [1], 'REJECTED', 'invalid_input'],
    ['a text', 'x', 'REJECTED', 'invalid_input'],
    [
      'params that are a list',
      { operation: 'health.get', params: [] },
      'REJECTED',
      'invalid_input',
    ],
  ])('%s in its data part is refused', async (_, data, state, code) => {
    const task = await taskOf(message('', { parts: [{ data }] }))
    expect(task?.['status']).toMatchObject({
      state: `TASK_STATE_${state}`,
      message: { parts: [{ data: { code } }, {}] },
    })
  })

  test('a mistyped name gets the nearest one', async () => {
    const task = await taskOf(message({ operation: 'characters.gt' }))
    expect(JSON.stringify(task?.['status'])).toContain('"suggestion":"characters.get"')
  })
})

describe('the id of a message', () => {
  test('is the idempotency key: what was done is not done again', async () => {
    const params = message(create('once'))
    const first = await taskOf(params)
    expect(first?.['status']).toMatchObject({ state: 'TASK_STATE_COMPLETED' })
    const again = await taskOf(params)
    expect(again).toMatchObject({
      id: first?.['id'],
      contextId: first?.['contextId'],
      artifacts: first?.['artifacts'],
    })
  })

  test('that had other content before is that of another message', async () => {
    const { message: sent } = message(create('one'))
    const first = await taskOf({ message: sent })
    const other = await taskOf({ message: { ...sent, parts: [{ data: create('two') }] } })
    expect(other).toMatchObject({
      status: { state: 'TASK_STATE_COMPLETED' },
      artifacts: [{ parts: [{ data: { id: 'two' } }] }],
    })
    expect(other?.['id']).not.toBe(first?.['id'])
    const again = await taskOf({ message: { ...sent, parts: [{ data: create('two') }] } })
    expect(again?.['id']).toBe(other?.['id'])
    const { result } = await a2a.rpc1('GetTask', { id: first?.['id'] }, { key })
    expect(result?.['status']).toMatchObject({ state: 'TASK_STATE_COMPLETED' })
  })

  test('and what was said without words stand in the history with parts', async () => {
    const task = await taskOf(message('x', { parts: [{ data: { color: 'red' } }] }))
    expect(task?.['history']).toMatchObject([{ parts: [{ text: 'What was sent is not kept.' }] }])
  })

  test('may have the name that Protobuf gives it', async () => {
    const { message: sent } = message(create('named'))
    const { messageId: message_id, ...rest } = sent
    const task = await taskOf({ message: { message_id, ...rest } })
    expect(task?.['status']).toMatchObject({ state: 'TASK_STATE_COMPLETED' })
    expect(await taskOf({ message: sent })).toMatchObject({ id: task?.['id'] })
  })

  test('may be any text, and belongs to its sender', async () => {
    const messageId = 'mit Leerzeichen, ü und 🙂'.repeat(20)
    const other = (await a2a.account()).key
    const params = message({ operation: 'api_keys.create', params: { name: 'k' } }, { messageId })
    const mine = await taskOf(params)
    const theirs = await taskOf(params, { key: other })
    expect(mine?.['status']).toMatchObject({ state: 'TASK_STATE_COMPLETED' })
    expect(theirs?.['status']).toMatchObject({ state: 'TASK_STATE_COMPLETED' })
    expect(theirs?.['id']).not.toBe(mine?.['id'])
  })

  test('is never the same key as one that is sent as such', async () => {
    const { message: sent } = message(create('apart'), { messageId: 'shared' })
    await taskOf({ message: sent })
    const _meta = { 'idempotency-key': 'shared' }
    const params = { character: { id: 'apart-too', name: 'x' }, _meta }
    expect((await a2a.rpc('characters.create', params, { key })).result).toMatchObject({
      id: 'apart-too',
    })
  })

  test('a refused input burns nothing: the same message, put right, is done', async () => {
    const { message: sent } = message({ operation: 'characters.create', params: {} })
    expect((await taskOf({ message: sent }))?.['status']).toMatchObject({
      state: 'TASK_STATE_REJECTED',
    })
    const right = await taskOf({ message: { ...sent, parts: [{ data: create('right') }] } })
    expect(right?.['status']).toMatchObject({ state: 'TASK_STATE_COMPLETED' })
  })
})

describe('a secret in an answer', () => {
  test('is given once, again to the same message, and kept nowhere', async () => {
    const params = message({ operation: 'api_keys.create', params: { name: 'k' } })
    const task = await taskOf(params)
    const [secret = ''] = /ab_[0-9A-Za-z]{38}/.exec(JSON.stringify(task)) ?? []
    expect(secret).not.toBe('')
    const { result } = await a2a.rpc1('GetTask', { id: task?.['id'] }, { key })
    expect(result).toMatchObject({
      artifacts: [{ parts: [{ text: expect.stringMatching('once') }] }],
    })
    expect(JSON.stringify(await a2a.ports.store.a2a_tasks.find({}))).not.toContain(secret)
    expect(JSON.stringify(await taskOf(params))).toContain(secret)
  })
})

test('an answer that is too large to be kept is given again to the same message', async () => {
  const bio = 'x'.repeat(70_000)
  const character = { id: 'large', name: 'Large', tagline: 'x', bio, system: bio }
  const params = message({ operation: 'characters.create', params: { character } })
  const task = await taskOf(params)
  expect(JSON.stringify(task)).toContain(bio)
  const { result } = await a2a.rpc1('GetTask', { id: task?.['id'] }, { key })
  expect(result).toMatchObject({
    status: { state: 'TASK_STATE_COMPLETED' },
    artifacts: [{ parts: [{ text: expect.stringContaining('too large') }] }],
  })
  expect((await taskOf(params))?.['artifacts']).toEqual(task?.['artifacts'])
})

describe('an operation that is written in a text', () => {
  const call = { operation: 'characters.get', params: { char_id: 'ada' } }
  const written = JSON.stringify(call)

  test.each([
    ['alone', written],
    ['after words', `Please do this: ${written} Thank you.`],
    ['in a block', `\`\`\`json\n${written}\n\`\`\``],
    ['in a block between words', `See {braces}.\n\`\`\`\n${written}\n\`\`\`\nAnd that is all.`],
    ['as a method', JSON.stringify({ method: call.operation, params: call.params })],
    ['as a tool', JSON.stringify({ name: 'characters_get', arguments: call.params })],
    [
      'as a model writes a tool',
      JSON.stringify({ name: 'characters_get', arguments: JSON.stringify(call.params) }),
    ],
    [
      'as a call of JSON-RPC',
      JSON.stringify({ jsonrpc: '2.0', id: 1, method: call.operation, params: call.params }),
    ],
    [
      'as a call of MCP',
      JSON.stringify({
        method: 'tools/call',
        params: { name: 'characters_get', arguments: call.params },
      }),
    ],
  ])('is done: %s', async (_, text) => {
    const task = await taskOf(message(text))
    expect(task).toMatchObject({
      status: { state: 'TASK_STATE_COMPLETED' },
      artifacts: [{ name: 'characters.get', parts: [{ data: { id: 'ada' } }] }],
      metadata: { 'abode/operation': 'characters.get' },
    })
    // The input may hold secrets, in a text as in a data part.
    expect(task?.['history']).toMatchObject([{ parts: [{ data: { operation: call.operation } }] }])
    expect(JSON.stringify(task?.['history'])).not.toContain('char_id')
  })

  test('has an effect once, however often it is sent', async () => {
    const params = message(JSON.stringify(create('in-words')))
    const first = await taskOf(params)
    expect(first?.['status']).toMatchObject({ state: 'TASK_STATE_COMPLETED' })
    expect((await taskOf(params))?.['id']).toBe(first?.['id'])
  })

  test.each([
    ['one that is none', '{"operation": "characters.gt"}', 'FAILED', 'operation_not_found'],
    ['a tool that is none', '{"name": "x", "arguments": {}}', 'FAILED', 'operation_not_found'],
    [
      'two names',
      '{"operation": "health.get", "method": "limits.get"}',
      'REJECTED',
      'invalid_input',
    ],
    ['a stray member', '{"method": "health.get", "parms": {}}', 'REJECTED', 'invalid_input'],
  ])('is refused: %s', async (_, text, state, code) => {
    expect((await taskOf(message(text)))?.['status']).toMatchObject({
      state: `TASK_STATE_${state}`,
      message: { parts: [{ data: { code } }, {}] },
    })
  })

  test.each([
    ['an object of something else', '{"name": "Ada", "role": "Greeter"}'],
    ['two calls', `${written} ${written}`],
    ['two blocks', `\`\`\`json\n${written}\n\`\`\`\n\`\`\`json\n${written}\n\`\`\``],
    ['JSON that is cut off', written.slice(0, -2)],
    ['one in a text that is too long', `${written}${' '.repeat(2 ** 16)}`],
    ['braces without end', '{'.repeat(60_000)],
    ['fences without end', '```{'.repeat(15_000)],
  ])('is not guessed: %s', async (_, text) => {
    expect((await taskOf(message(text)))?.['status']).toMatchObject({
      state: 'TASK_STATE_INPUT_REQUIRED',
    })
  })
})

describe('a message of words', () => {
  const offered = (task: Shown | undefined): Shown[] => {
    const [, part] = task?.['status']?.['message']?.['parts'] ?? []
    return [...(part?.['data']?.['operations'] ?? [])]
  }
  const namesIn = (task: Shown | undefined) =>
    offered(task).map((one) => one['call']?.['operation'])

  test('is asked for more, with the operations that fit it best', async () => {
    const task = await taskOf(message('I want to run a task'))
    expect(task).toMatchObject({
      status: { state: 'TASK_STATE_INPUT_REQUIRED', message: { role: 'ROLE_AGENT' } },
      history: [{ parts: [{ text: 'I want to run a task' }] }],
    })
    expect(task).not.toHaveProperty('artifacts')
    expect(namesIn(task)).toContain('tasks.run')
    expect(namesIn(task)).toHaveLength(3)
    const [words] = task?.['status']?.['message']?.['parts'] ?? []
    expect(words?.['text']).toContain('tasks.run')
  })

  test.each([
    'What can you do?',
    'provision an app of many agents and validate its manifest',
    'Show what an update with this manifest would do; nothing is changed.',
    'Create a whole team of agents from one App Manifest: all of it or nothing.',
    'Check an App Manifest and list every finding; nothing is changed.',
    'xyzzy',
    '?',
    '\ud800',
    'word '.repeat(10_000),
  ])('%j is answered with little, and calls that have the right form', async (words) => {
    const task = await taskOf(message(words.toWellFormed()), {})
    expect(namesIn(task)[0]).toBe('agent_claim.create')
    expect(namesIn(task)).toHaveLength(3)
    expect(Buffer.byteLength(JSON.stringify(task?.['status']))).toBeLessThan(2_048)
    for (const { call } of offered(task)) {
      const asked = await taskOf(message(call as unknown as { operation: string }))
      // What the examples name is not there, but their form is right.
      expect(asked?.['status']?.['state'], JSON.stringify(call)).not.toBe('TASK_STATE_REJECTED')
    }
  })

  test('is followed by the call that was wanted, in the same task', async () => {
    const asked = await taskOf(message('I want to read an agent'))
    const taskId = asked?.['id']
    const again = await taskOf(message('The one that is called Ada', { taskId }))
    expect(again).toMatchObject({ id: taskId, status: { state: 'TASK_STATE_INPUT_REQUIRED' } })
    const params = message(get, { taskId, contextId: asked?.['contextId'] })
    const done = await taskOf(params)
    expect(done).toMatchObject({
      id: taskId,
      contextId: asked?.['contextId'],
      status: { state: 'TASK_STATE_COMPLETED' },
      artifacts: [{ parts: [{ data: { id: 'ada' } }] }],
    })
    expect([...(done?.['history'] ?? [])]).toHaveLength(3)
    expect((await taskOf(params))?.['id']).toBe(taskId)
    expect((await a2a.rpc1('GetTask', { id: taskId }, { key })).result).toMatchObject({
      status: { state: 'TASK_STATE_COMPLETED' },
    })
    // It has ended, and takes nothing more.
    expect((await send(message(get, { taskId }))).error?.code).toBe(-32004)
  })

  test("is its sender's to answer, and to drop", async () => {
    const asked = await taskOf(message('I want to read an agent'))
    const other = (await a2a.account()).key
    const { error } = await send(message(get, { taskId: asked?.['id'] }), { key: other })
    expect(error?.code).toBe(-32001)
    const elsewhere = message(get, { taskId: asked?.['id'], contextId: 'another' })
    expect((await send(elsewhere)).error?.code).toBe(-32602)
    const { result } = await a2a.rpc1('CancelTask', { id: asked?.['id'] }, { key })
    expect(result?.['status']).toMatchObject({ state: 'TASK_STATE_CANCELED' })
    expect((await send(message(get, { taskId: asked?.['id'] }))).error?.code).toBe(-32004)
  })

  test('keeps no more of very long words than that they came', async () => {
    const task = await taskOf(message('x'.repeat(20_000)), {})
    expect(task).not.toHaveProperty('history')
  })
})
