import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { pointerTo } from '#tests/support/doors/details.ts'
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
const send = (params: object, sent: Sent = { key }): Promise<RpcAnswer> =>
  a2a.rpc1('SendMessage', params, sent)
const taskOf = async (params: object, sent?: Sent) => (await send(params, sent)).result?.['task']

describe('parts that are neither JSON nor text', () => {
  test.each([
    ['a file', { raw: 'aGk=', mediaType: 'image/png' }],
    ['an address of a file', { url: 'https://example.com/a.pdf' }],
    ['data of another type', { data: {}, mediaType: 'application/cbor' }],
    ['text of another type', { text: 'x', mediaType: 'image/svg+xml' }],
  ])('%s is -32005', async (_, part) => {
    const { error } = await send(message('', { parts: [part] }))
    expect(error).toMatchObject({
      code: -32005,
      data: { code: 'content_type_not_supported' },
    })
  })

  test.each(['application/json', 'application/json; charset=utf-8', 'application/ld+json'])(
    'data of type %s is JSON',
    async (mediaType) => {
      const parts = [{ data: { operation: 'health.get' }, mediaType }]
      expect((await taskOf(message('', { parts })))?.['status']).toMatchObject({
        state: 'TASK_STATE_COMPLETED',
      })
    },
  )
})

describe('what a message gets wrong', () => {
  const { message: right } = message('hello')
  test.each([
    ['no message', {}, 'message'],
    ['no id', { message: { ...right, messageId: undefined } }, 'message.messageId'],
    ['an empty id', { message: { ...right, messageId: '' } }, 'message.messageId'],
    ['an id that is a number', { message: { ...right, messageId: 3 } }, 'message.messageId'],
    ['no role', { message: { ...right, role: undefined } }, 'message.role'],
    ['an unknown role', { message: { ...right, role: 'user' } }, 'message.role'],
    ['no parts', { message: { ...right, parts: [] } }, 'message.parts'],
    ['an empty part', { message: { ...right, parts: [{}] } }, 'message.parts[0]'],
    ['two in one', { message: { ...right, parts: [{ text: 'a', url: 'b' }] } }, 'message.parts[0]'],
    ['a part that is a text', { message: { ...right, parts: ['a'] } }, 'message.parts[0]'],
    ['metadata', { message: { ...right, metadata: 'x' } }, 'message.metadata'],
    ['a broken context', { message: { ...right, contextId: 'a\ud800' } }, 'message.contextId'],
    ['a broken id', { message: { ...right, messageId: '\udc00' } }, 'message.messageId'],
    ['broken metadata', { message: { ...right, metadata: { a: ['\ud800'] } } }, 'message.metadata'],
    ['a broken name', { message: { ...right, metadata: { '\ud800': 1 } } }, 'message.metadata'],
    [
      'broken text',
      { message: { ...right, parts: [{ text: 'a\ud800b' }] } },
      'message.parts[0].text',
    ],
    [
      'a negative history',
      { message: right, configuration: { historyLength: -1 } },
      'configuration.historyLength',
    ],
    [
      'a text for a boolean',
      { message: right, configuration: { returnImmediately: 'false' } },
      'configuration.returnImmediately',
    ],
  ])('%s is told by its path', async (_, params, field) => {
    const { error } = await send(params)
    expect(error).toMatchObject({
      code: -32602,
      data: { code: 'invalid_input', errors: [{ pointer: pointerTo(field) }] },
    })
  })

  test('metadata of any depth is refused, not tripped over', async () => {
    const deep = JSON.parse('{"a":'.repeat(50_000) + '1' + '}'.repeat(50_000)) as unknown
    const { error } = await send({ message: { ...right, metadata: deep } })
    expect(error?.code).toBe(-32602)
    const data = { operation: 'health.get', params: deep }
    const task = await taskOf(message('', { parts: [{ data }] }))
    expect(JSON.stringify(task?.['status'])).toContain('too_deep')
    const nothing = await taskOf(message('', { parts: [{ data: { nothing: deep } }] }))
    expect(nothing?.['status']).toMatchObject({ state: 'TASK_STATE_REJECTED' })
  })

  test('null is a member that is not there', async () => {
    const task = await taskOf({
      message: { ...right, messageId: 'null', contextId: null, metadata: null, taskId: null },
      configuration: null,
    })
    expect(task?.['status']).toMatchObject({ state: 'TASK_STATE_INPUT_REQUIRED' })
  })
})

describe('a message to a task', () => {
  const to = (taskId: unknown, more: object = {}): Promise<RpcAnswer> =>
    send(message('more', { taskId, ...more }))

  test('that has ended is -32004', async () => {
    const task = await taskOf(message(get))
    expect((await to(task?.['id'])).error).toMatchObject({
      code: -32004,
      data: { code: 'unsupported_operation' },
    })
  })

  test('that is not there is -32001', async () => {
    expect((await to('no-such-task')).error?.code).toBe(-32001)
  })

  test('of another context is -32602', async () => {
    const task = await taskOf(message(get))
    const { error } = await to(task?.['id'], { contextId: 'another' })
    expect(error).toMatchObject({
      code: -32602,
      data: { errors: [{ pointer: '/message/contextId' }] },
    })
  })
})

test('a context that the sender names is kept', async () => {
  expect(await taskOf(message(get, { contextId: 'mine' }))).toMatchObject({ contextId: 'mine' })
})
