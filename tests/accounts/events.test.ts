import { afterEach, beforeEach, describe, expect, it as itOnEach } from 'vitest'
import type { AccountEvent } from '#src/events/log/entry.ts'
import { purgeAccountEvents } from '#src/events/log/purge.ts'
import { eventPasser } from '#src/work/events.ts'
import { watchOthers } from '#src/work/watch.ts'
import { stores } from '#tests/support/stores.ts'
import { onFirstStore } from '#tests/support/suite/first-store.ts'
import { openWorld, type World } from '#tests/support/world.ts'

interface Page {
  items: AccountEvent[]
  next_cursor: string
}

describe.each(stores())('what happens in an account, on $name', (kind) => {
  const { it } = onFirstStore(kind)
  let world: World
  let owner: { key: string; id: string }
  let pass: () => Promise<number>
  beforeEach(async () => {
    world = openWorld(await kind.open())
    owner = await world.account()
    pass = eventPasser(world.ports)
  })
  afterEach(() => world.ports.store.close())

  const agent = (id: string, key = owner.key) => {
    const tasks = [
      { task_id: 't', name: 'T', runtime: 'template', prompt: 'Hello', post_to_feed: false },
    ]
    return world.ask('characters.create', { character: { id, name: id, heart: { tasks } } }, key)
  }
  const run = (char_id: string, key = owner.key) =>
    world.ask<{ id: string }>('tasks.run', { char_id, task_id: 't' }, key)
  const passAll = async (): Promise<void> => {
    while ((await pass()) > 0);
  }
  const page = (input: object = {}, key = owner.key) =>
    world.ask<Page>('account.events', input, key)
  const typesOf = ({ items }: Page): string[] => items.map(({ type }) => type)
  const log = () => world.ports.store.account_logs

  it('is written from the first call on, in order, and read on by a cursor', async () => {
    await agent('before')
    const first = await page()
    expect(first.items).toEqual([])
    await agent('ada')
    await passAll()
    const { id } = await run('ada')
    await passAll()
    const next = await page({ cursor: first.next_cursor })
    expect(typesOf(next).toSorted()).toEqual(['agent.created', 'run.completed', 'run.started'])
    expect(next.items.map(({ seq }) => seq)).toEqual([1, 2, 3])
    expect(next.items[0]?.data).toEqual({ char_id: 'ada' })
    expect(next.items.at(-1)?.data).toMatchObject({ run_id: id, char_id: 'ada', task_id: 't' })
    const [one, rest] = [await page({ limit: 1 }), await page({ cursor: next.next_cursor })]
    expect(typesOf(one)).toHaveLength(1)
    expect(typesOf(await page({ cursor: one.next_cursor }))).toHaveLength(2)
    expect(rest.items).toEqual([])
    expect(rest.next_cursor).toBe(next.next_cursor)
  })

  it('costs nothing where no one listens, and is of the own account alone', async () => {
    const other = await world.account()
    await page()
    await agent('eve', other.key)
    await run('eve', other.key)
    expect(await world.ports.store.events.count({})).toBe(0)
    await passAll()
    expect((await page()).items).toEqual([])
    expect(await log().count({})).toBe(1)
  })

  it('has agents that are changed and deleted, and runs that are cancelled', async () => {
    await world.ask('characters.create', { character: { id: 'ada', name: 'Ada' } }, owner.key)
    await page()
    const at = { char_id: 'ada' }
    await world.ask('characters.update', { ...at, character: { role: 'Baker' } }, owner.key)
    const task = { task_id: 'q', name: 'Q', prompt: 'Wait.' }
    await world.ask('tasks.create', { ...at, task }, owner.key)
    const waits = await world.ask<{ id: string }>('tasks.run', { ...at, task_id: 'q' }, owner.key)
    await world.ask('runs.cancel', { run_id: waits.id }, owner.key)
    await world.ask('characters.delete', at, owner.key)
    await passAll()
    const types = typesOf(await page())
    for (const type of ['agent.changed', 'run.cancelled', 'agent.deleted']) {
      expect(types).toContain(type)
    }
  })

  it('begins with what happens next where that is asked for', async () => {
    await page()
    await agent('ada')
    await passAll()
    const now = await page({ from_now: true })
    expect(now.items).toEqual([])
    await agent('bob')
    await passAll()
    const later = await page({ from_now: true, cursor: now.next_cursor })
    expect(later.items.map(({ data }) => data['char_id'])).toContain('bob')
    expect(later.items.map(({ data }) => data['char_id'])).not.toContain('ada')
  })

  it('is waited for', async () => {
    await agent('ada')
    const { next_cursor: cursor } = await page()
    const waits = page({ cursor, wait_seconds: 20 })
    await run('ada')
    await passAll()
    expect((await waits).items.length).toBeGreaterThan(0)
  })

  it('refuses a cursor of another account, of another list, and garbage', async () => {
    const other = await world.account()
    const foreign = (await page({}, other.key)).next_cursor
    for (const cursor of [foreign, 'x', '17', 'é'.repeat(300)]) {
      expect(await world.refusal('account.events', { cursor }, owner.key)).toMatchObject({
        code: 'cursor_invalid',
      })
    }
  })

  itOnEach('is numbered without a gap where many things happen at once', async () => {
    const ids = Array.from({ length: 8 }, (_, i) => `a${i}`)
    for (const id of ids) await agent(id)
    await page()
    const other = openWorld(world.ports.store)
    const passOther = eventPasser(other.ports)
    await Promise.all(ids.flatMap((id) => [run(id), run(id)]))
    for (let i = 0; i < 20; i++) await Promise.all([pass(), passOther()])
    await passAll()
    const { items } = await page({ limit: 100 })
    expect(items.map(({ seq }) => seq)).toEqual(items.map((_, i) => i + 1))
    expect(items.filter(({ type }) => type === 'run.completed')).toHaveLength(16)
  })

  it('tells what was not kept, because it is old or because no one listened', async () => {
    await agent('ada')
    const { next_cursor: cursor } = await page()
    for (let i = 0; i < 3; i++) await run('ada')
    await passAll()
    const all = await page()
    const later = new Date(Date.now() + 31 * 86_400_000)
    await purgeAccountEvents(world.ports, later)
    const [gap, ...none] = (await page({ cursor })).items
    expect(none).toEqual([])
    expect(gap).toMatchObject({
      type: 'gap',
      seq: all.items.length,
      data: { reason: 'retention', count: all.items.length },
    })
    await log().update({ id: owner.id }, { $set: { until: '2020-01-01T00:00:00.000Z' } })
    expect((await page({ cursor: all.next_cursor })).items).toMatchObject([
      { type: 'gap', data: { reason: 'no_listener' } },
    ])
  })

  it('is streamed, and a stream resumes after the last event', async () => {
    await agent('ada')
    const leave = new AbortController()
    const operation = world.core.catalog.find(({ name }) => name === 'account.events')
    if (!operation) throw new Error('it is there')
    const follow = async (cursor?: string) => {
      const input = cursor === undefined ? {} : { cursor }
      const from = { credential: owner.key, address: '127.0.0.0', requestId: 'test' }
      const call = { operation, input, ...from, follow: true, signal: leave.signal }
      const events = (await world.core.serve(call)).answer?.events
      if (!events) throw new Error('it is a stream')
      return events[Symbol.asyncIterator]()
    }
    const stream = await follow()
    await run('ada')
    await passAll()
    const first = await stream.next()
    const second = await stream.next()
    const types = new Set([first, second].map(({ value }) => value?.type))
    expect(types).toEqual(new Set(['run.started', 'run.completed']))
    const again = await follow(first.value?.id)
    expect((await again.next()).value?.id).toBe(second.value?.id)
    leave.abort()
    expect(await stream.next()).toMatchObject({ done: true })
    expect(await again.next()).toMatchObject({ done: true })
  })

  itOnEach('has notices, and what others in another process do', async () => {
    const other = openWorld(world.ports.store)
    const unwatch = watchOthers(other.ports)
    const heard = eventPasser(other.ports)
    await page()
    const { key } = owner
    const task = {
      task_id: 'w',
      name: 'W',
      runtime: 'template',
      prompt: 'x {{missing}}',
      reliability: { pause_on_failure: true },
    }
    const character = { id: 'ada', name: 'Ada', heart: { tasks: [task] } }
    await other.ask('characters.create', { character }, key)
    await other.ask('tasks.run', { char_id: 'ada', task_id: 'w' }, key)
    while ((await heard()) > 0);
    const types = typesOf(await page())
    expect(types).toContain('run.failed')
    expect(types).toContain('task.paused')
    expect(types).toContain('notice.created')
    unwatch()
  })
})
