import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { anchorOf, anchorText, holds, machineMs } from '#adapters/store/sqlite/machine-clock.ts'
import type { Store } from '#src/ports/store.ts'
import { stores, type Place } from '#tests/support/stores.ts'

const hour = 3_600_000

/** The time of this machine is set, and nothing else: what counts on by itself is left alone. */
function setClock(by: number): void {
  const real = Date.now()
  const begun = performance.now()
  vi.useFakeTimers({ toFake: ['Date'], now: real + by })
  vi.spyOn(Date, 'now').mockImplementation(() => real + by + performance.now() - begun)
}

describe.each(stores())('the clock of leases on $name', (kind) => {
  let place: Place
  let store: Store
  beforeEach(async () => {
    place = await kind.place()
    store = await place.open()
  })
  afterEach(async () => {
    vi.useRealTimers()
    vi.restoreAllMocks()
    await store.close()
    await place.remove()
  })

  it.each([8 * hour, 40 * 24 * hour, -hour])('is not moved with the wall by %i ms', async (by) => {
    const before = (await store.leaseTime()).getTime()
    expect(Math.abs(before - Date.now())).toBeLessThan(60_000)
    setClock(by)
    const after = (await store.leaseTime()).getTime()
    expect(after).toBeGreaterThanOrEqual(before)
    expect(after - before).toBeLessThan(60_000)
    // A process that opens the store now reads the same time as those that had it open.
    const other = await place.open()
    const there = (await other.leaseTime()).getTime()
    await other.close()
    expect(Math.abs(there - after)).toBeLessThan(60_000)
  })

  it('is the same for all that begin at once, and goes on', async () => {
    const others = await Promise.all([place.open(), place.open()])
    const begun = performance.now()
    const times = await Promise.all([store, ...others].map((one) => one.leaseTime()))
    // No further apart than it took to read them, which a busy machine makes long.
    const took = performance.now() - begun
    const all = times.map((time) => time.getTime())
    expect(Math.max(...all) - Math.min(...all)).toBeLessThan(took + 500)
    for (const other of others) await other.close()
    const first = machineMs()
    expect(machineMs()).toBeGreaterThanOrEqual(first)
  })
})

describe('what the time of a machine is counted from', () => {
  it('holds for one start of the machine, and is read as it was kept', () => {
    const anchor = { boot: 'another', at: 1, shift: 2 }
    expect(anchorOf(anchorText(anchor))).toEqual(anchor)
    expect(holds(anchor)).toBe(false)
    expect(anchorOf('"else"')).toBeUndefined()
    expect(anchorOf('[1,2,3]')).toBeUndefined()
  })

  it('is replaced where the machine has been restarted since', async () => {
    const sqlite = stores()[0]
    if (!sqlite) throw new Error('there is one')
    const store = await sqlite.open()
    const value = anchorText({ boot: 'another', at: 1, shift: Date.now() - 9 * hour })
    await store.meta.insert({ id: 'lease_clock', value })
    const now = await store.leaseTime()
    expect(Math.abs(now.getTime() - Date.now())).toBeLessThan(60_000)
    expect((await store.meta.get('lease_clock'))?.value).not.toBe(value)
    await store.close()
  })
})
