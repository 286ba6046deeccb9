import { afterEach, beforeEach, describe, expect, it, it as itOnEach } from 'vitest'
import { withoutCommons } from '#src/core/commons/absence.ts'
import { act } from '#src/commons/moderation/act.ts'
import type { Matter } from '#src/commons/moderation/matter.ts'
import type { Store } from '#src/ports/store.ts'
import { catalog } from '#src/catalog.ts'
import { serving, type Logged, type Serving } from '#tests/adapters/serve.ts'
import { openServer, type PlayedServer } from '#tests/operations/doors/server.ts'
import { memberOf } from '#tests/support/members.ts'
import { oneStore, stores } from '#tests/support/stores.ts'
import { onFirstStore } from '#tests/support/suite/first-store.ts'
import { openWorld, type World } from '#tests/support/world.ts'
import { crowd, replyOf, threadOf, type Member } from './crowd.ts'

interface Page {
  items: Matter[]
  next_cursor: string | null
}

describe.each(stores())('moderators on $name', (kind) => {
  const { it } = onFirstStore(kind)
  let store: Store
  let world: World
  let moderators: Set<string>
  let author: Member
  let one: Member
  let two: Member
  let thread: string
  beforeEach(async () => {
    store = await kind.open()
    moderators = new Set()
    world = openWorld(store, { moderators })
    ;[author, one, two] = (await crowd(world, store, 3)) as [Member, Member, Member]
    for (const { handle } of [one, two]) moderators.add(handle)
    thread = (await threadOf(world, author)).id
  })
  afterEach(() => store.close())

  const decide = (what: string, { token }: Member, target_id = thread) => {
    const target_type = target_id.startsWith('thr') ? 'thread' : 'reply'
    const input = { target_type, target_id, reason: `Because: ${what}.` }
    return world.ask<{ id: string }>(`commons.moderation.${what}`, input, token)
  }
  const appeal = (target_id = thread, { token } = author) =>
    world.ask<{ id: string }>(
      'commons.appeal',
      {
        target_type: target_id.startsWith('thr') ? 'thread' : 'reply',
        target_id,
        reason: 'Please look again.',
      },
      token,
    )
  const flag = (target_id: string, { token }: Member) =>
    world.ask(
      'commons.flags.create',
      {
        target_type: target_id.startsWith('thr') ? 'thread' : 'reply',
        target_id,
        reason: 'spam',
      },
      token,
    )
  const waiting = async (input: object = {}): Promise<Matter[]> =>
    (await world.ask<Page>('commons.moderation.list', { limit: 100, ...input }, one.token)).items
  const actionsOn = async (target_id: string) =>
    (await store.commons_moderation.find({ target_id }, { sort: { id: 1 } })).map(
      ({ action }) => action,
    )
  const codesOf = (all: readonly PromiseSettledResult<unknown>[]) =>
    all.flatMap((done) =>
      done.status === 'rejected' ? [(done.reason as { code: string }).code] : [],
    )

  itOnEach('who decide at once do it once, and the others get the entry of the first', async () => {
    const both = [one, two, one, two, one, two]
    const held = await Promise.all(both.map((each) => decide('hold', each)))
    expect(new Set(held.map(({ id }) => id)).size).toBe(1)
    const released = await Promise.allSettled(both.map((each) => decide('release', each)))
    expect(codesOf(released)).toEqual(Array.from({ length: 5 }, () => 'not_held'))
    const removed = await Promise.all(both.map((each) => decide('remove', each)))
    expect(new Set(removed.map(({ id }) => id)).size).toBe(1)
    expect(await actionsOn(thread)).toEqual(['hold', 'restore', 'remove'])
    expect(await store.commons_tallies.count({})).toBe(0)
  })

  itOnEach('who decide differently at once leave what the last of them decided', async () => {
    for (let i = 0; i < 4; i++) {
      const { id } = await threadOf(world, author)
      await decide('hold', one, id)
      const all = await Promise.allSettled([
        decide('release', one, id),
        decide('remove', two, id),
        appeal(id),
      ])
      const codes = ['not_held', 'thread_not_found', 'forbidden']
      for (const code of codesOf(all)) expect(codes).toContain(code)
      expect(await store.commons_standings.get(id)).toMatchObject({ state: 'removed' })
      expect(await store.commons_tallies.get(id)).toBeUndefined()
    }
  })

  itOnEach('are asked once, by many calls of the author at once', async () => {
    await decide('hold', one)
    const all = await Promise.all(Array.from({ length: 6 }, () => appeal()))
    expect(new Set(all.map(({ id }) => id)).size).toBe(1)
    expect(await actionsOn(thread)).toEqual(['hold', 'appeal'])
  })

  it('are asked again where it is held again after it was released', async () => {
    await decide('hold', one)
    const first = await appeal()
    await decide('release', two)
    await decide('hold', one)
    expect(await waiting({ state: 'held' })).toMatchObject([{ target_id: thread, appeal: null }])
    expect((await appeal()).id).not.toBe(first.id)
    expect(await waiting()).toMatchObject([{ state: 'appealed' }])
  })

  it('do not decide about an appeal against their own hold, unless no other could', async () => {
    await decide('hold', one)
    await appeal()
    for (const what of ['hold', 'release', 'remove']) {
      await expect(decide(what, one)).rejects.toMatchObject({ code: 'forbidden' })
    }
    expect(await actionsOn(thread)).toEqual(['hold', 'appeal'])
    await decide('hold', two)
    expect(await waiting({ state: 'appealed' })).toEqual([])
    const next = (await threadOf(world, author)).id
    await decide('hold', one, next)
    await appeal(next)
    // Neither the author, nor who is banned, nor a name that no member has.
    moderators.add(author.handle).add('not-a-member')
    const ban = { action: 'ban', reason: 'Spam.', by: 'operator' } as const
    await act(store, { ...ban, target: two.handle }, new Date())
    await decide('release', one, next)
    expect(await actionsOn(next)).toEqual(['hold', 'appeal', 'restore'])
  })

  it('find nothing of what was removed while it was flagged', async () => {
    const members = await crowd(world, store, 5)
    for (let i = 0; i < 4; i++) {
      const { id } = await threadOf(world, author)
      const { id: reply } = await replyOf(world, author, id)
      const all = await Promise.allSettled([
        ...members.map((each) => flag(id, each)),
        decide('remove', one, id),
        ...members.map((each) => flag(reply, each)),
        decide('remove', two, reply),
      ])
      for (const code of codesOf(all)) expect(code).toMatch(/^(thread|reply)_not_found$/)
    }
    expect(await store.commons_tallies.find({})).toEqual([])
  })

  itOnEach('who dismiss flags lose none that come at the same time', async () => {
    const members = await crowd(world, store, 6)
    const [first, ...others] = members as [Member, ...Member[]]
    await flag(thread, first)
    await Promise.all([decide('release', one), ...others.map((each) => flag(thread, each))])
    const [matter] = await waiting()
    const counted = matter?.flags[0]?.count ?? 0
    const dismissed = await store.commons_moderation.count({ action: 'dismiss' })
    expect(dismissed).toBe(1)
    const light = (await store.commons_tallies.get(thread))?.light ?? 0
    expect(light).toBe(counted)
    expect(await store.commons_flags.count({ target_id: thread })).toBe(6)
  })

  it('see what an older version has tallied or held, once something happens to it', async () => {
    await store.commons_tallies.insert({ id: thread, weight: 3 })
    expect(await waiting()).toEqual([])
    const [settled] = (await crowd(world, store, 1, 2)) as [Member]
    await flag(thread, settled)
    expect(await waiting()).toMatchObject([{ state: 'flagged', flags: [{ count: 1 }] }])
    await decide('hold', one)
    await store.commons_tallies.delete({ id: thread })
    await appeal()
    expect(await waiting()).toMatchObject([{ state: 'appealed', hold: { by: 'moderator' } }])
  })

  it('see texts of any size, on as many pages as it takes, each once', async () => {
    const ids: string[] = []
    for (let i = 0; i < 40; i++) {
      const body = `${i} `.repeat(16_000).slice(0, 31_999)
      const { id } = await threadOf(world, author, { title: `Long ${i}`, body })
      await act(store, { action: 'hold', target: id, reason: 'Long.', by: 'operator' }, new Date())
      ids.push(id)
    }
    const seen: string[] = []
    let pages = 0
    let cursor: string | null = null
    do {
      const input: object = { limit: 100, ...(cursor !== null && { cursor }) }
      const page: Page = await world.ask('commons.moderation.list', input, one.token)
      expect(page.items.length).toBeGreaterThan(0)
      seen.push(...page.items.map(({ target_id }) => target_id))
      cursor = page.next_cursor
      pages += 1
    } while (cursor !== null)
    expect(pages).toBeGreaterThan(1)
    expect(seen.toSorted()).toEqual(ids.toSorted())
  })

  it('are no moderators any more once their name is taken out, nor while they are banned', async () => {
    await decide('hold', one)
    moderators.delete(one.handle)
    for (const what of ['hold', 'release', 'remove']) {
      await expect(decide(what, one)).rejects.toMatchObject({ code: 'forbidden' })
    }
    await act(
      store,
      { action: 'ban', target: two.handle, reason: 'Gone bad.', by: 'operator' },
      new Date(),
    )
    await expect(decide('release', two)).rejects.toMatchObject({ code: 'banned' })
    expect(await actionsOn(thread)).toEqual(['hold'])
  })

  it('are known to the operator by name, and to no one else', async () => {
    await decide('hold', one)
    expect(await store.commons_moderation.find({ target_id: thread })).toMatchObject([
      { by: 'moderator', moderator: one.handle },
    ])
    const log = await world.ask('commons.moderation.log', {}, two.token)
    expect(JSON.stringify(log)).not.toContain(one.handle)
    const list = await world.ask('commons.moderation.list', {}, two.token)
    expect(JSON.stringify(list)).not.toContain(one.handle)
  })

  it('join before they are named: a name that no one has is given to no one', async () => {
    moderators.add('quiet-otter')
    await expect(memberOf(world, 'quiet-otter')).rejects.toMatchObject({ code: 'handle_taken' })
    const { key } = await world.account()
    const character = { id: 'quiet-otter', name: 'Otter' }
    await world.ask('characters.create', { character }, key)
    const as_char_id = 'quiet-otter'
    const me = await world.ask<{ identity: { handle: string } }>(
      'commons.me.get',
      { as_char_id },
      key,
    )
    expect(me.identity.handle).toMatch(/^quiet-otter-[0-9a-f]{8}$/)
    const refusal = await world.refusal('commons.moderation.list', { as_char_id }, key)
    expect(refusal.code).toBe('forbidden')
  })

  it('who were agents leave their name to no agent that is made again', async () => {
    const owner = await world.account()
    const character = { id: 'warden', name: 'Warden' }
    const as_char_id = 'warden'
    await world.ask('characters.create', { character }, owner.key)
    await world.ask('commons.me.get', { as_char_id }, owner.key)
    moderators.add('warden')
    await world.ask('commons.moderation.list', { as_char_id }, owner.key)
    await world.ask('characters.delete', { char_id: 'warden' }, owner.key)
    for (const { key } of [await world.account(), owner]) {
      await world.ask('characters.create', { character }, key)
      const refusal = await world.refusal('commons.moderation.list', { as_char_id }, key)
      expect(refusal.code).toBe('forbidden')
      await world.ask('characters.delete', { char_id: 'warden' }, key)
    }
  })
})

describe('the names of moderators', () => {
  const warnedOf = ({ logged }: Serving): Logged[] =>
    logged.filter(({ message }) => message.includes('ABODE_MODERATORS'))

  it('that no one has are warned of at the start', async () => {
    const env = { ABODE_MODERATORS: 'quiet-otter,@ada' }
    await using server = await serving(env, catalog)
    const fields = { handles: ['quiet-otter', 'ada'] }
    expect(warnedOf(server)).toMatchObject([{ level: 'warn', fields }])
  })

  it('are no matter where there is no Commons', async () => {
    const env = { ABODE_MODERATORS: 'quiet-otter', ABODE_COMMONS: 'off' }
    await using server = await serving(env, withoutCommons(catalog))
    expect(warnedOf(server)).toEqual([])
    for (const path of ['/api/commons/appeals', '/api/commons/moderation/hold']) {
      expect((await server.ask(path, { method: 'POST' })).status).toBe(404)
    }
    expect((await server.ask('/api/commons/moderation')).status).toBe(404)
  })
})

describe.each(oneStore())('what a server tells authors and members on $name', (kind) => {
  let server: PlayedServer
  let token: string
  let thread: string
  beforeEach(async () => {
    server = await openServer(kind, { ABODE_CONTACT: 'ops@example.org' })
    ;({ token } = await memberOf(server.world))
    thread = (await threadOf(server.world as World, { token, handle: '' })).id
    const order = { target: thread, reason: 'Off the topic.', by: 'operator' } as const
    await act(server.world.ports.store, { action: 'hold', ...order }, new Date())
  })
  afterEach(() => server.close())

  const sent = async (path: string, init: RequestInit = {}): Promise<string> => {
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
    return (await fetch(`${server.url}${path}`, { headers, ...init })).text()
  }
  const noticeAt = async (path: string): Promise<string> =>
    (JSON.parse(await sent(path)) as { notice: string }).notice

  it('is that it is held, and how to appeal, in the words of the door', async () => {
    const path = `/api/commons/threads/${thread}`
    expect(await noticeAt(path)).toMatch(/is held.*`POST \/api\/commons\/appeals/)
    const headers = {
      authorization: `Bearer ${token}`,
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      'mcp-protocol-version': '2025-11-25',
    }
    const params = { name: 'commons_threads_get', arguments: { thread_id: thread } }
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params })
    const shown = await sent('/api/commons/mcp', { method: 'POST', headers, body })
    expect(shown).toMatch(/is held.*`commons_appeal/)
    const input = { target_type: 'thread', target_id: thread, reason: 'It fits the board.' }
    await server.world.ask('commons.appeal', input, token)
    expect(await noticeAt(path)).toMatch(/is held.*waits for a moderator/)
    const { token: other } = await memberOf(server.world)
    token = other
    expect(await noticeAt(path)).not.toContain('held')
  })

  it('is for a held reply the same, with the list in which it stands', async () => {
    const { token: asker } = await memberOf(server.world)
    const { id } = await threadOf(server.world as World, { token: asker, handle: '' })
    const own = await replyOf(server.world as World, { token, handle: '' }, id)
    const path = `/api/commons/threads/${id}/replies`
    expect(await noticeAt(path)).not.toContain('held')
    const order = { target: own.id, reason: 'Off the topic.', by: 'operator' } as const
    await act(server.world.ports.store, { action: 'hold', ...order }, new Date())
    expect(await noticeAt(path)).toMatch(/^This reply is held.*POST \/api\/commons\/appeals/)
    token = asker
    expect(await noticeAt(path)).not.toContain('held')
  })

  it('is whom to ask, where someone who does not moderate would', async () => {
    const { error } = JSON.parse(await sent('/api/commons/moderation')) as {
      error: { code: string; hint: string }
    }
    expect(error).toMatchObject({
      code: 'forbidden',
      hint: expect.stringContaining('(ops@example.org)') as string,
    })
  })
})
