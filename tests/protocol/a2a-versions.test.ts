import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { stores } from '#tests/support/stores.ts'
import {
  legacyMessage,
  message,
  openA2a,
  type A2aWorld,
  type RpcAnswer,
  type Sent,
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

describe('version 0.3', () => {
  test('has the same in its own words', async () => {
    const { result } = await a2a.rpc('message/send', legacyMessage(get), { key })
    expect(result).toMatchObject({
      kind: 'task',
      status: { state: 'completed' },
      artifacts: [{ parts: [{ kind: 'data', data: { id: 'ada' } }] }],
    })
    const read = await a2a.rpc('tasks/get', { id: result?.['id'] }, { key })
    expect(read.result).toMatchObject({ kind: 'task', id: result?.['id'] })
    const cancelled = await a2a.rpc('tasks/cancel', { id: result?.['id'] }, { key })
    expect(cancelled.error).toMatchObject({
      code: -32002,
      message: expect.stringContaining('GetTask'),
    })
  })

  test('is refused its mistakes in the same way', async () => {
    const { error } = await a2a.rpc('message/send', { message: { parts: [] } })
    expect(error).toMatchObject({
      code: -32602,
      data: {
        errors: expect.arrayContaining([
          expect.objectContaining({ pointer: '/message/messageId' }),
        ]),
      },
    })
    const part = { kind: 'file', file: { uri: 'https://example.com/a' } }
    const file = { messageId: 'f', role: 'user', parts: [part] }
    expect((await a2a.rpc('message/send', { message: file })).error?.code).toBe(-32005)
  })

  test('has no push', async () => {
    for (const method of ['set', 'get', 'list', 'delete']) {
      const { error } = await a2a.rpc(`tasks/pushNotificationConfig/${method}`, {})
      expect(error?.code, method).toBe(-32003)
    }
  })
})

describe('the version that is asked for', () => {
  const hello = (version?: string, query?: string): Promise<RpcAnswer> =>
    a2a.rpc('SendMessage', message('hello'), {
      ...(version !== undefined && { headers: { 'a2a-version': version } }),
      ...(query !== undefined && { query }),
    })

  test.each(['1.0', ' 1.0 ', '1.0.7'])('"%s" is 1.0', async (version) => {
    expect((await hello(version)).result).toHaveProperty('task')
  })

  test('may stand in the query', async () => {
    expect((await hello(undefined, 'A2A-Version=1.0')).result).toHaveProperty('task')
  })

  test.each(['2.0', '99.0', 'x', '1', '0.2'])('"%s" is -32009', async (version) => {
    expect((await hello(version)).error).toMatchObject({
      code: -32009,
      data: { code: 'version_not_supported' },
    })
  })

  test.each([undefined, '', '0.3'])('"%s" is 0.3, which has no such method', async (version) => {
    const { error } = await hello(version)
    expect(error?.code).toBe(-32601)
    expect(error?.data?.['hint']).toContain('A2A-Version: 1.0')
  })

  test('does not matter to operations', async () => {
    const headers = { 'a2a-version': '99.0' }
    expect((await a2a.rpc('health.get', {}, { headers })).result).toEqual({ status: 'ok' })
  })
})

describe('what is not offered', () => {
  test.each(['Create', 'Get', 'Delete'])('%sTaskPushNotificationConfig is -32003', async (verb) => {
    const { error } = await a2a.rpc1(`${verb}TaskPushNotificationConfig`, { taskId: 't' })
    expect(error).toMatchObject({
      code: -32003,
      data: { code: 'push_notification_not_supported' },
    })
  })

  test('ListTaskPushNotificationConfigs is -32003', async () => {
    expect((await a2a.rpc1('ListTaskPushNotificationConfigs', {})).error?.code).toBe(-32003)
  })
})

describe('a stream', () => {
  const streamed = async (params: object, sent: Sent = { key }): Promise<RpcAnswer[]> =>
    Array.fromAsync(a2a.stream('SendStreamingMessage', params, sent))

  test('begins with the task and ends with its end', async () => {
    const events = await streamed(message(get))
    expect(events.map(({ id }) => id)).toEqual([7, 7, 7])
    expect(events.map(({ result }) => result)).toMatchObject([
      { task: { status: { state: 'TASK_STATE_WORKING' }, history: [{}] } },
      { artifactUpdate: { artifact: { parts: [{ data: { id: 'ada' } }] }, lastChunk: true } },
      { statusUpdate: { status: { state: 'TASK_STATE_COMPLETED' } } },
    ])
  })

  test('tells a refusal as the end of the task', async () => {
    const events = await streamed(message({ operation: get.operation, params: {} }))
    expect(events.map(({ result }) => result)).toMatchObject([
      { task: {} },
      { statusUpdate: { status: { state: 'TASK_STATE_REJECTED', message: { parts: [{}, {}] } } } },
    ])
  })

  test('is no stream where the request itself is wrong', async () => {
    expect((await a2a.rpc1('SendStreamingMessage', {})).error?.code).toBe(-32602)
    const to = message('x', { taskId: 'no-such-task' })
    expect((await a2a.rpc1('SendStreamingMessage', to)).error?.code).toBe(-32001)
  })

  test('is as long as history was asked for', async () => {
    const [first] = await streamed(message(get, {}, { historyLength: 0 }))
    expect(first?.result?.['task']).not.toHaveProperty('history')
  })
})
