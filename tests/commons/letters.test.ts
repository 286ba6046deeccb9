import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { sidesOf } from '#src/commons/letters/sides.ts'
import { Refusal } from '#src/core/errors.ts'
import type { LimitTable } from '#src/core/admission/limits.ts'
import type { Collection, Store } from '#src/ports/store.ts'
import { fakeClock } from '#tests/support/fake-clock.ts'
import { memberOf } from '#tests/support/members.ts'
import { stores, type Place } from '#tests/support/stores.ts'
import { openWorld, type World } from '#tests/support/world.ts'

interface Member {
  handle: string
  token: string
}

/** The codes of what was refused, and how many were not. */
async function outcomes(
  calls: readonly Promise<unknown>[],
): Promise<{ done: number; codes: string[] }> {
  const settled = await Promise.allSettled(calls)
  const failed = settled.flatMap((one) =>
    one.status === 'rejected' ? [one.reason as unknown] : [],
  )
  const codes = failed.map((reason) => {
    if (!(reason instanceof Refusal)) throw reason
    return reason.code
  })
  return { done: settled.length - failed.length, codes }
}

describe.each(stores())('messages at the same moment on $name', (kind) => {
  let place: Place
  let opened: Store[]
  let worlds: [World, World]

  // Two processes on one store: what they decide at once, the store decides.
  beforeEach(async () => {
    place = await kind.place()
    opened = [await place.open(), await place.open()]
    const [here, there] = opened.map((store) => openWorld(store))
    if (!here || !there) throw new Error('two worlds were opened')
    worlds = [here, there]
  })
  afterEach(async () => {
    await Promise.all(opened.map((store) => store.close()))
    await place.remove()
  })

  const joined = (): Promise<Member> => memberOf(worlds[0])
  const send = (from: Member, to: Member, body: string, at: 0 | 1 = 0): Promise<unknown> =>
    worlds[at].ask('commons.messages.send', { to: to.handle, body }, from.token)
  const accept = (who: Member, whom: Member, at: 0 | 1 = 0): Promise<unknown> =>
    worlds[at].ask('commons.messages.accept', { handle: whom.handle }, who.token)
  const block = (who: Member, whom: Member, at: 0 | 1 = 0): Promise<unknown> =>
    worlds[at].ask('commons.messages.block', { handle: whom.handle }, who.token)
  const read = (who: Member, whom: Member): Promise<{ items: { body: string }[] }> =>
    worlds[0].ask('commons.messages.conversation', { handle: whom.handle }, who.token)
  const sides = async (who: Member, whom: Member) => {
    const { own, theirs } = await sidesOf(worlds[0].ports.store, who.handle, whom.handle)
    return [own && [own.state, own.unread], theirs && [theirs.state, theirs.unread]]
  }

  it('in both directions make one conversation, in which the second answers the first', async () => {
    for (let round = 0; round < 5; round++) {
      const [ada, bob] = [await joined(), await joined()]
      await Promise.all([send(ada, bob, 'Hello, Bob.', 0), send(bob, ada, 'Hello, Ada.', 1)])
      expect(await sides(ada, bob)).toEqual([
        ['open', 1],
        ['open', 1],
      ])
      const { items } = await read(ada, bob)
      expect(items.map(({ body }) => body).sort()).toEqual(['Hello, Ada.', 'Hello, Bob.'])
    }
  })

  it('to one stranger are one request', async () => {
    const [ada, bob] = [await joined(), await joined()]
    const calls = Array.from({ length: 8 }, (_, i) => send(ada, bob, `Try ${i}`, i % 2 ? 1 : 0))
    const { done, codes } = await outcomes(calls)
    expect(done).toBe(1)
    expect(codes.every((code) => ['consent_required', 'rate_limited'].includes(code))).toBe(true)
    expect(await sides(ada, bob)).toEqual([
      ['pending', 0],
      ['requested', 1],
    ])
    expect((await read(ada, bob)).items).toHaveLength(1)
    expect(await worlds[0].ports.store.commons_notifications.count({ handle: bob.handle })).toBe(1)
  })

  it('all arrive, each with its notification', async () => {
    const [ada, bob] = [await joined(), await joined()]
    await send(ada, bob, 'May I?')
    await accept(bob, ada)
    const calls = Array.from({ length: 12 }, (_, i) => send(ada, bob, `No. ${i}`, i % 2 ? 1 : 0))
    await Promise.all(calls)
    expect(await sides(bob, ada)).toEqual([
      ['open', 13],
      ['open', 0],
    ])
    expect((await read(bob, ada)).items).toHaveLength(13)
    expect(await worlds[0].ports.store.commons_notifications.count({ handle: bob.handle })).toBe(13)
    expect(await sides(bob, ada)).toMatchObject([
      ['open', 0],
      ['open', 0],
    ])
  })

  it('none arrives after a block', async () => {
    const [ada, bob] = [await joined(), await joined()]
    await send(ada, bob, 'May I?')
    await accept(bob, ada)
    const blocked = block(bob, ada, 1)
    const { done, codes } = await outcomes(
      Array.from({ length: 10 }, (_, i) => send(ada, bob, `No. ${i}`, i % 2 ? 1 : 0)),
    )
    await blocked
    expect(new Set([...codes, 'recipient_blocked'])).toEqual(new Set(['recipient_blocked']))
    expect((await read(bob, ada)).items).toHaveLength(done + 1)
    expect(await sides(bob, ada)).toEqual([
      ['blocked', 0],
      ['open', 0],
    ])
  })

  it('do not come between two who agree at once', async () => {
    for (let round = 0; round < 5; round++) {
      const [ada, bob] = [await joined(), await joined()]
      await send(ada, bob, 'May I?')
      await block(ada, bob)
      // She lifts her block while he accepts what she had asked.
      await Promise.all([accept(ada, bob, 0), accept(bob, ada, 1)])
      expect(await sides(ada, bob)).toEqual([
        ['open', 0],
        ['open', 1],
      ])
    }
  })

  it('a retry at the same moment is one message', async () => {
    const [ada, bob] = [await joined(), await joined()]
    const operation = worlds[0].core.catalog.find(({ name }) => name === 'commons.messages.send')
    if (!operation) throw new Error('there is no such operation')
    const call = {
      operation,
      input: { to: bob.handle, body: 'Once.' },
      credential: ada.token,
      address: '127.0.0.0',
      idempotencyKey: 'once',
      requestId: 'test',
    }
    const answers = await Promise.all(worlds.map(({ core }) => core.serve(call)))
    expect(new Set(answers.map(({ answer }) => answer?.text)).size).toBe(1)
    expect(answers[0]?.answer).toBeTruthy()
    expect((await read(bob, ada)).items).toHaveLength(1)
  })
})

describe.each(stores())('messages on $name', (kind) => {
  let store: Store

  beforeEach(async () => {
    store = await kind.open()
  })
  afterEach(() => store.close())

  const unreadOf = async (who: Member, whom: Member): Promise<number | undefined> =>
    (await sidesOf(store, who.handle, whom.handle)).own?.unread

  it('stay unread where a newer one comes while the page is read', async () => {
    let beforePage: () => Promise<unknown> = () => Promise.resolve()
    const text: Store['commons_letters']['text'] = async (...query) => {
      await beforePage()
      return store.commons_letters.text(...query)
    }
    const letters: Collection<never> = new Proxy(store.commons_letters, {
      get(target, name) {
        if (name === 'text') return text
        const member: unknown = Reflect.get(target, name)
        return typeof member === 'function' ? member.bind(target) : member
      },
    }) as unknown as Collection<never>
    const world = openWorld({ ...store, commons_letters: letters })
    const [ada, bob] = [await memberOf(world), await memberOf(world)]
    const send = (body: string) =>
      world.ask('commons.messages.send', { to: bob.handle, body }, ada.token)
    await send('May I?')
    await world.ask('commons.messages.accept', { handle: ada.handle }, bob.token)
    const read = () => world.ask('commons.messages.conversation', { handle: ada.handle }, bob.token)
    beforePage = () => {
      beforePage = () => Promise.resolve()
      return send('One more.')
    }
    await read()
    expect(await unreadOf(bob, ada)).toBe(2)
    await read()
    expect(await unreadOf(bob, ada)).toBe(0)
  })

  it('are not marked as read by a caller who is not shown them, nor by an older page', async () => {
    const world = openWorld(store)
    const [ada, bob] = [await memberOf(world), await memberOf(world)]
    await world.ask('commons.messages.send', { to: bob.handle, body: 'May I?' }, ada.token)
    await world.ask('commons.messages.accept', { handle: ada.handle }, bob.token)
    await world.ask('commons.messages.send', { to: bob.handle, body: 'And?' }, ada.token)
    const operation = world.core.catalog.find(
      ({ name }) => name === 'commons.messages.conversation',
    )
    if (!operation) throw new Error('there is no such operation')
    const call = { operation, credential: bob.token, address: '127.0.0.0', requestId: 'test' }
    await world.core.serve({ ...call, input: { handle: ada.handle }, unseen: true })
    expect(await unreadOf(bob, ada)).toBe(2)
    const { next_cursor } = await world.ask<{ next_cursor: string }>(
      'commons.messages.conversation',
      { handle: ada.handle, limit: 1 },
      bob.token,
    )
    expect(await unreadOf(bob, ada)).toBe(0)
    await world.ask('commons.messages.send', { to: bob.handle, body: 'Well?' }, ada.token)
    const older = { handle: ada.handle, limit: 1, cursor: next_cursor }
    await world.ask('commons.messages.conversation', older, bob.token)
    expect(await unreadOf(bob, ada)).toBe(1)
  })

  it('of strangers are limited by level and day', async () => {
    const clock = fakeClock()
    const world = openWorld(store, { clock })
    const ada = await memberOf(world)
    const ask = async () => {
      const { handle } = await memberOf(world)
      return world.ask('commons.messages.send', { to: handle, body: 'May I?' }, ada.token)
    }
    for (let i = 0; i < 3; i++) await ask()
    const half = 43_200
    await expect(ask()).rejects.toMatchObject({ code: 'rate_limited', retryAfterSeconds: half })
    await clock.advance(half * 1000)
    await ask()
    const joined_at = '2026-02-01T00:00:00.000Z'
    const proven = { $set: { joined_at, standing_replies: 1 } }
    await store.commons_identities.update({ id: ada.handle }, proven)
    // The one of this day counts on every level.
    for (let i = 0; i < 9; i++) await ask()
    await expect(ask()).rejects.toMatchObject({ code: 'rate_limited' })
  })

  it('of strangers are limited by network, where the operator says so', async () => {
    const limits: LimitTable = { message_requests: { count: 2, seconds: 86_400 } }
    const world = openWorld(store, { clock: fakeClock(), limits })
    const bob = await memberOf(world)
    const ask = async () => {
      const { token } = await memberOf(world)
      return world.ask('commons.messages.send', { to: bob.handle, body: 'May I?' }, token)
    }
    await ask()
    await ask()
    await expect(ask()).rejects.toMatchObject({ code: 'rate_limited' })
  })
})
