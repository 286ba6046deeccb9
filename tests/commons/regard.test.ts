import { afterEach, beforeEach, describe, expect, it as itOnEach } from 'vitest'
import { act } from '#src/commons/moderation/act.ts'
import type { Store } from '#src/ports/store.ts'
import { memberOf, raised } from '#tests/support/members.ts'
import { onFirstStore } from '#tests/support/suite/first-store.ts'
import { oneStore } from '#tests/support/stores.ts'
import { openWorld, type World } from '#tests/support/world.ts'
import { crowd, replyOf, threadOf, type Member } from './crowd.ts'

describe.each(oneStore())('what members give each other on $name', (kind) => {
  const { it } = onFirstStore(kind)
  let store: Store
  let world: World
  let author: Member
  let friend: Member
  let other: Member
  beforeEach(async () => {
    store = await kind.open()
    world = openWorld(store)
    ;[author, friend, other] = (await crowd(world, store, 3)) as [Member, Member, Member]
  })
  afterEach(() => store.close())

  const vote = (by: Member, target_id: string, value: number) => {
    const target_type = target_id.startsWith('thr') ? 'thread' : 'reply'
    return world.ask('commons.votes.cast', { target_type, target_id, value }, by.token)
  }
  const verify = (by: Member, reply_id: string, result: string) =>
    world.ask('commons.replies.verify', { reply_id, result }, by.token)
  const accept = (by: Member, thread_id: string, reply_id: string) =>
    world.ask('commons.threads.accept', { thread_id, reply_id }, by.token)
  const removeReply = (by: Member, reply_id: string) =>
    world.ask('commons.replies.delete', { reply_id }, by.token)
  const scoreOf = async (member: Member) =>
    (await store.commons_identities.get(member.handle))?.score
  const regardFor = async (giver: Member, receiver: Member) => {
    const row = await store.commons_regards.get(`${giver.handle} ${receiver.handle}`)
    return row && [row.given, row.taken]
  }
  /** Agents of one account, on level 1, by their keys. */
  const agents = async (...ids: string[]): Promise<Member[]> => {
    const { key } = await world.account()
    const made: Member[] = []
    for (const id of ids) {
      await world.ask('characters.create', { character: { id, name: id } }, key)
      const scope = { name: id, scope_char_id: id }
      const { key: token } = await world.ask<{ key: string }>('api_keys.create', scope, key)
      const { identity } = await world.ask<{ identity: { handle: string } }>(
        'commons.me.get',
        {},
        token,
      )
      await raised(store, identity.handle, 1)
      made.push({ handle: identity.handle, token })
    }
    return made
  }

  it('is lost with a reply that its author deletes: no one climbs by deleting', async () => {
    const { id: thread } = await threadOf(world, other)
    for (let round = 0; round < 3; round++) {
      const { id } = await replyOf(world, author, thread)
      await vote(friend, id, 1)
      await verify(friend, id, 'works')
      await removeReply(author, id)
    }
    expect(await scoreOf(author)).toBe(0)
  })

  itOnEach('goes with what moderation removes, and stays while it is held', async () => {
    const { id: thread } = await threadOf(world, author)
    const { id: reply } = await replyOf(world, author, thread)
    await vote(friend, thread, 1)
    await vote(other, reply, 1)
    await verify(other, reply, 'works')
    const order = { reason: 'Spam.', by: 'operator' } as const
    const now = new Date()
    await act(store, { ...order, action: 'hold', target: reply }, now)
    await act(store, { ...order, action: 'hold', target: thread }, now)
    expect(await scoreOf(author)).toBe(5)
    await act(store, { ...order, action: 'remove', target: reply }, now)
    expect(await scoreOf(author)).toBe(1)
    await act(store, { ...order, action: 'remove', target: thread }, now)
    expect(await scoreOf(author)).toBe(0)
  })

  it('goes with a thread that its author deletes, and what it cost them stays', async () => {
    const [{ id: liked }, { id: disliked }] = [
      await threadOf(world, author),
      await threadOf(world, author),
    ]
    await vote(friend, liked, 1)
    await vote(friend, disliked, -1)
    await vote(other, disliked, -1)
    for (const thread_id of [liked, disliked]) {
      await world.ask('commons.threads.delete', { thread_id }, author.token)
    }
    expect(await scoreOf(author)).toBe(-2)
  })

  it('is at most 10 of one member for another, and what is taken back makes room', async () => {
    const { id: thread } = await threadOf(world, other)
    const replies: string[] = []
    for (let i = 0; i < 4; i++) replies.push((await replyOf(world, author, thread)).id)
    for (const id of replies) await verify(friend, id, 'works')
    expect(await scoreOf(author)).toBe(10)
    for (const id of replies) await vote(friend, id, 1)
    expect(await scoreOf(author)).toBe(10)
    expect(await store.commons_replies.get(replies[0] ?? '')).toMatchObject({ score: 1 })
    await verify(friend, replies[0] ?? '', 'partial')
    expect(await scoreOf(author)).toBe(8)
    await vote(friend, replies[1] ?? '', 1)
    expect(await scoreOf(author)).toBe(9)
    expect(await regardFor(friend, author)).toEqual([9, 0])
    await vote(other, replies[1] ?? '', 1)
    expect(await scoreOf(author)).toBe(10)
  })

  it('cannot be stretched by taking from them first', async () => {
    const { id: thread } = await threadOf(world, other)
    const [low, high] = [[], []] as [string[], string[]]
    for (let i = 0; i < 12; i++) {
      const { id } = await replyOf(world, author, thread)
      ;(i < 6 ? low : high).push(id)
    }
    for (const id of low) await verify(friend, id, 'unsafe')
    expect(await scoreOf(author)).toBe(-10)
    for (const id of high) await verify(friend, id, 'works')
    expect(await scoreOf(author)).toBe(0)
    for (const id of low) await verify(friend, id, 'works')
    expect(await scoreOf(author)).toBe(10)
    expect(await regardFor(friend, author)).toEqual([10, 0])
  })

  it('moves with an acceptance, and is whole again however often', async () => {
    const { id: thread } = await threadOf(world, friend)
    const [first, second, third] = [
      await replyOf(world, author, thread),
      await replyOf(world, author, thread),
      await replyOf(world, other, thread),
    ]
    for (const { id } of [first, second, third, first, second]) {
      await accept(friend, thread, id)
      const [mine, theirs] = id === third.id ? [0, 5] : [5, 0]
      expect([await scoreOf(author), await scoreOf(other)]).toEqual([mine, theirs])
      expect((await regardFor(friend, author))?.[0]).toBe(mine)
    }
    expect(await store.commons_replies.get(first.id)).toMatchObject({ earned: 0, gave: 0 })
    await removeReply(author, second.id)
    expect(await scoreOf(author)).toBe(0)
    expect(await regardFor(friend, author)).toEqual([0, 0])
  })

  it('is nothing for an answer to oneself, nor from a new handle', async () => {
    const { id: own } = await threadOf(world, author)
    await accept(author, own, (await replyOf(world, author, own)).id)
    const newcomer = await memberOf(world)
    const { id: thread } = await threadOf(world, newcomer)
    const { id: reply } = await replyOf(world, author, thread)
    await accept(newcomer, thread, reply)
    expect(await store.commons_replies.get(reply)).toMatchObject({ accepted: true, gave: 0 })
    expect(await scoreOf(author)).toBe(0)
  })

  itOnEach(
    'goes with the one answer that moderation removes, and not with that to another',
    async () => {
      const answers: string[] = []
      for (const asker of [friend, other]) {
        const { id: thread } = await threadOf(world, asker)
        const { id: reply } = await replyOf(world, author, thread)
        await accept(asker, thread, reply)
        answers.push(reply)
      }
      const order = { action: 'remove', reason: 'Spam.', by: 'operator' } as const
      await act(store, { ...order, target: answers[1] ?? '' }, new Date())
      expect(await regardFor(friend, author)).toEqual([5, 0])
      expect(await regardFor(other, author)).toEqual([0, 0])
      expect(await scoreOf(author)).toBe(5)
    },
  )

  it('is nothing between agents of one account', async () => {
    const [ada, bob] = (await agents('ada', 'bob')) as [Member, Member]
    const { id: thread } = await threadOf(world, ada)
    const { id: reply } = await replyOf(world, bob, thread)
    await vote(bob, thread, 1)
    await vote(ada, reply, 1)
    await verify(ada, reply, 'works')
    await accept(ada, thread, reply)
    expect([await scoreOf(ada), await scoreOf(bob)]).toEqual([0, 0])
    expect(await store.commons_replies.get(reply)).toMatchObject({ score: 1, accepted: true })
    const [eve] = (await agents('eve')) as [Member]
    await vote(eve, reply, 1)
    expect(await scoreOf(bob)).toBe(1)
  })

  itOnEach('in many calls at once stays within the bound, to the last point', async () => {
    const { id: thread } = await threadOf(world, other)
    const replies: string[] = []
    for (let i = 0; i < 14; i++) replies.push((await replyOf(world, author, thread)).id)
    await Promise.all(replies.map((id) => vote(friend, id, 1)))
    expect(await scoreOf(author)).toBe(10)
    expect(await regardFor(friend, author)).toEqual([10, 0])
    await Promise.all(
      [
        ...replies.map((id) => vote(friend, id, 0)),
        ...replies.map((id) => vote(other, id, 1)),
        ...replies.slice(0, 7).map((id) => removeReply(author, id)),
      ].map((call) =>
        call.catch((cause: unknown) => expect(cause).toMatchObject({ code: 'reply_not_found' })),
      ),
    )
    const left = await store.commons_replies.find({ thread_id: thread, state: 'standing' })
    const earned = left.reduce((sum, reply) => sum + reply.earned, 0)
    expect(left).toHaveLength(7)
    expect(await scoreOf(author)).toBe(earned)
  })

  itOnEach('counts flags of agents of one account as the heaviest of them', async () => {
    const flag = (target_id: string, { token }: Member, reason: string) =>
      world.ask('commons.flags.create', { target_type: 'thread', target_id, reason }, token)
    const { id } = await threadOf(world, author)
    const many = await agents('ada', 'bob', 'cyd', 'dan')
    const reasons = ['spam', 'unsafe', 'spam', 'unsafe']
    await Promise.all(many.map((one, at) => flag(id, one, reasons[at] ?? 'spam')))
    const flagged = { weight: 0, light: 2, flags: { spam: 2, unsafe: 2 } }
    expect(await store.commons_tallies.get(id)).toMatchObject(flagged)
    const weights = (await store.commons_flags.find({ target_id: id })).map(({ weight }) => weight)
    expect(weights.reduce((sum, weight) => sum + weight, 0)).toBe(2)
    await flag(id, friend, 'unsafe')
    expect(await store.commons_standings.get(id)).toMatchObject({ state: 'open' })
    await raised(store, other.handle, 2)
    await flag(id, other, 'spam')
    expect(await store.commons_standings.get(id)).toMatchObject({ state: 'held' })
  })
})
