import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { stores } from '#tests/support/stores.ts'
import { message, openA2a, type A2aWorld, type RpcAnswer, type Sent } from './a2a-harness.ts'

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

  test('cannot stand for something else', async () => {
    const { message: sent } = message(create('one'))
    const first = await taskOf({ message: sent })
    const other = await taskOf({ message: { ...sent, parts: [{ data: create('two') }] } })
    expect(other?.['status']).toMatchObject({
      state: 'TASK_STATE_FAILED',
      message: { parts: [{ data: { code: 'idempotency_conflict' } }, {}] },
    })
    expect(other?.['id']).not.toBe(first?.['id'])
    const { result } = await a2a.rpc1('GetTask', { id: first?.['id'] }, { key })
    expect(result?.['status']).toMatchObject({ state: 'TASK_STATE_COMPLETED' })
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

describe('a message of words', () => {
  test('is answered with what can be asked, and how', async () => {
    const task = await taskOf(message('What can you do?'), {})
    expect(task).toMatchObject({
      status: { state: 'TASK_STATE_COMPLETED' },
      history: [{ parts: [{ text: 'What can you do?' }] }],
    })
    const [artifact] = task?.['artifacts'] ?? []
    const [words, menu] = artifact?.['parts'] ?? []
    expect(words?.['text']).toContain('"operation"')
    const groups = [...(menu?.['data']?.['groups'] ?? [])]
    expect(groups.map(({ group }) => group)).toContain('agent_apps')
    for (const { group, example } of groups) {
      const asked = await taskOf(message(example as unknown as { operation: string }))
      // What the examples name is not there, but their form is right.
      expect(asked?.['status']?.['state'], JSON.stringify(group)).not.toBe('TASK_STATE_REJECTED')
    }
  })

  test('keeps no more of very long words than that they came', async () => {
    const task = await taskOf(message('x'.repeat(20_000)), {})
    expect(task).not.toHaveProperty('history')
  })
})
