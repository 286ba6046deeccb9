import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { catalog as wholeCatalog } from '#src/catalog.ts'
import { offered } from '#src/core/operation-facts.ts'
import { stores } from '#tests/support/stores.ts'
import {
  batchOf,
  bodyOf,
  jsonOf,
  message,
  openA2a,
  type A2aWorld,
  type Posted,
  type RpcAnswer,
} from './a2a-harness.ts'
import { wrongToken } from '#tests/support/doors/challenge.ts'

/** What the doors of agents offer of it. */
const catalog = offered(wholeCatalog)

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

const call = (method: string, more: object = {}): object => ({ jsonrpc: '2.0', method, ...more })

describe('an operation as a method', () => {
  test('answers exactly what the operation answers', async () => {
    const { result } = await a2a.rpc('characters.get', { char_id: 'ada' }, { key })
    expect(result).toEqual(await a2a.ask('characters.get', { char_id: 'ada' }, key))
  })

  test('needs no params where the operation needs none', async () => {
    expect(await a2a.rpc('health.get')).toEqual({ jsonrpc: '2.0', id: 7, result: { status: 'ok' } })
  })

  test('every operation is one', async () => {
    for (const op of catalog) {
      const { error } = await a2a.rpc(op.name, { nonsense: 1 })
      expect(error?.code, op.name).not.toBe(-32601)
    }
  })

  test('whose answer holds a secret says so, alone and among others', async () => {
    const [secret, open] = [call('agent_claim.create', { id: 1 }), call('health.get', { id: 2 })]
    expect((await a2a.post(secret)).secret).toBe(true)
    expect((await a2a.post([secret, open])).secret).toBe(true)
    expect((await a2a.post([open, open])).secret).toBeUndefined()
  })

  test('is answered with the id as it was sent', async () => {
    for (const id of ['x', 0, -1, 1.5, '', null]) {
      expect(jsonOf(await a2a.post(call('health.get', { id })))).toMatchObject({ id })
    }
  })

  test('a fault of the input is -32602, with the error object', async () => {
    const { error } = await a2a.rpc('characters.get', { char_ids: 'ada' }, { key })
    expect(error).toMatchObject({
      code: -32602,
      data: { code: 'invalid_input', request_id: 'req_1', errors: expect.any(Array) },
    })
    expect(error?.data?.['errors']).toContainEqual(
      expect.objectContaining({ pointer: '/char_ids', suggestion: 'char_id' }),
    )
  })

  test('positional params are -32602, with an example', async () => {
    const { error } = await a2a.rpc('characters.get', ['ada'], { key })
    expect(error?.code).toBe(-32602)
    expect(error?.data?.['hint']).toContain('"char_id"')
  })

  test('other refusals have the HTTP status as their code', async () => {
    const { error } = await a2a.rpc('characters.get', { char_id: 'absent' }, { key })
    expect(error).toMatchObject({ code: 404, data: { code: 'character_not_found' } })
  })

  test('a missing credential is told by HTTP and in the answer, with how to get one', async () => {
    const answer = await a2a.post(call('characters.list', { id: 1 }))
    expect(answer).toMatchObject({ status: 401, headers: { 'www-authenticate': 'Bearer' } })
    const { error } = jsonOf(answer)
    expect(error).toMatchObject({ code: 401, data: { code: 'unauthenticated' } })
    expect(error?.data?.['hint']).toContain('agent_claim.create')
  })

  test('among others in a batch it is told in its answer alone', async () => {
    const batch = [call('characters.list', { id: 1 }), call('health.get', { id: 2 })]
    const { status, headers } = await a2a.post(batch)
    expect(status).toBe(200)
    expect(headers).not.toHaveProperty('www-authenticate')
  })

  test.each([
    ['characters.creat', 'characters.create'],
    ['characters_get', 'characters.get'],
    ['sendMessage', 'SendMessage'],
    ['message/sent', 'message/send'],
  ])('%s is -32601, and %s is suggested', async (method, suggestion) => {
    const { error } = await a2a.rpc(method, {})
    expect(error).toMatchObject({ code: -32601, data: { suggestion, code: 'operation_not_found' } })
  })

  test.each(['__proto__', 'constructor', 'hasOwnProperty', 'rpc.discover', ''])(
    '"%s" is no method',
    async (method) => expect((await a2a.rpc(method, {})).error?.code).toBe(-32601),
  )
})

describe('an idempotency key', () => {
  const create = (id: string, idempotency: unknown): Promise<RpcAnswer> => {
    const _meta = { 'idempotency-key': idempotency }
    return a2a.rpc('characters.create', { character: { id, name: 'X' }, _meta }, { key })
  }

  test('makes a retry answer the same', async () => {
    const first = await create('bob', 'create-bob')
    expect(first.result).toMatchObject({ id: 'bob' })
    expect(await create('bob', 'create-bob')).toEqual(first)
    const other = await create('eve', 'create-bob')
    expect(other.error).toMatchObject({ code: 409, data: { code: 'idempotency_conflict' } })
  })

  test.each([[3], [''], ['a b'], [null]])('%j is none', async (value) => {
    const { error } = await create('zoe', value)
    expect(error).toMatchObject({ code: 400, data: { code: 'idempotency_key_invalid' } })
  })

  test('other members of _meta are no part of the input', async () => {
    const params = { char_id: 'ada', _meta: { 'example.com/trace': 1 } }
    expect((await a2a.rpc('characters.get', params, { key })).result).toMatchObject({ id: 'ada' })
    const odd = await a2a.rpc('characters.get', { char_id: 'ada', _meta: 3 }, { key })
    expect(odd.result).toMatchObject({ id: 'ada' })
  })
})

describe('what is no request', () => {
  test.each([
    ['a number', 3],
    ['null', null],
    ['an object without members', {}],
    ['an id that is an object', { jsonrpc: '2.0', method: 'health.get', id: {} }],
    ['params that are a text', { jsonrpc: '2.0', method: 'health.get', id: 1, params: 'x' }],
  ])('%s is -32600', async (_, body) => {
    const answer = jsonOf(await a2a.post(body))
    expect(answer.error?.code).toBe(-32600)
  })

  test('a body that is not JSON is -32700 without an id', async () => {
    const answer = jsonOf(await a2a.post(undefined, { parseError: true }))
    expect(answer).toMatchObject({ id: null, error: { code: -32700 } })
    expect(jsonOf(await a2a.post(undefined)).error?.code).toBe(-32700)
  })
})

describe('a notification', () => {
  test('is done and not answered', async () => {
    const params = { character: { id: 'quiet', name: 'Quiet' } }
    const answer = await a2a.post(call('characters.create', { params }), { key })
    expect(answer).toMatchObject({ status: 204, body: undefined })
    expect((await a2a.rpc('characters.get', { char_id: 'quiet' }, { key })).result).toMatchObject({
      name: 'Quiet',
    })
  })

  test('is not answered when it fails either, or is unknown', async () => {
    for (const method of ['characters.list', 'no.such', 'GetTask', 'SendStreamingMessage']) {
      expect((await a2a.post(call(method, { params: {} }))).status, method).toBe(204)
    }
  })

  test('of the protocol is done too, also where its answer would be a stream', async () => {
    const character = { id: 'streamed', name: 'S' }
    const params = message({ operation: 'characters.create', params: { character } })
    const headers = { 'a2a-version': '1.0' }
    const sent = await a2a.post(call('SendStreamingMessage', { params }), { key, headers })
    expect(sent.status).toBe(204)
    const { result } = await a2a.rpc('characters.get', { char_id: 'streamed' }, { key })
    expect(result).toMatchObject({ name: 'S' })
  })
})

describe('a batch', () => {
  test('is answered entry by entry, in order, without its notifications', async () => {
    const answers = batchOf(
      await a2a.post(
        [
          call('characters.get', { id: 1, params: { char_id: 'ada' } }),
          call('health.get'),
          call('no.such', { id: 'two' }),
          17,
          call('health.get', { id: 3 }),
        ],
        { key },
      ),
    )
    expect(answers.map(({ id, error }) => [id, error?.code])).toEqual([
      [1, undefined],
      ['two', -32601],
      [null, -32600],
      [3, undefined],
    ])
  })

  test('holds methods of the protocol, but no streams', async () => {
    const answers = batchOf(
      await a2a.post(
        [
          call('SendMessage', { id: 1, params: message('hello') }),
          call('SendStreamingMessage', { id: 2, params: message('hello') }),
        ],
        { headers: { 'a2a-version': '1.0' } },
      ),
    )
    expect(answers[0]?.result).toMatchObject({
      task: { status: { state: 'TASK_STATE_INPUT_REQUIRED' } },
    })
    expect(answers[1]?.error?.code).toBe(-32004)
  })

  test('of notifications is not answered', async () => {
    const answer = await a2a.post([call('health.get'), call('health.get')])
    expect(answer).toMatchObject({ status: 204, body: undefined })
  })

  test.each([
    ['empty', []],
    ['larger than fifty', Array.from({ length: 51 }, () => call('health.get', { id: 1 }))],
  ])('that is %s is -32600 as a whole', async (_, batch) => {
    expect(jsonOf(await a2a.post(batch))).toMatchObject({ id: null, error: { code: -32600 } })
  })
})

describe('what HTTP refuses', () => {
  const health = call('health.get', { id: 5 })
  const cases: [string, Posted, number, Record<string, unknown>][] = [
    ['another method', { method: 'GET' }, 405, { allow: 'POST' }],
    ['a body over 16 MB', { rawLength: 16 * 1024 * 1024 + 1 }, 413, {}],
    ['a foreign Host', { headers: { host: 'evil.example' } }, 403, {}],
    ['a foreign Origin', { headers: { origin: 'https://evil.example' } }, 403, {}],
    ['another media type', { headers: { 'content-type': 'text/plain' } }, 415, {}],
    ['no media type', { headers: { 'content-type': '' } }, 415, {}],
    [
      'an unknown key',
      { headers: { authorization: 'Bearer ab_nonsense' } },
      401,
      { 'www-authenticate': wrongToken },
    ],
    [
      'another scheme than Bearer',
      { headers: { authorization: 'Basic eDp5' } },
      401,
      { 'www-authenticate': wrongToken },
    ],
  ]
  test.each(cases)('%s', async (_, sent, status, headers) => {
    const answer = await a2a.post(health, sent)
    expect(answer.status).toBe(status)
    expect(answer.headers).toMatchObject(headers)
    expect(bodyOf(answer)).toMatchObject({
      jsonrpc: '2.0',
      id: 5,
      error: { code: expect.anything() },
    })
  })

  test('a wrong media type has the number that the protocol gives it', async () => {
    const answer = await a2a.post(health, { headers: { 'content-type': 'text/plain' } })
    expect(bodyOf(answer).error).toMatchObject({
      code: -32005,
      data: { code: 'unsupported_media_type', request_id: 'req_1' },
    })
  })

  test('a fault of the transport is told in the words of JSON-RPC', async () => {
    const fault = { status: 400, message: 'The address holds a broken percent escape.' }
    const answer = await a2a.post(undefined, { fault })
    expect(answer).toMatchObject({ status: 400, headers: { 'content-type': 'application/json' } })
    const { message } = fault
    const data = { code: 'bad_request', detail: message, request_id: 'req_1' }
    expect(bodyOf(answer)).toEqual({
      jsonrpc: '2.0',
      id: null,
      error: { code: 400, message, data },
    })
  })

  test('an id that no number can be is no request, alone and in a batch', async () => {
    const endless = { ...health, id: Infinity }
    const refused = {
      jsonrpc: '2.0',
      id: null,
      error: {
        code: -32600,
        message: expect.any(String),
        data: expect.objectContaining({ code: 'invalid_input', request_id: 'req_1' }),
      },
    }
    expect(bodyOf(await a2a.post(endless))).toEqual(refused)
    expect(batchOf(await a2a.post([endless]))).toEqual([refused])
  })

  test.each(['application/json; charset=utf-8', 'application/a2a+json', 'Application/JSON'])(
    '%s is JSON',
    async (type) => {
      expect((await a2a.post(health, { headers: { 'content-type': type } })).status).toBe(200)
    },
  )

  test('a page of the service itself may call', async () => {
    const headers = { origin: 'http://127.0.0.1:8080' }
    expect((await a2a.post(health, { headers })).status).toBe(200)
  })
})

describe('extensions', () => {
  const uri = 'http://127.0.0.1:8080/ext/operations/v1'

  test.each(['a2a-extensions', 'x-a2a-extensions'])(
    '%s is echoed as it was named',
    async (name) => {
      const headers = { [name]: `https://other.example/ext, ${uri}` }
      const answer = await a2a.post(call('health.get', { id: 1 }), { headers })
      expect(answer.headers).toMatchObject({ [name]: uri })
    },
  )

  test('nothing is echoed that was not asked for, or is not ours', async () => {
    const plain = await a2a.post(call('health.get', { id: 1 }))
    expect(plain.headers).not.toHaveProperty('a2a-extensions')
    const headers = { 'a2a-extensions': 'https://other.example/ext' }
    const other = await a2a.post(call('health.get', { id: 1 }), { headers })
    expect(other.headers).not.toHaveProperty('a2a-extensions')
  })
})
