import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { Sender } from '#protocol/admission.ts'
import type { LimitState } from '#src/core/admission/limits.ts'
import type { Store } from '#src/ports/store.ts'
import { stores } from '#tests/support/stores.ts'
import { batchOf, bodyOf, message, openA2a, type A2aWorld } from './a2a-harness.ts'

let store: Store
let a2a: A2aWorld
let key: string
let subject: string
/** Who was counted, in order. */
let counted: Sender[] = []
let isOver = false

const limit = { name: 'reads', count: 9, seconds: 60, remaining: 3, resetSeconds: 20 }
const modern = { headers: { 'a2a-version': '1.0' } }

beforeAll(async () => {
  const [kind] = stores()
  if (!kind) throw new Error('there is always one store')
  store = await kind.open()
  const admit = (who: Sender): LimitState => {
    counted.push(who)
    return { ...limit, admitted: !isOver }
  }
  a2a = openA2a(store, { admit })
  ;({ key, id: subject } = await a2a.account())
})
afterAll(() => store.close())
beforeEach(() => {
  counted = []
  isOver = false
})

const request = (method: string, params: object = {}): object => ({
  jsonrpc: '2.0',
  id: 1,
  method,
  params,
})

describe('what calls no operation', () => {
  test.each([
    ['GetTask', { id: 'x' }],
    ['GetTask', {}],
    ['ListTasks', { contextId: 'x' }],
    ['CancelTask', { id: 'x' }],
    ['SubscribeToTask', { id: 'x' }],
    ['GetExtendedAgentCard', {}],
    ['CreateTaskPushNotificationConfig', {}],
    ['SendMessage', {}],
    ['SendMessage', message('words')],
    ['SendMessage', message({ operation: 'no.such' })],
    ['SendMessage', message('', { parts: [{ raw: 'aGk=' }] })],
    ['SendMessage', message({ operation: 'health.get' }, { taskId: 'x' })],
    ['SendStreamingMessage', message('words')],
    ['tasks/get', { id: 'x' }],
    ['no.such', {}],
  ])('%s with %j is counted once', async (method, params) => {
    await a2a.post(request(method, params), modern)
    expect(counted).toEqual([{ subject: undefined, address: '127.0.0.0' }])
  })

  test('is counted for the account of a key', async () => {
    const answer = await a2a.post(request('GetTask', { id: 'x' }), { key, ...modern })
    expect(counted).toEqual([{ subject, address: '127.0.0.0' }])
    expect(answer.headers).toMatchObject({
      'ratelimit-policy': '"reads";q=9;w=60',
      ratelimit: '"reads";r=3;t=20',
    })
  })

  test('is counted where it is no request, or comes with a wrong key', async () => {
    await a2a.post({ no: 'request' })
    await a2a.post([])
    await a2a.post(request('health.get'), { headers: { authorization: 'Bearer ab_wrong' } })
    expect(counted).toHaveLength(3)
  })
})

test.each([
  ['health.get', {}],
  ['characters.list', {}],
  ['SendMessage', message({ operation: 'health.get' })],
  ['SendStreamingMessage', message({ operation: 'health.get' })],
])('%s with %j is left to the core', async (method, params) => {
  await a2a.post(request(method, params), modern)
  expect(counted).toEqual([])
})

describe('a limit that is used up', () => {
  beforeEach(() => {
    isOver = true
  })

  test.each(['GetTask', 'SendMessage', 'SubscribeToTask', 'no.such'])(
    'is 429 to an address that sends %s',
    async (method) => {
      const answer = await a2a.post(request(method), modern)
      expect(answer).toMatchObject({ status: 429, headers: { 'retry-after': '20' } })
      expect(bodyOf(answer)).toMatchObject({
        id: 1,
        error: { code: 429, data: { code: 'rate_limited', retry_after_s: 20 } },
      })
    },
  )

  test('is 429 to one that tries keys', async () => {
    const answer = await a2a.post(request('health.get'), { headers: { authorization: 'Bearer x' } })
    expect(answer).toMatchObject({ status: 429, headers: { 'retry-after': '20' } })
  })

  test('is told in band to an account', async () => {
    const answer = await a2a.post(request('GetTask', { id: 'x' }), { key, ...modern })
    expect(answer.status).toBe(200)
    expect(bodyOf(answer).error).toMatchObject({ code: 429 })
  })

  test('is told entry by entry in a batch', async () => {
    const answer = await a2a.post([request('health.get'), request('GetTask', { id: 'x' })], modern)
    expect(answer.status).toBe(200)
    expect(batchOf(answer).map(({ error }) => error?.code)).toEqual([undefined, 429])
  })
})

test('an operation that is over its limit makes no task', async () => {
  const limits = { anonymous_reads: { count: 1, seconds: 60 } }
  const strict = openA2a(store, { limits })
  const params = message({ operation: 'limits.get' }, { contextId: 'strict' })
  const send = () => strict.post(request('SendMessage', params), modern)
  expect(bodyOf(await send()).result).toHaveProperty('task')
  const refused = await send()
  expect(refused).toMatchObject({ status: 429, headers: { 'retry-after': expect.any(String) } })
  expect(bodyOf(refused).error).toMatchObject({ code: 429, data: { code: 'rate_limited' } })
  const { result } = await strict.rpc1('ListTasks', { contextId: 'strict' })
  expect(result).toMatchObject({ totalSize: 1 })
})
