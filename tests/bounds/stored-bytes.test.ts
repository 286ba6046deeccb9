import { afterEach, describe, expect, test } from 'vitest'
import { StoredBytes } from '#src/core/counts/stored-bytes.ts'
import type { Store } from '#src/ports/store.ts'
import { fakeClock } from '#tests/support/fake-clock.ts'
import { stores } from '#tests/support/stores.ts'

const opened: Store[] = []
afterEach(() => Promise.all(opened.splice(0).map((store) => store.close())))

describe.each(stores())('the bytes of an account on $name', (kind) => {
  test('are counted once while they are written, at any moment', async () => {
    const store = await kind.open()
    opened.push(store)
    await store.usage.insert({ id: 'acc_1', agents: 0, apps: 0, bytes: 100 })
    const isWritten = Promise.withResolvers<void>()
    const isTold = Promise.withResolvers<void>()
    const usage: Store['usage'] = {
      ...store.usage,
      // The row is there for readers before the writer is told so.
      async update(...change) {
        const row = await store.usage.update(...change)
        isWritten.resolve()
        await isTold.promise
        return row
      },
    }
    const counts = new StoredBytes({ usage }, fakeClock())
    counts.add('acc_1', 70_000)
    await isWritten.promise
    const read = counts.read('acc_1')
    const asked = counts.of('acc_1')
    counts.add('acc_1', 5)
    isTold.resolve()
    expect(await read).toMatchObject({ row: { bytes: 70_100 }, bytes: 70_105 })
    expect(await asked).toBe(70_105)
  })

  const counting = async () => {
    const store = await kind.open()
    opened.push(store)
    const clock = fakeClock()
    let reads = 0
    const usage: Store['usage'] = {
      ...store.usage,
      get(id) {
        reads += 1
        return store.usage.get(id)
      },
    }
    await store.usage.insert({ id: 'acc_1', agents: 0, apps: 0, bytes: 100 })
    const made = { here: new StoredBytes({ usage }, clock), there: new StoredBytes(store, clock) }
    return { store, clock, ...made, reads: () => reads }
  }

  test('are read again before they are too many, once a second and for all who ask', async () => {
    const { clock, here, there, reads } = await counting()
    expect(await here.reaches('acc_1', 100)).toBe(true)
    there.add('acc_1', -40)
    await there.settle()
    for (let n = 0; n < 9; n += 1) expect(await here.reaches('acc_1', 100)).toBe(true)
    expect(reads()).toBe(1)
    await clock.advance(1000)
    const asked = Array.from({ length: 9 }, () => here.reaches('acc_1', 100))
    expect(new Set(await Promise.all(asked))).toEqual(new Set([false]))
    expect(reads()).toBe(2)
    here.add('acc_1', 39)
    expect(await here.reaches('acc_1', 100)).toBe(false)
    here.add('acc_1', 1)
    expect(await here.reaches('acc_1', 100)).toBe(true)
    // As long as there is room nothing is read.
    await clock.advance(5000)
    expect(await here.reaches('acc_1', 101)).toBe(false)
    expect(reads()).toBe(2)
  })

  test('are forgotten by a settling that finds nothing of them to write', async () => {
    const { store, here, there, reads } = await counting()
    expect(await here.of('acc_1')).toBe(100)
    here.add('acc_1', 5)
    await here.settle()
    there.add('acc_1', 20)
    await there.settle()
    expect(await here.of('acc_1')).toBe(105)
    await here.settle()
    expect(await here.of('acc_1')).toBe(125)
    expect(reads()).toBe(2)
    expect(await store.usage.get('acc_1')).toMatchObject({ bytes: 125 })
  })

  test('are written by each of two that settle at once, and none is lost', async () => {
    const { store, here } = await counting()
    await here.of('acc_1')
    here.add('acc_1', 70_000)
    const settled = [here.settle(), here.settle()]
    here.add('acc_1', 7)
    await Promise.all(settled)
    here.add('acc_1', 1)
    await Promise.all([here.settle(), here.settle()])
    expect(await store.usage.get('acc_1')).toMatchObject({ bytes: 70_108 })
  })
})
