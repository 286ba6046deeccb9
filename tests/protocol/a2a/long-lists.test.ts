import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { Store } from '#src/ports/store.ts'
import { fakeClock, type FakeClock } from '#tests/support/fake-clock.ts'
import { stores } from '#tests/support/stores.ts'
import { message, openA2a, textIn, type A2aWorld, type Shown } from '#tests/protocol/a2a-harness.ts'

const large = 600_000
const now = { returnImmediately: true }

describe.each(stores())('a list of tasks that are large runs on $name', (kind) => {
  let a2a: A2aWorld
  let store: Store
  let clock: FakeClock
  let key: string
  /** The most documents of runs that were read whole at once, and how many in all. */
  let read: { most: number; all: number }

  beforeEach(async () => {
    store = await kind.open()
    clock = fakeClock()
    a2a = openA2a(store, { clock })
    key = (await a2a.account()).key
    await a2a.ask('characters.create', { character: { id: 'ada', name: 'Ada' } }, key)
    const task = { task_id: 'think', name: 'Think', prompt: 'Think of {{input}}' }
    await a2a.ask('tasks.create', { char_id: 'ada', task }, key)
    read = { most: 0, all: 0 }
    let under = 0
    const text = store.runs.text.bind(store.runs)
    store.runs.text = async (...asked) => {
      under += 1
      read.all += 1
      read.most = Math.max(read.most, under)
      return text(...asked).finally(() => (under -= 1))
    }
  })
  afterEach(async () => {
    await a2a.door.close()
    await store.close()
  })

  const list = async (params: object = {}): Promise<Shown> => {
    const { result, error } = await a2a.rpc1('ListTasks', params, { key })
    if (!result) throw new Error(JSON.stringify(error))
    return result
  }
  const tasksIn = (result: Shown): Shown[] => [...(result['tasks'] ?? [])]
  const idsIn = (result: Shown): string[] => tasksIn(result).map((task) => textIn(task['id']))
  const statesIn = (result: Shown): string[] =>
    tasksIn(result).map((task) => textIn(task['status']?.['state']).slice('TASK_STATE_'.length))
  const send = async (contextId = 'ctx'): Promise<string> => {
    const params = { char_id: 'ada', task_id: 'think', input: 'this' }
    const run = message({ operation: 'tasks.run', params }, { contextId }, now)
    const { result } = await a2a.rpc1('SendMessage', run, { key })
    await clock.advance(1000)
    return textIn(result?.['task']?.['id'])
  }
  const lease = async () => {
    const { run, lease_token } = await a2a.ask<{ run: { id: string }; lease_token: string }>(
      'runs.lease',
      { char_id: 'ada' },
      key,
    )
    return { run_id: run.id, lease_token }
  }
  const complete = async (output: string): Promise<void> => {
    await a2a.ask('runs.complete', { ...(await lease()), output }, key)
    await clock.advance(1000)
  }
  const sendAll = async (count: number, length = large): Promise<string[]> => {
    const ids: string[] = []
    for (let n = 0; n < count; n++) {
      ids.unshift(await send())
      await complete('x'.repeat(length))
    }
    read.all = 0
    return ids
  }
  const outputsIn = (result: Shown): (number | undefined)[] =>
    tasksIn(result).map((task) => {
      const [artifact] = [...(task['artifacts'] ?? [])]
      const [part] = [...(artifact?.['parts'] ?? [])]
      return textIn(part?.['data']?.['output']).length
    })

  test('ends a page where it is full, and says where the next begins', async () => {
    const ids = await sendAll(5)
    const pages: string[][] = []
    let pageToken: unknown = ''
    do {
      const page = await list({ includeArtifacts: true, pageSize: 100, pageToken })
      expect(JSON.stringify(page).length).toBeLessThan(2 ** 20 + 10_000)
      expect(page).toMatchObject({ totalSize: 5, pageSize: 100 })
      expect(outputsIn(page)).toEqual([large])
      pages.push(idsIn(page))
      pageToken = page['nextPageToken']
    } while (pageToken !== '')
    expect(pages).toEqual(ids.map((id) => [id]))
  })

  test('reads what a page shows, one after the other, and little more', async () => {
    await sendAll(6, 300_000)
    const page = await list({ includeArtifacts: true })
    expect(outputsIn(page)).toEqual([300_000, 300_000, 300_000])
    expect([read.most, read.all]).toEqual([1, 3])
  })

  test('reads no run for its state alone, and each ended one once', async () => {
    const ids = await sendAll(4)
    const working = await send()
    await lease()
    read.all = 0
    const page = await list()
    expect(idsIn(page)).toEqual([working, ...ids])
    expect(statesIn(page)).toEqual(['WORKING', 'COMPLETED', 'COMPLETED', 'COMPLETED', 'COMPLETED'])
    expect(page).toMatchObject({ totalSize: 5, nextPageToken: '' })
    expect(read.all).toBe(0)
    const kept = await store.a2a_tasks.get(ids[0] ?? '')
    expect(kept?.task).toContain('TASK_STATE_COMPLETED')
    const whole = await a2a.rpc1('GetTask', { id: ids[0] }, { key })
    expect(whole.result).toMatchObject({
      artifacts: [{ parts: [{ data: { output: 'x'.repeat(large) } }] }],
    })
    expect(JSON.stringify(whole.result)).not.toContain('abode/cut')
  })

  test('finds those of one state by how their runs stand now', async () => {
    const ids = await sendAll(3)
    const queued = await send()
    const narrowed = (status: string, more: object = {}) =>
      list({ status: `TASK_STATE_${status}`, ...more })
    const first = await narrowed('COMPLETED', { pageSize: 2 })
    expect([idsIn(first), first['totalSize']]).toEqual([ids.slice(0, 2), 3])
    const pageToken = first['nextPageToken']
    const second = await narrowed('COMPLETED', { pageSize: 2, pageToken })
    expect([idsIn(second), second['nextPageToken']]).toEqual([ids.slice(2), ''])
    expect(idsIn(await narrowed('SUBMITTED'))).toEqual([queued])
    await complete('done')
    expect(idsIn(await narrowed('SUBMITTED'))).toEqual([])
    expect(idsIn(await narrowed('COMPLETED'))).toEqual([queued, ...ids])
    const both = await narrowed('COMPLETED', { contextId: 'another' })
    expect([idsIn(both), both['totalSize']]).toEqual([[], 0])
  })

  test('finds those that have changed since a time, even without a read in between', async () => {
    const early = await send()
    await send()
    const statusTimestampAfter = clock.now().toISOString()
    await clock.advance(1000)
    await complete('x'.repeat(large))
    const page = await list({ statusTimestampAfter })
    expect([idsIn(page), statesIn(page), page['totalSize']]).toEqual([[early], ['COMPLETED'], 1])
  })

  test('finds those that were kept before their state was noted', async () => {
    const [id] = await sendAll(1)
    await list()
    await store.a2a_tasks.update({ id: id ?? '' }, { $unset: { state: true, run_id: true } })
    expect(idsIn(await list({ status: 'TASK_STATE_COMPLETED' }))).toEqual([id])
  })
})
