import { afterEach, beforeEach, describe, expect, it, it as itOnEach } from 'vitest'
import { act, type Order } from '#src/commons/moderation/act.ts'
import { weightOf } from '#src/commons/moderation/flags.ts'
import { newId } from '#src/core/ids.ts'
import type { Store } from '#src/ports/store.ts'
import { stores } from '#tests/support/stores.ts'
import { onFirstStore } from '#tests/support/suite/first-store.ts'
import { openWorld, type World } from '#tests/support/world.ts'
import { crowd, replyOf, threadOf, type Member } from './crowd.ts'

describe('the weight of a flag', () => {
  it('grows with trust, and doubles for what does harm while it can be read', () => {
    const levels = [0, 1, 2, 3, 4] as const
    expect(levels.map((level) => weightOf('spam', level))).toEqual([0, 1, 2, 3, 4])
    expect(levels.map((level) => weightOf('secret', level))).toEqual([0, 2, 4, 6, 8])
    expect(weightOf('unsafe', 1)).toBe(2)
  })
})

describe.each(stores())('moderation on $name', (kind) => {
  const { it } = onFirstStore(kind)
  let store: Store
  let world: World
  let author: Member
  let thread: string
  let reply: string
  beforeEach(async () => {
    store = await kind.open()
    world = openWorld(store)
    ;[author] = (await crowd(world, store, 1)) as [Member]
    thread = (await threadOf(world, author, { tags: ['held-tag'] })).id
    reply = (await replyOf(world, author, thread)).id
  })
  afterEach(() => store.close())

  const order = (action: Order['action'], target: string): Order => {
    return { action, target, reason: `Because: ${action}.`, by: 'operator' }
  }
  const done = (action: Order['action'], target: string) =>
    act(store, order(action, target), new Date())
  const refused = (action: Order['action'], target: string) =>
    expect(done(action, target)).rejects.toMatchObject({ name: 'Refusal' })
  const standing = () => store.commons_standings.get(thread)
  const news = () => store.commons_notifications.find({ handle: author.handle })
  const flag = (target_id: string, { token }: Member, reason = 'spam') =>
    world.ask(
      'commons.flags.create',
      { target_type: target_id.startsWith('thr') ? 'thread' : 'reply', target_id, reason },
      token,
    )

  it.each(['hold', 'lock', 'pin', 'close', 'remove'] as const)(
    '%s is done once, however often it is ordered, with one entry of the log',
    async (action) => {
      const all = await Promise.all(Array.from({ length: 8 }, () => done(action, thread)))
      expect(all.filter(({ entry }) => entry !== undefined)).toHaveLength(1)
      const entries = await store.commons_moderation.find({ target_id: thread })
      expect(entries).toMatchObject([
        { action, target_type: 'thread', by: 'operator', reason: `Because: ${action}.` },
      ])
      const told = action === 'pin' ? [] : [{ kind: 'moderation', thread_id: thread, from: null }]
      expect(await news()).toMatchObject(told)
    },
  )

  it('brings a thread back to where it was', async () => {
    const before = await standing()
    await done('hold', thread)
    expect(await standing()).toMatchObject({ state: 'held', listed: null, board: null })
    await done('restore', thread)
    expect(await standing()).toEqual(before)
    expect(await store.commons_tags.find({ thread_id: thread })).toHaveLength(1)
  })

  it('undoes what can be undone', async () => {
    const before = await standing()
    for (const action of ['lock', 'pin', 'unlock', 'unpin', 'unlock', 'unpin'] as const) {
      await done(action, thread)
    }
    expect(await standing()).toEqual(before)
    expect(await store.commons_moderation.find({ target_id: thread })).toHaveLength(4)
  })

  it('holds, restores and removes a reply, with the counts around it', async () => {
    await done('hold', reply)
    expect(await standing()).toMatchObject({ reply_count: 0 })
    expect(await store.commons_replies.get(reply)).toMatchObject({ state: 'held' })
    await done('restore', reply)
    expect(await standing()).toMatchObject({ reply_count: 1 })
    const edited = { reply_id: reply, body: 'Said in other words, and at some length.' }
    await world.ask('commons.replies.edit', edited, author.token)
    expect(await store.commons_revisions.count({ target_id: reply })).toBe(1)
    await done('remove', reply)
    expect(await store.commons_replies.get(reply)).toMatchObject({ state: 'removed', body: null })
    expect(await store.commons_revisions.count({ target_id: reply })).toBe(0)
    expect((await news()).map(({ reply_id }) => reply_id)).toEqual([reply, reply, reply])
  })

  it('refuses what makes no sense, and writes nothing', async () => {
    await refused('restore', thread)
    await refused('restore', reply)
    await refused('lock', reply)
    await refused('pin', author.handle)
    await refused('ban', thread)
    await refused('ban', reply)
    await refused('hold', newId('thr'))
    await refused('hold', newId('rep'))
    await refused('ban', '@no-such-handle')
    expect(await store.commons_moderation.count({})).toBe(0)
    await done('hold', thread)
    await refused('pin', thread)
    await refused('close', thread)
    await done('remove', thread)
    for (const action of ['hold', 'restore', 'lock', 'unlock', 'pin', 'unpin', 'close'] as const) {
      await refused(action, thread)
    }
    await done('remove', reply)
    await refused('hold', reply)
    await refused('restore', reply)
    expect(await store.commons_moderation.count({})).toBe(3)
  })

  itOnEach('bans a handle from writing at once, and not from what it wrote', async () => {
    await done('ban', `@${author.handle}`)
    expect((await done('ban', author.handle)).entry).toBeUndefined()
    const again = { board: 'ask', title: 'Again', body: 'Here I am again.' }
    const refusal = await world.refusal('commons.threads.create', again, author.token)
    expect(refusal.code).toBe('banned')
    expect(await world.ask('commons.threads.get', { thread_id: thread })).toMatchObject({
      state: 'open',
    })
    expect(await store.commons_moderation.find({})).toMatchObject([
      { action: 'ban', target_type: 'identity', target_id: author.handle },
    ])
    await done('unban', author.handle)
    expect((await done('unban', author.handle)).entry).toBeUndefined()
    await world.ask('commons.threads.create', again, author.token)
  })

  it('bans a hosted agent by its handle', async () => {
    const { key, id } = await world.account()
    await world.ask('characters.create', { character: { id: 'ada', name: 'Ada' } }, key)
    const scope = { name: 'Ada', scope_char_id: 'ada' }
    const { key: own } = await world.ask<{ key: string }>('api_keys.create', scope, key)
    const vote = { target_type: 'thread', target_id: thread, value: 1 }
    const created_at = '2026-01-01T00:00:00.000Z'
    await store.accounts.update({ id }, { $set: { created_at } })
    await world.ask('commons.votes.cast', vote, own)
    await done('ban', '@ada')
    expect((await world.refusal('commons.votes.cast', vote, own)).code).toBe('banned')
  })

  itOnEach('holds by flags of many at once as soon as they weigh enough, and once', async () => {
    const members = [...(await crowd(world, store, 4)), ...(await crowd(world, store, 6, 2))]
    await Promise.all(members.slice(0, 4).map((one) => flag(thread, one)))
    expect(await standing()).toMatchObject({ state: 'open' })
    const late = await Promise.allSettled(members.slice(4).map((one) => flag(thread, one)))
    expect(await standing()).toMatchObject({ state: 'held' })
    // Flags that arrive after the hold no longer find the thread.
    expect(late.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    expect(await store.commons_moderation.find({ target_id: thread })).toMatchObject([
      { action: 'hold', by: 'flags', reason: 'Flagged by members: spam.' },
    ])
    expect(await news()).toMatchObject([{ kind: 'moderation', thread_id: thread, excerpt: null }])
  })

  it('asks for new flags once the operator has restored what was flagged', async () => {
    const [first, second, third] = (await crowd(world, store, 3)) as [Member, Member, Member]
    const [trusted, other] = (await crowd(world, store, 2, 2)) as [Member, Member]
    for (const one of [first, trusted]) await flag(reply, one, 'unsafe')
    expect(await store.commons_replies.get(reply)).toMatchObject({ state: 'held' })
    await done('restore', reply)
    for (const one of [first, trusted, second, third]) await flag(reply, one, 'unsafe')
    expect(await store.commons_replies.get(reply)).toMatchObject({ state: 'standing' })
    await flag(reply, other, 'secret')
    expect(await store.commons_replies.get(reply)).toMatchObject({ state: 'held' })
  })

  it('dismisses the flags on what is not held, so that only later ones count', async () => {
    const [first, second] = (await crowd(world, store, 2, 3)) as [Member, Member]
    const [third] = (await crowd(world, store, 1, 3)) as [Member]
    for (const target of [reply, thread]) {
      expect((await done('dismiss', target)).entry).toBeUndefined()
      await flag(target, first)
      expect((await done('dismiss', target)).entry).toMatchObject({ action: 'dismiss' })
      await flag(target, second)
      expect(await store.commons_tallies.get(target)).toMatchObject({ weight: 3, state: 'flagged' })
      await flag(target, third)
      expect(await store.commons_tallies.get(target)).toMatchObject({ weight: 6, state: 'held' })
      await refused('dismiss', target)
    }
    await refused('dismiss', author.handle)
    // Of the two holds; of its flags no author is told.
    expect(await news()).toHaveLength(2)
  })

  it('holds nothing by flags of new members alone, however many and pressing', async () => {
    const young = await crowd(world, store, 8)
    const known = await crowd(world, store, 4, 3)
    const day = 86_400_000
    for (const { handle } of known) {
      const joined_at = new Date(Date.now() - 6 * day).toISOString()
      await store.commons_identities.update({ id: handle }, { $set: { joined_at } })
    }
    for (const one of [...young, ...known]) await flag(thread, one, 'unsafe')
    expect(await standing()).toMatchObject({ state: 'open' })
    expect(await store.commons_moderation.count({})).toBe(0)
    const [settled] = (await crowd(world, store, 1, 2)) as [Member]
    await flag(thread, settled)
    expect(await standing()).toMatchObject({ state: 'held' })
  })

  it('counts the flags that an older version has tallied', async () => {
    const [settled] = (await crowd(world, store, 1, 2)) as [Member]
    await store.commons_tallies.insert({ id: thread, weight: 4 })
    await flag(thread, settled)
    expect(await standing()).toMatchObject({ state: 'held' })
  })

  it('hides a held thread from others in every list and every order', async () => {
    const [other] = (await crowd(world, store, 1)) as [Member]
    const bare = (await threadOf(world, author, { tags: ['held-tag'] })).id
    const lists = ['hot', 'new', 'top', 'active', 'unanswered'].flatMap((sort) =>
      [{}, { board: 'ask' }, { tag: 'held-tag' }, { author: author.handle }].flatMap((narrow) =>
        [undefined, other.token].map((token) => [{ sort, ...narrow }, token] as const),
      ),
    )
    const holding = async () => {
      const seen = await Promise.all(
        lists.map(([input, token]) => world.ask('commons.threads.list', input, token)),
      )
      return seen.filter((list) => JSON.stringify(list).includes(bare)).length
    }
    expect(await holding()).toBe(lists.length)
    await done('hold', bare)
    expect(await holding()).toBe(0)
    const answer = (await replyOf(world, other, thread, 'Tune the xylophone again.')).id
    await world.ask('commons.threads.accept', { thread_id: thread, reply_id: answer }, author.token)
    const found = await world.ask('commons.search.query', { q: 'xylophone' })
    expect(JSON.stringify(found)).toContain(answer)
    await done('hold', thread)
    const read = { thread_id: thread }
    expect((await world.refusal('commons.replies.list', read, other.token)).code).toBe(
      'thread_not_found',
    )
    const vote = { target_type: 'reply', target_id: reply, value: 1 }
    expect((await world.refusal('commons.votes.cast', vote, other.token)).code).toBe(
      'reply_not_found',
    )
    const flagged = { target_type: 'reply', target_id: reply, reason: 'spam' }
    expect((await world.refusal('commons.flags.create', flagged, other.token)).code).toBe(
      'reply_not_found',
    )
    const question = 'xylophone'
    for (const [name, input] of [
      ['commons.search.query', { q: question }],
      ['commons.consult.ask', { question }],
    ] as const) {
      for (const token of [undefined, other.token]) {
        expect(await world.ask(name, input, token)).toMatchObject({ items: [] })
      }
    }
    const masked = await world.ask('commons.threads.get', { thread_id: thread }, other.token)
    expect(masked).toMatchObject({ state: 'held', title: null, body: null, tags: [] })
    const own = await world.ask('commons.threads.get', { thread_id: thread }, author.token)
    expect(own).toMatchObject({ state: 'held', title: expect.stringMatching(/^Why/) as string })
  })
})
