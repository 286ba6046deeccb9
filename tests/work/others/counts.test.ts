import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { Unavailable, type Store } from '#src/ports/store.ts'
import { startWork, type Work } from '#src/work/work.ts'
import { fakeClock, type FakeClock } from '#tests/support/fake-clock.ts'
import { stores } from '#tests/support/stores.ts'
import { until } from '#tests/support/until.ts'
import { noQuotas, openWorld, silent, type World } from '#tests/support/world.ts'

/** Longer than the pause between two settlings, with its jitter. */
const pauseMs = 6000
const bytesAtMost = 20_000
const quotas = { ...noQuotas, unclaimed: { ...noQuotas.unclaimed, stored_bytes: bytesAtMost } }
const full = { code: 'quota_exceeded' }

describe.each(stores())('two processes that only answer requests, on $name', (kind) => {
  let store: Store
  let clock: FakeClock
  let calls: string[]
  let isAway: boolean
  let told: string[]
  let here: World
  let there: World
  let works: Work[]
  let owner: { key: string; id: string }

  beforeEach(async () => {
    const opened = await kind.open()
    clock = fakeClock()
    calls = []
    isAway = false
    told = []
    const now = () => Promise.resolve(clock.now())
    const usage = new Proxy(opened.usage, {
      get(target, method: keyof Store['usage']) {
        const found = target[method] as (...all: unknown[]) => Promise<unknown>
        return (...all: unknown[]) => {
          calls.push(method)
          return isAway ? Promise.reject(new Unavailable('away')) : found.apply(target, all)
        }
      },
    })
    store = { ...opened, now, leaseTime: now, usage }
    const log = { ...silent, error: (message: string) => void told.push(message) }
    here = openWorld(store, { clock, quotas, log })
    there = openWorld(store, { clock, quotas, log })
    works = [here, there].map(({ ports }) => startWork(ports, [], 1))
    owner = await here.account()
    calls = []
  })
  afterEach(async () => {
    for (const work of works) await work.stop()
    await store.close()
  })

  const agent = (id: string) => ({ character: { id, name: 'Ada', description: 'a'.repeat(9000) } })
  const make = (world: World, id: string) => world.ask('characters.create', agent(id), owner.key)
  const usedAt = async ({ ports }: World) =>
    (await ports.quotas.usage({ accountId: owner.id, claimed: false })).stored_bytes
  const stored = async () => (await store.usage.get(owner.id))?.bytes ?? 0
  const isStored = (bytes: number) => until(async () => (await stored()) === bytes)

  it('let the one write again once the other has made room', async () => {
    await make(here, 'ada')
    await make(here, 'bea')
    await make(here, 'cleo')
    expect(await here.refusal('characters.create', agent('dora'), owner.key)).toMatchObject(full)
    const used = await usedAt(here)
    await clock.advance(pauseMs)
    await isStored(used)
    expect(await there.refusal('characters.create', agent('dora'), owner.key)).toMatchObject(full)
    for (const char_id of ['ada', 'bea', 'cleo']) {
      await there.ask('characters.delete', { char_id }, owner.key)
    }
    const left = await usedAt(there)
    await clock.advance(pauseMs)
    await isStored(left)
    await make(here, 'dora')
  })

  it('say the same of what is used within seconds, also of what is lost with a process', async () => {
    await make(here, 'ada')
    await make(there, 'bea')
    const both = (await usedAt(here)) + (await usedAt(there))
    await clock.advance(pauseMs)
    await isStored(both)
    expect(await usedAt(here)).toBe(both)
    expect(await usedAt(there)).toBe(both)
  })

  it('ask nothing of the store while nothing was counted', async () => {
    await clock.advance(10 * pauseMs)
    expect(calls).toEqual([])
    await make(here, 'ada')
    const used = await usedAt(here)
    await clock.advance(pauseMs)
    await isStored(used)
    await clock.advance(pauseMs)
    calls = []
    await clock.advance(10 * pauseMs)
    expect(calls).toEqual([])
  })

  it('write later what the store did not take, and say so', async () => {
    await make(here, 'ada')
    const used = await usedAt(here)
    isAway = true
    await clock.advance(pauseMs)
    expect(told).toEqual(['a background tick failed'])
    isAway = false
    await clock.advance(4 * pauseMs)
    await isStored(used)
  })

  it('write on while they rest before they stop, and not after', async () => {
    for (const work of works) work.rest()
    await make(here, 'ada')
    const used = await usedAt(here)
    await clock.advance(pauseMs)
    await isStored(used)
    await make(here, 'bea')
    for (const work of works) await work.stop()
    calls = []
    here.ports.quotas.addBytes(owner.id, 1)
    await clock.advance(10 * pauseMs)
    expect(calls).toEqual([])
    expect(await stored()).toBeGreaterThan(used)
  })
})
