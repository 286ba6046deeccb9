import { afterEach, beforeEach, describe, expect, it as itOnEach } from 'vitest'
import type { Store } from '#src/ports/store.ts'
import { raised, solved } from '#tests/support/members.ts'
import { stores } from '#tests/support/stores.ts'
import { onFirstStore } from '#tests/support/suite/first-store.ts'
import { openWorld, type World } from '#tests/support/world.ts'
import { crowd, replyOf, threadOf, type Member } from './crowd.ts'

const many = 12

describe.each(stores())('the agents of one account, on $name', (kind) => {
  const { it } = onFirstStore(kind)
  let store: Store
  let world: World
  let author: Member
  let owner: { key: string; id: string }
  beforeEach(async () => {
    store = await kind.open()
    world = openWorld(store)
    ;[author] = (await crowd(world, store, 1)) as [Member]
    owner = await world.account()
  })
  afterEach(() => store.close())

  /** So many agents of the account, with nothing behind them. */
  const agents = (count: number): Promise<string[]> =>
    Promise.all(
      Array.from({ length: count }, async (_, i) => {
        const id = `agent-${i}`
        await world.ask('characters.create', { character: { id, name: id } }, owner.key)
        const scope = { name: id, scope_char_id: id }
        return (await world.ask<{ key: string }>('api_keys.create', scope, owner.key)).key
      }),
    )
  const prove = async (key: string): Promise<unknown> => {
    const { challenge, bits } = await world.ask<{ challenge: string; bits: number }>(
      'commons.challenge.get',
      {},
    )
    const counter = solved(challenge, bits)
    return world.ask('commons.identities.prove', { challenge, counter }, key)
  }
  const on = (target_id: string) => ({
    target_type: target_id.startsWith('thr') ? 'thread' : 'reply',
    target_id,
  })
  const cast = (key: string, id: string, value: number) =>
    world.ask<{ score: number }>('commons.votes.cast', { ...on(id), value }, key)
  const handleOf = async (key: string): Promise<string> => {
    const me = await world.ask<{ identity: { handle: string } }>('commons.me.get', {}, key)
    return me.identity.handle
  }
  const scoreOf = async ({ handle }: Member) => (await store.commons_identities.get(handle))?.score
  /** On level 1. */
  const grown = async (keys: readonly string[]): Promise<string[]> => {
    const handles = await Promise.all(keys.map(handleOf))
    for (const handle of handles) await raised(store, handle, 1)
    return handles
  }

  itOnEach('have one vote together, however many cast it at once', async () => {
    const keys = await agents(many)
    await prove(keys[0] ?? '')
    const { id: thread } = await threadOf(world, author)
    const { id: reply } = await replyOf(world, author, thread)
    for (const id of [thread, reply]) {
      await Promise.all(keys.map((key) => cast(key, id, 1)))
      expect(await cast(keys[1] ?? '', id, 1)).toMatchObject({ score: 1 })
    }
    for (const as_char_id of ['agent-3', 'agent-4']) {
      const named = { ...on(reply), value: 1, as_char_id }
      expect(await world.ask('commons.votes.cast', named, owner.key)).toMatchObject({ score: 1 })
    }
    expect(await store.commons_votes.count({})).toBe(2)
    expect(await cast(keys[2] ?? '', thread, 0)).toMatchObject({ score: 0, my_vote: 0 })
    const [stranger] = (await crowd(world, store, 1)) as [Member]
    expect(await cast(stranger.token, reply, 1)).toMatchObject({ score: 2 })
  })

  it('need work or age to vote, flag and verify, and neither to post', async () => {
    world = openWorld(store, {
      commonsTrust: new Map([
        ['commons.flags.create', 0],
        ['commons.replies.verify', 0],
      ]),
    })
    const [key = ''] = await agents(1)
    const { id: thread } = await threadOf(world, author)
    const { id: reply } = await replyOf(world, author, thread)
    await threadOf(world, { handle: '', token: key })
    const words: [string, object][] = [
      ['commons.votes.cast', { ...on(thread), value: 1 }],
      ['commons.flags.create', { ...on(thread), reason: 'spam' }],
      ['commons.replies.verify', { reply_id: reply, result: 'works' }],
    ]
    for (const [name, input] of words) {
      expect((await world.refusal(name, input, key)).code).toBe('trust_too_low')
    }
    expect(await store.commons_standings.get(thread)).toMatchObject({ score: 0 })
    expect(await store.commons_flags.count({})).toBe(0)
    await prove(key)
    for (const [name, input] of words) await world.ask(name, input, key)
    const handle: Member = (await crowd(world, store, 1))[0] as Member
    for (const [name, input] of words) await world.ask(name, input, handle.token)
  })

  it('together raise an author no further than one member may', async () => {
    const keys = await agents(4)
    await grown(keys)
    const { id: thread } = await threadOf(world, author)
    for (const key of keys) {
      for (let i = 0; i < 4; i++) {
        await cast(key, (await replyOf(world, author, thread)).id, 1)
      }
    }
    expect(await scoreOf(author)).toBe(10)
  })

  it('verify an answer once, and the last word counts', async () => {
    const keys = await agents(3)
    await grown(keys)
    const { id: thread } = await threadOf(world, author)
    const { id: reply_id } = await replyOf(world, author, thread)
    const verify = (key = '', result = 'works') =>
      world.ask('commons.replies.verify', { reply_id, result }, key)
    await Promise.all(keys.map((key) => verify(key)))
    await verify(keys[0], 'partial')
    expect(await store.commons_replies.get(reply_id)).toMatchObject({
      verifications: { works: 0, partial: 1, fails: 0, unsafe: 0 },
      earned: 1,
    })
    expect(await scoreOf(author)).toBe(1)
  })

  it('take back what they gave for an answer that is removed', async () => {
    const [key = ''] = await agents(1)
    const [handle = ''] = await grown([key])
    const asker = { handle, token: key }
    const { id: thread_id } = await threadOf(world, asker)
    const { id: reply_id } = await replyOf(world, author, thread_id)
    await world.ask('commons.threads.accept', { thread_id, reply_id }, key)
    expect(await scoreOf(author)).toBe(5)
    await world.ask('commons.replies.delete', { reply_id }, author.token)
    expect(await scoreOf(author)).toBe(0)
    const regard = await store.commons_regards.get(`${owner.id} ${author.handle}`)
    expect(regard).toMatchObject({ given: 0, taken: 0 })
  })

  it('replace the votes and verifications that each of them had before', async () => {
    const keys = await agents(2)
    const [first = ''] = await grown(keys)
    const { id: thread } = await threadOf(world, author)
    const { id: reply } = await replyOf(world, author, thread)
    const vote = { target_id: thread, handle: first, value: 1, given: 1 } as const
    await store.commons_votes.insert({ id: `${thread} ${first}`, ...vote })
    await store.commons_standings.update({ id: thread }, { $set: { score: 1, earned: 1 } })
    await store.commons_identities.update({ id: author.handle }, { $set: { score: 1 } })
    expect(await cast(keys[1] ?? '', thread, 1)).toMatchObject({ score: 2 })
    expect(await cast(keys[0] ?? '', thread, 1)).toMatchObject({ score: 1 })
    expect(await cast(keys[0] ?? '', thread, 0)).toMatchObject({ score: 0 })
    expect(await store.commons_votes.count({})).toBe(1)
    expect(await scoreOf(author)).toBe(0)
    await world.ask('commons.replies.verify', { reply_id: reply, result: 'works' }, keys[0])
    await store.commons_verifications.update(
      { reply_id: reply },
      { $set: { by: `${reply} ${first}` } },
    )
    await world.ask('commons.replies.verify', { reply_id: reply, result: 'works' }, keys[0])
    expect(await store.commons_verifications.find({ reply_id: reply })).toMatchObject([
      { by: `${reply} ${owner.id}` },
    ])
    expect(await store.commons_replies.get(reply)).toMatchObject({ verifications: { works: 1 } })
  })
})
