import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { Store } from '#src/ports/store.ts'
import { type Place, stores } from '#tests/support/stores.ts'

/** A wall clock is also put right by a little now and then. */
const roundedByMs = 500

describe.each(stores())('two stores on one database ($name)', (kind) => {
  let place: Place
  let one: Store
  let other: Store
  beforeEach(async () => {
    place = await kind.place()
    one = await place.open()
    other = await place.open()
  })
  afterEach(async () => {
    await Promise.all([one.close(), other.close()])
    await place.remove()
  })

  const told = (store: Store): { next: Promise<void>; end: () => void } => {
    const { promise, resolve } = Promise.withResolvers<void>()
    return { next: promise, end: store.watch(() => resolve()) }
  }

  /** A write that touches what others wait for. */
  const touch = (store: Store, n: number): Promise<void> => {
    const id = `run_${n}`
    return store.run_events.insert({
      id: `${id}.1`,
      run_id: id,
      seq: 1,
      type: '',
      at: '',
      data: {},
    })
  }

  it('see at once what the other has written', async () => {
    await one.meta.insert({ id: 'a', value: '1' })
    expect(await other.meta.get('a')).toEqual({ id: 'a', value: '1' })
    await other.meta.update({ id: 'a' }, { $set: { value: '2' } })
    expect(await one.meta.get('a')).toEqual({ id: 'a', value: '2' })
  })

  it('keep a unique id between them', async () => {
    const tries = [one, other].map((store) => store.meta.insert({ id: 'a', value: '1' }))
    const outcomes = await Promise.allSettled(tries)
    expect(outcomes.map((outcome) => outcome.status).toSorted()).toEqual(['fulfilled', 'rejected'])
  })

  it('tell a watcher of a commit of the other, by when it can be read', async () => {
    const watch = told(other)
    await touch(one, 1)
    await watch.next
    expect(await other.run_events.get('run_1.1')).toMatchObject({ run_id: 'run_1' })
    watch.end()
  })

  it('tell every watcher, and those that have ended no more', async () => {
    let calls = 0
    const end = other.watch(() => {
      calls += 1
    })
    const first = told(other)
    await touch(one, 1)
    await first.next
    expect(calls).toBeGreaterThan(0)
    end()
    end()
    const before = calls
    const second = told(other)
    await touch(one, 2)
    await second.next
    expect(calls).toBe(before)
    first.end()
    second.end()
  })

  it('tell a watcher that comes after all others have gone', async () => {
    told(other).end()
    const watch = told(other)
    await touch(one, 1)
    await expect(watch.next).resolves.toBeUndefined()
    watch.end()
  })

  it('call no watcher once they are closed', async () => {
    let calls = 0
    const count = (): void => {
      calls += 1
    }
    const end = other.watch(count)
    await other.close()
    end()
    other.watch(count)()
    const end2 = other.watch(count)
    const before = calls
    const watch = told(one)
    const third = await place.open()
    await touch(third, 1)
    await watch.next
    end2()
    await third.close()
    expect(calls).toBe(before)
  })

  it('have one clock, which goes forward', async () => {
    const begun = performance.now()
    const before = (await one.now()).getTime()
    const between = (await other.now()).getTime()
    const after = (await one.now()).getTime()
    // No further apart than it took to read them, and what clocks are rounded by.
    const took = performance.now() - begun
    expect(Math.abs(between - before)).toBeLessThanOrEqual(took + roundedByMs)
    expect(after).toBeGreaterThanOrEqual(before)
  })

  it('open an empty database at the same time', async () => {
    const fresh = await kind.newPlace()
    const opened = await Promise.all(Array.from({ length: 4 }, () => fresh.open()))
    await Promise.all(opened.map((store, n) => store.meta.insert({ id: `m${n}`, value: '' })))
    expect(await opened[0]?.meta.count({})).toBe(4)
    await Promise.all(opened.map((store) => store.close()))
    await fresh.remove()
  })

  it('find everything again after all have closed', async () => {
    await one.meta.insert({ id: 'a', value: '1' })
    await Promise.all([one.close(), other.close()])
    one = await place.open()
    expect(await one.meta.get('a')).toEqual({ id: 'a', value: '1' })
  })
})
