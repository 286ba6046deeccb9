import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { hotOf } from '#src/commons/ranks.ts'
import { placeOfReply } from '#src/commons/replies/read.ts'
import { restoredReply, takenReply } from '#src/commons/replies/states.ts'
import type { Reply } from '#src/commons/reply.ts'
import type { Thread } from '#src/commons/thread.ts'
import type { Store } from '#src/ports/store.ts'
import { memberOf, raised } from '#tests/support/members.ts'
import { stores } from '#tests/support/stores.ts'
import { openWorld, type World } from '#tests/support/world.ts'

interface Member {
  handle: string
  token: string
}

/** Texts that are alike in nothing, so that none is taken for a repeat of another. */
const text = (i: number): string =>
  Array.from({ length: 14 }, (_, j) => `w${((i + 3) * (j + 7) * 7919) % 9973}x${i}`).join(' ')

describe.each(stores())('replies at once on $name', (kind) => {
  let store: Store
  let world: World
  let asker: Member
  let thread: Thread

  beforeEach(async () => {
    store = await kind.open()
    world = openWorld(store)
    asker = await memberOf(world)
    thread = await ask(asker, 'threads.create', {
      board: 'ask',
      title: 'How do I send the token?',
      body: 'The service says that it is missing, no matter what I put into the request body.',
      tags: ['http'],
    })
  })
  afterEach(() => store.close())

  const ask = <T>({ token }: Member, name: string, input: object): Promise<T> =>
    world.ask<T>(`commons.${name}`, input, token)
  const reply = (by: Member, i: number) =>
    ask<Reply>(by, 'replies.create', { thread_id: thread.id, body: text(i) })
  const accept = ({ id: reply_id }: Pick<Reply, 'id'>) =>
    ask<Thread>(asker, 'threads.accept', { thread_id: thread.id, reply_id })
  const members = (count: number) =>
    Promise.all(Array.from({ length: count }, () => memberOf(world)))
  const standing = async () => {
    const found = await store.commons_standings.get(thread.id)
    if (!found) throw new Error('the thread is there')
    return found
  }
  const identity = async ({ handle }: Member) => {
    const found = await store.commons_identities.get(handle)
    if (!found) throw new Error('the member is there')
    return found
  }
  const codes = (settled: readonly PromiseSettledResult<unknown>[]) =>
    settled.map((one) =>
      one.status === 'fulfilled' ? 'done' : (one.reason as { code: string }).code,
    )

  it('all count, once each', async () => {
    const all = await members(20)
    await Promise.all(all.map((member, i) => reply(member, i)))
    const { reply_count, hot, unanswered } = await standing()
    expect([reply_count, unanswered]).toEqual([20, null])
    expect(hot).toBe(hotOf(0, 20, thread.created_at))
    const counts = await Promise.all(all.map(identity))
    expect(counts.map((one) => one.standing_replies)).toEqual(all.map(() => 1))
    expect(await store.commons_notifications.count({ handle: asker.handle })).toBe(20)
  })

  it('of one member all count', async () => {
    const [one] = await members(1)
    if (!one) return
    await Promise.all(Array.from({ length: 10 }, (_, i) => reply(one, i)))
    expect((await standing()).reply_count).toBe(10)
    expect((await identity(one)).standing_replies).toBe(10)
  })

  it('rank a thread by its votes as well', async () => {
    const all = await members(10)
    const vote = { target_type: 'thread', target_id: thread.id, value: 1 }
    await Promise.all(
      all.flatMap((member, i) => [reply(member, i), ask(member, 'votes.cast', vote)]),
    )
    const { score, reply_count, hot } = await standing()
    expect([score, reply_count]).toEqual([10, 10])
    expect(hot).toBeCloseTo(hotOf(10, 10, thread.created_at), 9)
  })

  it('with the same text are one', async () => {
    const all = await members(2)
    const settled = await Promise.allSettled(all.map((member) => reply(member, 1)))
    expect(codes(settled).toSorted()).toEqual(['done', 'duplicate_content'])
    expect((await standing()).reply_count).toBe(1)
  })

  it('count as many as there are when the thread is deleted meanwhile', async () => {
    const all = await members(8)
    const calls = all.map((member, i) => reply(member, i))
    const gone = ask(asker, 'threads.delete', { thread_id: thread.id })
    const settled = await Promise.allSettled([...calls, gone])
    expect(new Set(codes(settled)).difference(new Set(['done', 'thread_not_found'])).size).toBe(0)
    const { state, reply_count, unanswered } = await standing()
    expect([state, unanswered]).toEqual(['removed', null])
    expect(reply_count).toBe(await store.commons_replies.count({ thread_id: thread.id }))
  })

  it('that are accepted leave one answer', async () => {
    const [one, other] = await members(2)
    if (!one || !other) return
    await raised(store, asker.handle, 1)
    const [first, second] = [await reply(one, 1), await reply(other, 2)]
    for (let i = 0; i < 5; i++) {
      await Promise.all([accept(first), accept(second)])
      const { state, accepted_reply_id } = await standing()
      expect(state).toBe('answered')
      const accepted = await store.commons_replies.find({ thread_id: thread.id, is_found: true })
      expect(accepted.map(({ id }) => id)).toEqual([accepted_reply_id])
      const scores = [(await identity(one)).score, (await identity(other)).score]
      expect(scores).toEqual(accepted_reply_id === first.id ? [5, 0] : [0, 5])
    }
  })

  it('are no answer once they are deleted, whichever comes first', async () => {
    const [one] = await members(1)
    if (!one) return
    for (let i = 0; i < 5; i++) {
      const made = await reply(one, i)
      const gone = ask(one, 'replies.delete', { reply_id: made.id })
      const settled = await Promise.allSettled([accept(made), gone])
      expect(['done', 'reply_not_found']).toContain(codes(settled)[0])
      expect(codes(settled)[1]).toBe('done')
      expect(await standing()).toMatchObject({ state: 'open', accepted_reply_id: null })
      expect(await identity(one)).toMatchObject({ score: 0, standing_replies: 0 })
      const left = await store.commons_replies.get(made.id)
      expect(left).toMatchObject({ state: 'removed', accepted: false, is_found: false })
    }
  })

  it('keep all that they said when they are edited at once', async () => {
    const [one] = await members(1)
    if (!one) return
    const { id: reply_id, body } = await reply(one, 1)
    const texts = [2, 3, 4, 5].map(text)
    await Promise.all(texts.map((next) => ask(one, 'replies.edit', { reply_id, body: next })))
    const now = await store.commons_replies.get(reply_id)
    const before = await store.commons_revisions.find({ target_id: reply_id })
    expect(now?.edits).toBe(4)
    const all = [...before.map((revision) => revision.body), now?.body]
    expect(new Set(all)).toEqual(new Set([body, ...texts]))
  })

  it('stay deleted when they are edited at once', async () => {
    const [one] = await members(1)
    if (!one) return
    for (let i = 0; i < 5; i++) {
      const { id: reply_id } = await reply(one, i)
      const edited = ask(one, 'replies.edit', { reply_id, body: text(i + 50) })
      const deleted = ask(one, 'replies.delete', { reply_id })
      const settled = codes(await Promise.allSettled([edited, deleted]))
      expect([
        ['done', 'done'],
        ['reply_not_found', 'done'],
      ]).toContainEqual(settled)
      const left = await store.commons_replies.get(reply_id)
      expect(left).toMatchObject({ state: 'removed', body: null })
      expect(await store.commons_revisions.count({ target_id: reply_id })).toBe(0)
    }
  })

  it('are deleted once', async () => {
    const [one] = await members(1)
    if (!one) return
    const { id: reply_id } = await reply(one, 1)
    const twice = [1, 2].map(() => ask(one, 'replies.delete', { reply_id }))
    expect(codes(await Promise.allSettled(twice)).toSorted()).toEqual(['done', 'reply_not_found'])
    expect(await standing()).toMatchObject({
      reply_count: 0,
      unanswered: thread.created_at,
      hot: hotOf(0, 0, thread.created_at),
    })
  })

  it('are verified once by a member, who says two things at once', async () => {
    const [one, tester] = await members(2)
    if (!one || !tester) return
    await raised(store, tester.handle, 1)
    const { id: reply_id } = await reply(one, 1)
    const results = ['works', 'fails', 'partial', 'unsafe'] as const
    const say = (result: string) => ask(tester, 'replies.verify', { reply_id, result })
    await Promise.all(results.map(say))
    const [kept, ...others] = await store.commons_verifications.find({ reply_id })
    expect(others).toEqual([])
    const { verifications } = (await store.commons_replies.get(reply_id)) ?? {}
    const none = { works: 0, partial: 0, fails: 0, unsafe: 0 }
    expect(verifications).toEqual({ ...none, [kept?.result ?? '']: 1 })
    expect((await identity(one)).score).toBe(kept?.given)
  })

  it('that are held and stand again count as before', async () => {
    const [one] = await members(1)
    if (!one) return
    const { id } = await reply(one, 1)
    const before = await standing()
    await store.commit(takenReply(await placeOfReply(store, id), 'held', new Date()))
    expect(await standing()).toMatchObject({ reply_count: 0, unanswered: thread.created_at })
    expect((await identity(one)).standing_replies).toBe(0)
    await store.commit(restoredReply(await placeOfReply(store, id)))
    expect(await standing()).toEqual(before)
    expect((await identity(one)).standing_replies).toBe(1)
    expect(restoredReply(await placeOfReply(store, id))).toEqual([])
  })

  it('tell the agent that they answer, where it waits for them', async () => {
    const { key } = await world.account()
    const event = 'commons.reply_received'
    const triggers = [{ type: 'event', enabled: true, event }]
    const heart = {
      tasks: [{ task_id: 't', name: 'T', runtime: 'template', prompt: '', triggers }],
    }
    await world.ask('characters.create', { character: { id: 'ada', name: 'Ada', heart } }, key)
    const scope = { name: 'Scoped', scope_char_id: 'ada' }
    const { key: token } = await world.ask<{ key: string }>('api_keys.create', scope, key)
    const parent = await reply({ handle: 'ada', token }, 1)
    const body = 'Then the <b>header</b> is refused.'
    const below = { thread_id: thread.id, parent_id: parent.id, body }
    const made = await ask<Reply>(asker, 'replies.create', below)
    const events = await store.events.find({ type: event })
    expect(events).toHaveLength(1)
    expect(events[0]).toMatchObject({
      char_id: 'ada',
      data: {
        thread_id: thread.id,
        reply_id: made.id,
        parent_id: parent.id,
        char_id: 'ada',
        from: asker.handle,
        body,
        untrusted: true,
      },
    })
  })
})
