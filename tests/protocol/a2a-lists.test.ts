import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Store } from '#src/ports/store.ts'
import { fakeClock, type FakeClock } from '#tests/support/fake-clock.ts'
import { pointerTo } from '#tests/support/doors/details.ts'
import { stores } from '#tests/support/stores.ts'
import {
  message,
  openA2a,
  textIn,
  type A2aWorld,
  type RpcAnswer,
  type Shown,
} from './a2a-harness.ts'

describe.each(stores())('the list of tasks on $name', (kind) => {
  let a2a: A2aWorld
  let store: Store
  let clock: FakeClock
  let key: string
  /** The ids of what was sent, the newest first. */
  const sent: string[] = []

  const list = (params: object = {}, more: object = { key }): Promise<RpcAnswer> =>
    a2a.rpc1('ListTasks', params, more)
  const idsIn = ({ result }: RpcAnswer): unknown[] =>
    [...(result?.['tasks'] ?? [])].map((task: Shown) => task['id'])
  const send = async (content: Parameters<typeof message>[0], contextId: string) => {
    const { result } = await a2a.rpc1('SendMessage', message(content, { contextId }), { key })
    await clock.advance(1000)
    return textIn(result?.['task']?.['id'])
  }

  beforeAll(async () => {
    store = await kind.open()
    clock = fakeClock()
    a2a = openA2a(store, { clock })
    key = (await a2a.account()).key
    for (let i = 0; i < 6; i++) {
      const content = i % 3 === 0 ? { operation: 'characters.gt' } : { operation: 'health.get' }
      sent.unshift(await send(content, i < 2 ? 'early' : 'late'))
    }
  })
  afterAll(() => store.close())

  test('holds the caller’s own, the newest first, without artifacts', async () => {
    const answer = await list()
    expect(idsIn(answer)).toEqual(sent)
    expect(answer.result).toMatchObject({ nextPageToken: '', pageSize: 50, totalSize: 6 })
    for (const task of answer.result?.['tasks'] ?? []) {
      expect(task).not.toHaveProperty('artifacts')
      expect(task).toHaveProperty('history')
    }
  })

  test('has artifacts when they are asked for, and no more history than asked for', async () => {
    const { result } = await list({ includeArtifacts: true, historyLength: 0 })
    const [, done] = result?.['tasks'] ?? []
    expect(done).toMatchObject({ artifacts: [{ parts: [{ data: { status: 'ok' } }] }] })
    expect(done).not.toHaveProperty('history')
  })

  test('is nothing to others', async () => {
    const other = (await a2a.account()).key
    expect(idsIn(await list({}, { key: other }))).toEqual([])
  })

  test('comes in pages', async () => {
    const pages: unknown[][] = []
    let pageToken: unknown = ''
    do {
      const answer = await list({ pageSize: 4, pageToken })
      pages.push(idsIn(answer))
      expect(answer.result).toMatchObject({ totalSize: 6, pageSize: 4 })
      pageToken = answer.result?.['nextPageToken']
    } while (pageToken !== '')
    expect(pages).toEqual([sent.slice(0, 4), sent.slice(4)])
  })

  test('is narrowed by context and by time', async () => {
    const early = await list({ contextId: 'early' })
    expect(idsIn(early)).toEqual(sent.slice(4))
    expect(early.result?.['totalSize']).toBe(2)
    const [, second] = (await list({ contextId: 'early' })).result?.['tasks'] ?? []
    const statusTimestampAfter = second?.['status']?.['timestamp']
    expect(idsIn(await list({ statusTimestampAfter }))).toEqual(sent.slice(0, 5))
  })

  test('is narrowed by state, and comes in pages then too', async () => {
    const first = await list({ status: 'TASK_STATE_COMPLETED', pageSize: 3 })
    expect(idsIn(first)).toEqual([sent[0], sent[1], sent[3]])
    expect(first.result?.['totalSize']).toBe(4)
    const pageToken = first.result?.['nextPageToken']
    const second = await list({ status: 'TASK_STATE_COMPLETED', pageSize: 3, pageToken })
    expect(idsIn(second)).toEqual([sent[4]])
    expect(second.result?.['nextPageToken']).toBe('')
    expect(idsIn(await list({ status: 'TASK_STATE_FAILED' }))).toEqual([sent[2], sent[5]])
    expect(idsIn(await list({ status: 'TASK_STATE_WORKING' }))).toEqual([])
  })

  test.each([
    ['a page of none', { pageSize: 0 }, 'pageSize'],
    ['a page of too many', { pageSize: 101 }, 'pageSize'],
    ['a state that is none', { status: 'DONE' }, 'status'],
    ['a time that is none', { statusTimestampAfter: 'yesterday' }, 'statusTimestampAfter'],
    ['a negative history', { historyLength: -1 }, 'historyLength'],
    ['a broken token', { pageToken: 'bm90LWEtdG9rZW4' }, 'pageToken'],
    ['a broken token of a state', { status: 'TASK_STATE_FAILED', pageToken: 'x' }, 'pageToken'],
  ])('%s is -32602', async (_, params, field) => {
    expect((await list(params)).error).toMatchObject({
      code: -32602,
      data: { code: 'invalid_input', errors: [{ pointer: pointerTo(field) }] },
    })
  })

  test('a token of another list is -32602', async () => {
    const pageToken = (await list({ pageSize: 1 })).result?.['nextPageToken']
    expect((await list({ pageSize: 1, pageToken, contextId: 'late' })).error?.code).toBe(-32602)
  })

  test('without a key is of one context only', async () => {
    expect((await list({}, {})).error).toMatchObject({ code: 401 })
    const { result } = await a2a.rpc1('SendMessage', message('hello'))
    const id = result?.['task']?.['id']
    const contextId = result?.['task']?.['contextId']
    expect(idsIn(await list({ contextId }, {}))).toEqual([id])
    expect(idsIn(await list({ contextId: 'late' }, {}))).toEqual([])
    const elsewhere = { address: '192.0.2.0' }
    expect(idsIn(await list({ contextId }, elsewhere))).toEqual([])
  })

  test('a task is read with as much history as asked for', async () => {
    const [id] = sent
    const read = async (historyLength?: number) =>
      (await a2a.rpc1('GetTask', { id, historyLength }, { key })).result
    expect(await read()).toHaveProperty('history')
    expect(await read(5)).toHaveProperty('history')
    expect(await read(0)).not.toHaveProperty('history')
  })

  test('a task is kept for a day', async () => {
    const id = await send({ operation: 'health.get' }, 'aging')
    const read = () => a2a.rpc1('GetTask', { id }, { key })
    await clock.advance(86_390_000)
    expect((await read()).result).toMatchObject({ id })
    await clock.advance(20_000)
    expect((await read()).error?.code).toBe(-32001)
    expect(idsIn(await list())).toEqual([])
  })
})
