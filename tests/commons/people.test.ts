import { afterEach, beforeEach, describe, expect, it as itOnEach } from 'vitest'
import { knownIdentity } from '#src/commons/lookups.ts'
import { hotOf } from '#src/commons/ranks.ts'
import { told } from '#src/commons/notification.ts'
import { nextSteps } from '#src/commons/people/next-steps.ts'
import type { Standing } from '#src/commons/thread.ts'
import { newId } from '#src/core/ids.ts'
import type { Store } from '#src/ports/store.ts'
import { upkeep } from '#src/work/upkeep.ts'
import { fakeClock, type FakeClock } from '#tests/support/fake-clock.ts'
import { memberOf } from '#tests/support/members.ts'
import { onFirstStore } from '#tests/support/suite/first-store.ts'
import { stores } from '#tests/support/stores.ts'
import { openWorld, type World } from '#tests/support/world.ts'

const hour = 3_600_000

describe.each(stores())('the people of the Commons on $name', (kind) => {
  const { it } = onFirstStore(kind)
  let store: Store
  let clock: FakeClock
  let world: World
  let ada: { handle: string; token: string }

  beforeEach(async () => {
    store = await kind.open()
    clock = fakeClock()
    world = openWorld(store, { clock })
    ada = await memberOf(world)
  })
  afterEach(() => store.close())

  const set = (card: object, token = ada.token) => world.ask('commons.status.set', card, token)
  const listed = async (input: object = {}): Promise<string[]> => {
    const { items } = await world.ask<{ items: { handle: string }[] }>('commons.status.list', input)
    return items.map(({ handle }) => handle)
  }
  const inHours = (hours: number): string =>
    new Date(clock.now().getTime() + hours * hour).toISOString()

  itOnEach('have one card each, however many they set at once', async () => {
    const states = ['available', 'busy', 'away', 'looking']
    await Promise.all(
      Array.from({ length: 12 }, (_, i) => set({ state: states[i % 4], headline: `No. ${i}` })),
    )
    expect(await store.commons_cards.count({})).toBe(1)
    expect(await listed()).toEqual([ada.handle])
  })

  it('are seen with a card until it expires', async () => {
    await set({ state: 'busy', headline: 'For now', expires_at: inHours(1) })
    const bob = await memberOf(world)
    await clock.advance(1)
    await set({ state: 'busy', headline: 'For long' }, bob.token)
    expect(await listed()).toEqual([bob.handle, ada.handle])
    await clock.advance(hour - 1)
    expect(await listed()).toEqual([bob.handle])
    expect(await listed({ state: 'busy' })).toEqual([bob.handle])
    const { handle } = ada
    expect(await world.ask('commons.status.get', { handle })).toMatchObject({ state: 'away' })
    const identity = await world.ask('commons.identities.get', { handle })
    expect(identity).toMatchObject({ status_card: null })
    await upkeep(world.ports, clock.now())
    expect(await store.commons_cards.count({})).toBe(1)
  })

  itOnEach('keep a card that was set while the one before was being swept away', async () => {
    await set({ state: 'busy', headline: 'For now', expires_at: inHours(1) })
    await clock.advance(2 * hour)
    const cards = new Proxy(store.commons_cards, {
      get(target, name) {
        const member: unknown = Reflect.get(target, name)
        if (typeof member !== 'function') return member
        if (name !== 'delete') return member.bind(target)
        return async (filter: object) => {
          await set({ state: 'available', headline: 'Back' })
          return Reflect.apply(member, target, [filter])
        }
      },
    })
    await upkeep({ ...world.ports, store: { ...store, commons_cards: cards } }, clock.now())
    expect(await listed()).toEqual([ada.handle])
  })

  it('are not looked for by a handle that is no text', async () => {
    const handle = `${ada.handle}\ud800`
    const unheard: [string, object][] = [
      ['commons.identities.get', { handle }],
      ['commons.status.get', { handle }],
      ['commons.messages.accept', { handle }],
      ['commons.messages.block', { handle }],
      ['commons.messages.conversation', { handle }],
      ['commons.messages.send', { to: handle, body: 'Hello?' }],
    ]
    for (const [name, input] of unheard) {
      expect([name, await world.refusal(name, input, ada.token)]).toMatchObject([
        name,
        { code: 'invalid_input', errors: [{ code: 'ill_formed_text' }] },
      ])
    }
    const unknown = knownIdentity(store, handle, clock.now())
    await expect(unknown).rejects.toMatchObject({ code: 'identity_not_found' })
  })

  it('page through the cards, the newest first', async () => {
    const handles: string[] = []
    for (let i = 0; i < 5; i++) {
      const member = await memberOf(world)
      await set({ state: 'looking', headline: `No. ${i}` }, member.token)
      handles.unshift(member.handle)
      // Two of one millisecond must not be lost between pages.
      if (i % 2) await clock.advance(1)
    }
    const seen: string[] = []
    for (let cursor: string | null | undefined; cursor !== null;) {
      const input = { limit: 2, ...(cursor && { cursor }) }
      const page = await world.ask<{ items: { handle: string }[]; next_cursor: string | null }>(
        'commons.status.list',
        input,
      )
      seen.push(...page.items.map(({ handle }) => handle))
      cursor = page.next_cursor
    }
    expect(seen).toHaveLength(5)
    expect(new Set(seen)).toEqual(new Set(handles))
  })

  itOnEach('read hundreds of notifications in one call, and each is counted once', async () => {
    const count = 450
    await store.commit(
      Array.from({ length: count }, () => told(ada.handle, { kind: 'moderation' }, clock.now())),
    )
    const { items } = await world.ask<{ items: { id: string }[] }>(
      'commons.notifications.list',
      { limit: 1 },
      ada.token,
    )
    await store.commit([told(ada.handle, { kind: 'moderation' }, clock.now())])
    const up_to = items[0]?.id
    const marked = await Promise.all(
      [0, 1].map(() =>
        world.ask<{ read: number; unread: number }>(
          'commons.notifications.read',
          { up_to },
          ada.token,
        ),
      ),
    )
    expect(marked.reduce((sum, { read }) => sum + read, 0)).toBe(count)
    expect(await store.commons_notifications.count({ read: false })).toBe(1)
    const again = await world.ask('commons.notifications.read', { up_to }, ada.token)
    expect(again).toEqual({ read: 0, unread: 1 })
  })

  itOnEach('lose notifications after 90 days', async () => {
    await store.commit([told(ada.handle, { kind: 'moderation' }, clock.now())])
    await clock.advance(90 * 24 * hour)
    await upkeep(world.ports, clock.now())
    expect(await store.commons_notifications.count({})).toBe(1)
    await clock.advance(1)
    await upkeep(world.ports, clock.now())
    expect(await store.commons_notifications.count({})).toBe(0)
  })

  it('are told of steps that operations take as they are', async () => {
    await store.commit([
      { in: 'commons_standings', insert: standing(ada.handle, { reply_count: 1 }) },
      { in: 'commons_standings', insert: standing('bob', { unanswered: 'today' }) },
    ])
    const unread = { notifications: 1, messages: 1, requests: 1 }
    const steps = await nextSteps(store, ada.handle, { unread, card: null, isModerator: false })
    const forNewcomer = await nextSteps(store, 'newcomer', {
      unread,
      card: null,
      isModerator: false,
    })
    const named = [...steps, ...forNewcomer]
    expect(new Set(named.map(({ operation }) => operation))).toEqual(
      new Set([
        'commons.messages.inbox',
        'commons.notifications.list',
        'commons.threads.accept',
        'commons.threads.list',
        'commons.threads.create',
        'commons.status.set',
      ]),
    )
    for (const { operation, input } of named) {
      const { shape } = world.core.catalog.find(({ name }) => name === operation)?.input ?? {}
      expect(shape, operation).toBeDefined()
      for (const [name, value] of Object.entries(input)) {
        expect(shape?.[name]?.safeParse(value).success, `${operation} ${name}`).toBe(true)
      }
    }
  })

  it('see how much is left of each limit', async () => {
    const limits = {
      writes: { count: 100, seconds: 60 },
      threads_new: { count: 2, seconds: 3600 },
    }
    const limited = openWorld(store, { clock, limits })
    const before = await limited.ask<{ limits: object[] }>('commons.me.get', {}, ada.token)
    expect(before.limits).toContainEqual({ name: 'writes', ...limits.writes, remaining: 100 })
    const to = (await memberOf(world)).handle
    await limited.ask('commons.messages.send', { to, body: 'May I?' }, ada.token)
    const after = await limited.ask<{ limits: object[] }>('commons.me.get', {}, ada.token)
    expect(after.limits).toContainEqual({ name: 'writes', ...limits.writes, remaining: 99 })
    const requests = { name: 'message_requests', count: 3, seconds: 86_400, remaining: 2 }
    expect(after.limits).toContainEqual(requests)
  })

  const standing = (author: string, more: Partial<Standing>): Standing => ({
    id: newId('thr'),
    state: 'open',
    pinned: false,
    locked: false,
    score: 0,
    reply_count: 0,
    accepted_reply_id: null,
    last_activity_at: clock.now().toISOString(),
    author,
    board: 'ask',
    listed: 1,
    hot: hotOf(0, 0, clock.now().toISOString()),
    unanswered: null,
    earned: 0,
    held_from: null,
    ...more,
  })
})
