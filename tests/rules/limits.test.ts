import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { limiter, type Limit, type Limiter } from '#src/core/admission/limits.ts'
import type { Store } from '#src/ports/store.ts'
import { upkeep } from '#src/work/upkeep.ts'
import { fakeClock, type FakeClock } from '#tests/support/fake-clock.ts'
import { stores } from '#tests/support/stores.ts'
import { openWorld } from '#tests/support/world.ts'

const hourMs = 3_600_000
const dayMs = 24 * hourMs
const minute: Limit = { count: 600, seconds: 60 }
const strict: Limit = { count: 5, seconds: 3600 }

describe.each(stores())('rate limits on $name', (kind) => {
  let store: Store
  let clock: FakeClock
  beforeEach(async () => {
    store = await kind.open()
    clock = fakeClock()
  })
  afterEach(() => store.close())

  const admitted = async (from: Limiter, limit: Limit, times: number): Promise<number> => {
    let count = 0
    for (let i = 0; i < times; i++) {
      if ((await from.take('test', limit, 'ada')).admitted) count += 1
    }
    return count
  }

  it('admit exactly their count in a window, and again in the next', async () => {
    const one = limiter(store, clock)
    expect(await admitted(one, minute, 1000)).toBe(600)
    await clock.advance(60_000)
    expect(await admitted(one, minute, 1000)).toBe(600)
  })

  it('admit again where the clock is put back, and forget windows that were ahead', async () => {
    const begun = clock.now().getTime()
    for (const days of [1 / 24, 40]) {
      const one = limiter(store, clock)
      clock.set(begun + days * dayMs)
      expect(await admitted(one, strict, 10)).toBe(5)
      expect(one.spent('test', strict, 'ada')).toBeDefined()
      clock.set(begun - days * 60_000)
      expect(one.spent('test', strict, 'ada')).toBeUndefined()
      expect(await admitted(one, strict, 10)).toBe(5)
      await store.limits.delete({ ends_at: { $lt: new Date(begun + hourMs).toISOString() } })
    }
    const { ports } = openWorld(store, { clock })
    while ((await upkeep(ports, clock.now())) > 0);
    expect(
      await store.limits.count({ ends_at: { $gt: new Date(begun + 3 * dayMs).toISOString() } }),
    ).toBe(0)
  })

  it('count what two processes admit together', async () => {
    const two = [limiter(store, clock), limiter(store, clock)] as const
    const counts = await Promise.all(two.map((one) => admitted(one, minute, 1000)))
    const together = counts.reduce((sum, count) => sum + count, 0)
    // Each process may give out one block of credit that the row turns out to have no room for.
    expect(together).toBeGreaterThanOrEqual(600)
    expect(together).toBeLessThanOrEqual(600 + 60)
  })

  it('give no credit where the count is small', async () => {
    const two = [limiter(store, clock), limiter(store, clock)] as const
    const asked = two.flatMap((one) =>
      Array.from({ length: 20 }, async () => one.take('test', strict, 'ada')),
    )
    const states = await Promise.all(asked)
    expect(states.filter((state) => state.admitted)).toHaveLength(5)
  })

  it('cost few requests no write, and refusals none', async () => {
    const one = limiter(store, clock)
    await admitted(one, minute, 20)
    expect(await store.limits.count({})).toBe(0)
  })

  it('keep what was given out when the process stops in order', async () => {
    const first = limiter(store, clock)
    await admitted(first, minute, 590)
    await first.settle()
    expect(await admitted(limiter(store, clock), minute, 100)).toBeLessThanOrEqual(60)
    expect(await first.used('test', minute, 'ada')).toBeGreaterThanOrEqual(590)
  })

  it('tell what remains and when the window ends', async () => {
    const one = limiter(store, clock)
    await clock.advance(15_000)
    const first = await one.take('test', minute, 'ada')
    expect(first).toMatchObject({ name: 'test', count: 600, remaining: 599, resetSeconds: 45 })
    await admitted(one, minute, 599)
    const refused = await one.take('test', minute, 'ada')
    expect(refused).toMatchObject({ admitted: false, remaining: 0, resetSeconds: 45 })
  })

  it('count each subject apart', async () => {
    const one = limiter(store, clock)
    await admitted(one, strict, 5)
    expect((await one.take('test', strict, 'ada')).admitted).toBe(false)
    expect((await one.take('test', strict, 'eve')).admitted).toBe(true)
  })
})
