import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { newDelivery } from '#src/events/outbox/outbox.ts'
import { eventWrite } from '#src/events/emit.ts'
import type { Sender } from '#src/ports/sender.ts'
import type { Store } from '#src/ports/store.ts'
import { deliverer } from '#src/work/deliveries.ts'
import { eventPasser } from '#src/work/events.ts'
import { InTurn } from '#src/work/turns/in-turn.ts'
import { fakeClock, type FakeClock } from '#tests/support/fake-clock.ts'
import { stores } from '#tests/support/stores.ts'
import { until } from '#tests/support/until.ts'
import { openWorld } from '#tests/support/world.ts'

describe('what is due of accounts in turn', () => {
  /** What waits, as `account/number`. */
  let waiting: string[]
  let reads: number
  const turns = (most: number, each: number) => {
    const own = new InTurn<string>((one) => one.split('/')[0] ?? '', most, each)
    return async (): Promise<string[]> => {
      const taken = await own.next((after, limit) => {
        reads += 1
        return Promise.resolve(
          waiting.filter((one) => (one.split('/')[0] ?? '') > after).slice(0, limit),
        )
      })
      waiting = waiting.filter((one) => !taken.includes(one))
      return taken
    }
  }
  const many = (account: string, count: number) =>
    Array.from({ length: count }, (_, i) => `${account}/${i}`)
  beforeEach(() => {
    reads = 0
  })

  it('is found by one read where there is little', async () => {
    waiting = ['a/0', 'b/0', 'b/1']
    const next = turns(8, 4)
    expect(await next()).toEqual(['a/0', 'b/0', 'b/1'])
    expect(await next()).toEqual([])
    expect(reads).toBe(2)
  })

  it('is a share of each, and goes on with the next where it left off', async () => {
    waiting = [...many('a', 9), ...many('b', 9), ...many('c', 9), 'd/0']
    const next = turns(8, 4)
    expect(await next()).toEqual([...many('a', 4), ...many('b', 4)])
    expect(await next()).toEqual([...many('c', 4), 'd/0', 'a/4', 'a/5', 'a/6'])
    // All of it comes, each once.
    const rest: string[] = []
    while (waiting.length > 0) rest.push(...(await next()))
    expect(new Set(rest).size).toBe(rest.length)
    expect(rest).toHaveLength(28 - 16)
  })
})

describe.each(stores())('turns of accounts on $name', (kind) => {
  let opened: Store
  let store: Store
  let clock: FakeClock
  beforeEach(async () => {
    opened = await kind.open()
    clock = fakeClock()
    const time = (): Promise<Date> => Promise.resolve(clock.now())
    store = { ...opened, now: time, leaseTime: time }
  })
  afterEach(() => opened.close())

  const happened = (ownerId: string, charId: string) => {
    const happening = { type: 'run.completed', ownerId, charId, appId: null, data: {} }
    return store.commit([eventWrite(happening, clock.now())])
  }

  it('pass on the events of one at once, regardless of those of another', async () => {
    const passOn = eventPasser(openWorld(store, { clock }).ports)
    await Promise.all(Array.from({ length: 90 }, (_, i) => happened('acc_crowd', `a${i % 30}`)))
    await clock.advance(1000)
    await happened('acc_calm', 'calm')
    expect(await passOn()).toBe(16)
    expect(await store.events.count({ owner_id: 'acc_calm' })).toBe(0)
    expect(await store.events.count({ owner_id: 'acc_crowd' })).toBe(75)
    while ((await passOn()) > 0);
    expect(await store.events.count({})).toBe(0)
  })

  it('pass on what happened before the clock was put back', async () => {
    const passOn = eventPasser(openWorld(store, { clock }).ports)
    await happened('acc_calm', 'calm')
    clock.set(clock.now().getTime() - 3_600_000)
    expect(await passOn()).toBe(1)
  })

  it('send the deliveries of one at once, regardless of those of another', async () => {
    const begun: string[] = []
    const hanging: Sender = {
      send({ url, signal }) {
        begun.push(new URL(url).host)
        if (url.includes('calm')) return Promise.resolve({ status: 200, headers: {}, body: '' })
        return new Promise((_, reject) => {
          signal?.addEventListener('abort', () => reject(signal.reason))
        })
      },
      load: () => Promise.reject(new Error('only texts are sent here')),
      objection: () => undefined,
      close: () => Promise.resolve(),
    }
    const { ports } = openWorld(store, { clock, sender: hanging })
    const owe = (ownerId: string, host: string): Promise<void> => {
      const hook = { ownerId, appId: null, charId: null, eventId: 'evt_1', type: 'x', body: {} }
      const owed = { ...hook, url: `https://${host}/in`, now: clock.now() }
      return store.deliveries.insert(newDelivery(owed, ports.sealer))
    }
    // To so many places that none of them is full.
    for (let i = 0; i < 80; i += 1) await owe('acc_crowd', `p${i}.example`)
    await clock.advance(1000)
    const one = deliverer(ports, () => undefined)
    expect(await one.tick()).toBe(8)
    await owe('acc_calm', 'calm.example')
    expect(await one.tick()).toBe(1)
    await until(() => begun.length >= 9)
    expect(begun).toHaveLength(9)
    expect(begun).toContain('calm.example')
    const stopped = one.stop()
    await clock.advance(5000)
    await stopped
  })

  it('leave a delivery under way alone while the clock is put forward', async () => {
    let sent = 0
    let answer: () => void = () => undefined
    const slow: Sender = {
      send() {
        sent += 1
        return new Promise((resolve) => {
          answer = () => resolve({ status: 200, headers: {}, body: '' })
        })
      },
      load: () => Promise.reject(new Error('only texts are sent here')),
      objection: () => undefined,
      close: () => Promise.resolve(),
    }
    const began = clock.now().getTime()
    const leaseTime = (): Promise<Date> => Promise.resolve(new Date(began + clock.monotonic()))
    const { ports } = openWorld({ ...store, leaseTime }, { clock, sender: slow })
    const hook = {
      ownerId: 'acc',
      appId: null,
      charId: null,
      eventId: 'evt_1',
      type: 'x',
      body: {},
    }
    const owed = { ...hook, url: 'https://calm.example/in', now: clock.now() }
    await store.deliveries.insert(newDelivery(owed, ports.sealer))
    const [mine, other] = [deliverer(ports, () => undefined), deliverer(ports, () => undefined)]
    expect(await mine.tick()).toBe(1)
    clock.set(began + 8 * 3_600_000)
    expect([await mine.tick(), await other.tick()]).toEqual([0, 0])
    await until(() => sent === 1)
    answer()
    await until(async () => (await store.deliveries.count({ status: 'delivered' })) === 1)
    await Promise.all([mine.stop(), other.stop()])
    expect(sent).toBe(1)
  })
})
