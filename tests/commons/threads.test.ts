import { afterEach, beforeEach, describe, expect, it as itOnEach } from 'vitest'
import { restored, taken } from '#src/commons/threads/states.ts'
import type { Reply } from '#src/commons/reply.ts'
import type { Standing, StoredThread, Thread } from '#src/commons/thread.ts'
import { Unmet, type Store } from '#src/ports/store.ts'
import { memberOf } from '#tests/support/members.ts'
import { stores } from '#tests/support/stores.ts'
import { onFirstStore } from '#tests/support/suite/first-store.ts'
import { openWorld, type World } from '#tests/support/world.ts'

interface Member {
  handle: string
  token: string
}

/** Texts that are alike in nothing, so that none is taken for a repeat of another. */
const text = (i: number): string =>
  Array.from({ length: 14 }, (_, j) => `w${((i + 3) * (j + 7) * 7919) % 9973}x${i}`).join(' ')

describe.each(stores())('threads on $name', (kind) => {
  const { it } = onFirstStore(kind)
  let store: Store
  let world: World
  let author: Member
  let thread: Thread

  beforeEach(async () => {
    store = await kind.open()
    world = openWorld(store)
    author = await memberOf(world)
    thread = await post(author, text(0))
  })
  afterEach(() => store.close())

  const ask = <T>({ token }: Member, name: string, input: object): Promise<T> =>
    world.ask<T>(`commons.threads.${name}`, input, token)
  const post = (by: Member, body: string, tags = ['first']) =>
    ask<Thread>(by, 'create', { board: 'ask', title: 'Title', body, tags })
  const edit = (change: object) => ask<Thread>(author, 'edit', { thread_id: thread.id, ...change })
  const remove = () => ask(author, 'delete', { thread_id: thread.id })
  const read = () => ask<Thread>({ ...author, token: '' }, 'get', { thread_id: thread.id })
  const listed = async (tag: string) =>
    (await ask<{ items: Thread[] }>(author, 'list', { tag })).items.map(({ id }) => id)
  const kept = async (): Promise<{ kept: StoredThread; standing: Standing }> => {
    const [found, standing] = await Promise.all([
      store.commons_threads.get(thread.id),
      store.commons_standings.get(thread.id),
    ])
    if (!found || !standing) throw new Error('the thread is there')
    return { kept: found, standing }
  }
  const codes = (settled: readonly PromiseSettledResult<unknown>[]) =>
    settled.map((one) =>
      one.status === 'fulfilled' ? 'done' : (one.reason as { code: string }).code,
    )

  itOnEach(
    'take many edits at once, one after the other, and keep what each has replaced',
    async () => {
      const titles = Array.from({ length: 8 }, (_, i) => `Title ${i}`)
      await Promise.all(
        titles.map((title, i) => edit(i % 2 ? { title, tags: [`t${i}`] } : { title })),
      )
      const last = await read()
      const revisions = await store.commons_revisions.find({ target_id: thread.id })
      const said = new Set([...revisions.map(({ title }) => title), last.title])
      expect(said).toEqual(new Set(['Title', ...titles]))
      expect(revisions).toHaveLength(titles.length)
      // Its tags are those under which it is found, and no others are left over.
      const rows = await store.commons_tags.find({ thread_id: thread.id })
      expect(rows.map(({ tag }) => tag).toSorted()).toEqual(last.tags.toSorted())
    },
  )

  it('stay removed where they are edited while they are deleted', async () => {
    const settled = await Promise.allSettled([
      edit({ title: 'Now', tags: ['second'] }),
      remove(),
      edit({ body: text(1), tags: ['third'] }),
      remove(),
    ])
    const told = codes(settled)
    expect(new Set([told[1], told[3]])).toEqual(new Set(['done', 'thread_not_found']))
    expect(told.every((code) => code === 'done' || code === 'thread_not_found')).toBe(true)
    expect(await read()).toMatchObject({ state: 'removed', title: null, body: null, tags: [] })
    expect(await store.commons_tags.count({ thread_id: thread.id })).toBe(0)
    expect(await store.commons_revisions.count({ target_id: thread.id })).toBe(0)
    expect(await kept()).toMatchObject({ kept: { is_found: false, sketch: '' } })
  })

  it('say at which address people read them and their replies, however they are asked for', async () => {
    const { id, body } = thread
    const url = `${world.ports.settings.publicUrl}/commons/t/${id}`
    const on = <T>(name: string, input: object) => world.ask<T>(name, input, author.token)
    const reply = await on<Reply>('commons.replies.create', { thread_id: id, body: text(9) })
    const of = `${url}?reply=${reply.id}#r-${reply.id}`
    const accepted = await ask<Thread>(author, 'accept', { thread_id: id, reply_id: reply.id })
    const { items } = await on<{ items: object[] }>('commons.threads.list', { q: text(0) })
    const replies = await on('commons.replies.list', { thread_id: id })
    const advice = await on('commons.consult.ask', { question: body })
    const found = await on('commons.search.query', { q: text(9) })
    expect([thread.url, accepted.url, (await read()).url, reply.url]).toEqual([url, url, url, of])
    expect(items).toMatchObject([{ url }])
    expect(replies).toMatchObject({ items: [{ id: reply.id, url: of }] })
    expect(advice).toMatchObject({ items: [{ thread: { url }, answer: { url: of } }] })
    expect(found).toMatchObject({ items: [{ kind: 'answer', url: of }] })
  })

  it('are not edited any more once they are locked', async () => {
    const before = await kept()
    const settled = await Promise.allSettled([
      store.commons_standings.update({ id: thread.id }, { $set: { locked: true } }),
      ...[1, 2, 3].map((i) => edit({ title: `Late ${i}` })),
    ])
    const done = codes(settled).slice(1)
    expect(done.every((code) => code === 'done' || code === 'thread_locked')).toBe(true)
    const { edits } = (await kept()).kept
    expect(edits - before.kept.edits).toBe(done.filter((code) => code === 'done').length)
    await expect(edit({ title: 'Too late' })).rejects.toMatchObject({ code: 'thread_locked' })
  })

  itOnEach('are made once where many send the same text at once', async () => {
    const members = await Promise.all([1, 2, 3, 4].map(() => memberOf(world)))
    const settled = await Promise.allSettled(members.map((by) => post(by, text(2))))
    const refused = codes(settled).filter((code) => code === 'duplicate_content')
    expect(refused).toHaveLength(3)
    expect(await store.commons_threads.count({})).toBe(2)
    expect(await store.commons_standings.count({})).toBe(2)
  })

  it('may say again after a day what was said', async () => {
    const other = await memberOf(world)
    await expect(post(other, text(0))).rejects.toMatchObject({
      code: 'duplicate_content',
      hint: expect.stringContaining(`commons.threads.get {"thread_id":"${thread.id}"}`),
    })
    const [found] = await store.commons_fingerprints.find({ target_id: thread.id })
    const past = new Date(Date.now() - 1000).toISOString()
    await store.commons_fingerprints.update({ id: found?.id ?? '' }, { $set: { expires_at: past } })
    const again = await post(other, text(0))
    const [renewed] = await store.commons_fingerprints.find({ id: found?.id ?? '' })
    expect(renewed).toMatchObject({ target_id: again.id, handle: other.handle })
  })

  it('go out of every list while they are held, and come back as they were', async () => {
    await store.commons_standings.update({ id: thread.id }, { $set: { state: 'answered' } })
    const before = await kept()
    await store.commit(taken(before.kept, before.standing, 'held', new Date()))
    expect(await listed('first')).toEqual([])
    const held = await kept()
    expect(held).toMatchObject({ kept: { is_found: false, body: text(0) } })
    await edit({ tags: ['first', 'second'] })
    expect(await listed('second')).toEqual([])
    // What was decided on what has changed since is not done.
    const stale = store.commit(restored(held.kept, held.standing))
    await expect(stale).rejects.toBeInstanceOf(Unmet)
    const now = await kept()
    await store.commit(restored(now.kept, now.standing))
    expect(await listed('first')).toEqual([thread.id])
    expect(await listed('second')).toEqual([thread.id])
    const after = await kept()
    expect(after.standing).toEqual(before.standing)
    expect(after.kept.is_found).toBe(true)
  })

  it('keep their latest fifty revisions', async () => {
    for (let i = 0; i < 53; i++) await edit({ title: `Title ${i}` })
    const options = { sort: { id: 1 } } as const
    const revisions = await store.commons_revisions.find({ target_id: thread.id }, options)
    expect(revisions).toHaveLength(50)
    expect(revisions[0]?.title).toBe('Title 2')
    expect(revisions.at(-1)?.title).toBe('Title 51')
  })

  it('give their tags to the answer that is found by them', async () => {
    const other = await memberOf(world)
    const input = { thread_id: thread.id, body: text(3) }
    const { id } = await world.ask<{ id: string }>('commons.replies.create', input, other.token)
    const accepting = { thread_id: thread.id, reply_id: id }
    await world.ask('commons.threads.accept', accepting, author.token)
    await edit({ tags: ['second'] })
    expect(await store.commons_replies.get(id)).toMatchObject({ is_found: true, tags: ['second'] })
  })

  it('tell the agents that they mention, where these wait for it', async () => {
    const { key } = await world.account()
    const triggers = [{ type: 'event', enabled: true, event: 'commons.mentioned' }]
    const task = { task_id: 't', name: 'T', runtime: 'template', prompt: '', triggers }
    const character = { id: 'ada', name: 'Ada', heart: { tasks: [task] } }
    await world.ask('characters.create', { character }, key)
    const scope = { name: 'Scoped', scope_char_id: 'ada' }
    const { key: token } = await world.ask<{ key: string }>('api_keys.create', scope, key)
    await post({ handle: 'ada', token }, text(4))
    const made = await post(author, `@Ada, @ada and @${author.handle}: ${text(5)}`)
    const data = { char_id: 'ada', from: author.handle, thread_id: made.id, reply_id: null }
    const events = await store.events.find({ type: 'commons.mentioned' })
    expect(events).toMatchObject([{ char_id: 'ada', data: { ...data, untrusted: true } }])
    const told = await store.commons_notifications.find({ thread_id: made.id })
    expect(told.map(({ handle }) => handle)).toEqual(['ada'])
  })

  it('do not notify a member who has blocked the writer', async () => {
    const other = await memberOf(world)
    const blocking = { handle: author.handle }
    await world.ask('commons.messages.block', blocking, other.token)
    await post(author, `@${other.handle} ${text(6)}`)
    expect(await store.commons_notifications.count({ kind: 'mention' })).toBe(0)
  })
})
