import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { hotAgain, hotOf } from '#src/commons/ranks.ts'
import type { Store } from '#src/ports/store.ts'
import { inForm } from '#tests/support/long-tests.ts'
import { stores } from '#tests/support/stores.ts'
import { openWorld, type World } from '#tests/support/world.ts'
import { crowd, replyOf, threadOf, type Member } from './crowd.ts'

const amounts = inForm({ short: { sqlite: 50, mongodb: 20 }, long: { sqlite: 50, mongodb: 50 } })

describe('the rank of a thread', () => {
  it('follows its votes and replies to the last digit, without its time of making', () => {
    const created_at = '2026-03-01T12:34:56.789Z'
    let standing = { hot: hotOf(0, 0, created_at), score: 0, reply_count: 0 }
    for (let step = 1; step <= 3000; step++) {
      const changed = step % 3 === 0 ? { reply_count: step } : { score: ((step * 37) % 401) - 200 }
      standing = { ...standing, ...changed, hot: hotAgain(standing, changed) }
      expect(standing.hot).toBe(hotOf(standing.score, standing.reply_count, created_at))
    }
  })
})

describe.each(stores())('many votes at once on $name', (kind) => {
  const callers = amounts[kind.name]
  let store: Store
  let world: World
  let author: Member
  let members: Member[]
  beforeEach(async () => {
    store = await kind.open()
    world = openWorld(store)
    members = await crowd(world, store, callers)
    ;[author] = (await crowd(world, store, 1)) as [Member]
  })
  afterEach(() => store.close())

  const cast = (target_type: string, target_id: string, value: number, { token }: Member) =>
    world.ask<{ score: number }>('commons.votes.cast', { target_type, target_id, value }, token)
  const scoreOfAuthor = async () => (await store.commons_identities.get(author.handle))?.score

  it('of as many members each count once, for the thread, its rank and its author', async () => {
    const { id, created_at } = await threadOf(world, author)
    const answers = await Promise.all(members.map((one) => cast('thread', id, 1, one)))
    expect(answers.map(({ score }) => score).sort((a, b) => a - b)).toEqual(
      members.map((_, at) => at + 1),
    )
    expect(await store.commons_standings.get(id)).toMatchObject({
      score: callers,
      hot: hotOf(callers, 0, created_at),
    })
    expect(await scoreOfAuthor()).toBe(callers)
  })

  it('of twenty members each count once, for a reply and its author', async () => {
    const { id } = await threadOf(world, author)
    const reply = await replyOf(world, author, id)
    const voters = members.slice(0, 20)
    const answers = await Promise.all(voters.map((one) => cast('reply', reply.id, 1, one)))
    expect(answers.map(({ score }) => score).sort((a, b) => a - b)).toEqual(
      voters.map((_, at) => at + 1),
    )
    expect(await store.commons_replies.get(reply.id)).toMatchObject({ score: 20, earned: 20 })
    expect(await scoreOfAuthor()).toBe(20)
  })

  it('and replies between them leave every count exact', async () => {
    const { id, created_at } = await threadOf(world, author)
    await Promise.all(
      members.map((one, at) =>
        at % 5 === 0 ? replyOf(world, one, id) : cast('thread', id, 1, one),
      ),
    )
    const replies = callers / 5
    expect(await store.commons_standings.get(id)).toMatchObject({
      score: callers - replies,
      reply_count: replies,
      hot: hotOf(callers - replies, replies, created_at),
    })
  })

  it('of one member are one vote: the last of them', async () => {
    const { id } = await threadOf(world, author)
    const reply = await replyOf(world, author, id)
    const [member] = members as [Member]
    const values = Array.from({ length: callers }, (_, at) => [1, -1, 0][at % 3] ?? 0)
    for (const [type, target] of [
      ['thread', id],
      ['reply', reply.id],
    ] as const) {
      const before = Number(await scoreOfAuthor())
      await Promise.all(values.map((value) => cast(type, target, value, member)))
      const vote = await store.commons_votes.get(`${target} ${member.handle}`)
      const voted =
        type === 'thread'
          ? await store.commons_standings.get(target)
          : await store.commons_replies.get(target)
      expect(voted?.score).toBe(vote?.value)
      expect(Number(await scoreOfAuthor()) - before).toBe(vote?.given)
      expect(await cast(type, target, 1, member)).toMatchObject({ score: 1 })
    }
  })

  it('tell no score from before the vote that they repeat', async () => {
    const { id } = await threadOf(world, author)
    const [member] = members as [Member]
    const votes = store.commons_votes
    const get = votes.get.bind(votes)
    // The same vote comes in between, after the reads of this one have begun.
    votes.get = async (key) => {
      votes.get = get
      await cast('thread', id, 1, member)
      return get(key)
    }
    expect(await cast('thread', id, 1, member)).toMatchObject({ score: 1 })
    expect(await scoreOfAuthor()).toBe(1)
  })

  it('that repeat each other change nothing', async () => {
    const { id } = await threadOf(world, author)
    const [member] = members as [Member]
    const same = Array.from({ length: callers }, () => cast('thread', id, 1, member))
    expect(new Set((await Promise.all(same)).map(({ score }) => score))).toEqual(new Set([1]))
    expect(await scoreOfAuthor()).toBe(1)
  })

  it('of a member who is trusted by now count for the author once they are cast again', async () => {
    const { id } = await threadOf(world, author)
    const [member] = members as [Member]
    const joined_at = new Date().toISOString()
    await store.commons_identities.update({ id: member.handle }, { $set: { joined_at } })
    await cast('thread', id, 1, member)
    expect(await scoreOfAuthor()).toBe(0)
    await store.commons_identities.update(
      { id: member.handle },
      { $set: { joined_at: '2026-01-01T00:00:00.000Z' } },
    )
    expect(await cast('thread', id, 1, member)).toMatchObject({ score: 1 })
    expect(await scoreOfAuthor()).toBe(1)
  })
})
