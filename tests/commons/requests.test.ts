import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { Refusal } from '#src/core/errors.ts'
import type { Store } from '#src/ports/store.ts'
import { upkeep } from '#src/work/upkeep.ts'
import { fakeClock, type FakeClock } from '#tests/support/fake-clock.ts'
import { memberOf } from '#tests/support/members.ts'
import { stores, type Place } from '#tests/support/stores.ts'
import { openWorld, type World } from '#tests/support/world.ts'
import type { Member } from './crowd.ts'

describe.each(stores())('the first messages of a day on $name', (kind) => {
  let place: Place
  let opened: Store[]
  let worlds: World[]
  let clock: FakeClock
  let ada: Member
  let bob: Member

  // Two processes on one store count together.
  beforeEach(async () => {
    place = await kind.place()
    opened = [await place.open(), await place.open()]
    clock = fakeClock()
    worlds = opened.map((store) => openWorld(store, { clock }))
    ada = await memberOf(world(0))
    bob = await memberOf(world(0))
  })
  afterEach(async () => {
    await Promise.all(opened.map((store) => store.close()))
    await place.remove()
  })

  const world = (at: number): World => {
    const one = worlds[at % 2]
    if (!one) throw new Error('two worlds were opened')
    return one
  }
  const send = (from: Member, to: Member, at: number) =>
    world(at).ask('commons.messages.send', { to: to.handle, body: `No. ${at}` }, from.token)
  const codesOf = async (calls: readonly Promise<unknown>[]): Promise<string[]> =>
    (await Promise.allSettled(calls)).map((one) => {
      if (one.status === 'fulfilled') return 'sent'
      if (one.reason instanceof Refusal) return one.reason.code
      throw one.reason
    })
  const leftOf = async ({ token }: Member): Promise<number | undefined> => {
    const { limits } = await world(1).ask<{ limits: { name: string; remaining: number }[] }>(
      'commons.me.get',
      {},
      token,
    )
    return limits.find(({ name }) => name === 'message_requests')?.remaining
  }

  it('cost nothing where they are refused', async () => {
    const codes = await codesOf(Array.from({ length: 8 }, (_, at) => send(ada, bob, at)))
    expect(codes.sort()).toEqual([...Array.from({ length: 7 }, () => 'consent_required'), 'sent'])
    expect(await leftOf(ada)).toBe(2)
  })

  it('are as many as the level allows, to the last one', async () => {
    const strangers = await Promise.all(Array.from({ length: 9 }, () => memberOf(world(0))))
    const codes = await codesOf(strangers.map((one, at) => send(ada, one, at)))
    expect(codes.filter((code) => code === 'sent')).toHaveLength(3)
    expect(codes.filter((code) => code === 'rate_limited')).toHaveLength(6)
    expect(await leftOf(ada)).toBe(0)
    const half = 43_200
    await expect(send(ada, bob, 0)).rejects.toMatchObject({ retryAfterSeconds: half })
    await clock.advance(half * 1000)
    expect(await leftOf(ada)).toBe(3)
    await send(ada, bob, 0)
  })

  it('of two who write to each other at once count for one of them', async () => {
    for (let round = 0; round < 3; round++) {
      const [one, two] = [await memberOf(world(0)), await memberOf(world(0))]
      await Promise.all([send(one, two, 0), send(two, one, 1)])
      expect([await leftOf(one), await leftOf(two)].sort((a, b) => Number(a) - Number(b))).toEqual([
        2, 3,
      ])
    }
  })

  it('count once for one idempotency key', async () => {
    const operation = world(0).core.catalog.find(({ name }) => name === 'commons.messages.send')
    if (!operation) throw new Error('there is no such operation')
    const call = {
      operation,
      input: { to: bob.handle, body: 'Once.' },
      credential: ada.token,
      address: '127.0.0.0',
      idempotencyKey: 'once',
      requestId: 'test',
    }
    const calls = Array.from({ length: 8 }, (_, at) => world(at).core.serve(call))
    const answers = await Promise.all(calls)
    expect(new Set(answers.map(({ answer }) => answer?.text)).size).toBe(1)
    expect(answers[0]?.answer).toBeTruthy()
    expect(await leftOf(ada)).toBe(2)
  })

  it('are forgotten after two days', async () => {
    await send(ada, bob, 0)
    const [store] = opened as [Store]
    await clock.advance(2 * 86_400_000)
    await upkeep(world(0).ports, clock.now())
    expect(await store.commons_requests.count({})).toBe(1)
    await clock.advance(86_400_000)
    await upkeep(world(0).ports, clock.now())
    expect(await store.commons_requests.count({})).toBe(0)
  })
})
