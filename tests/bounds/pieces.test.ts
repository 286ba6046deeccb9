import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { systemClock } from '#adapters/clock/system.ts'
import { charactersAtMost, documentsInPieces, textsInPieces } from '#src/core/turns/pieces.ts'
import type { Store } from '#src/ports/store.ts'
import { stores } from '#tests/support/stores.ts'

const sort = { id: 1 } as const
const names = Array.from({ length: 8 }, (_, i) => `thing ${i}`)

describe.each(stores())('a read in pieces on $name', (kind) => {
  let store: Store

  beforeEach(async () => {
    store = await kind.open()
  })
  afterEach(() => store.close())

  const keep = async (length: number): Promise<void> => {
    for (const id of names) await store.meta.insert({ id, value: 'x'.repeat(length) })
  }
  const filter = { id: { $in: names } }
  const large = charactersAtMost / 2
  /** Counts the turns that are asked for. */
  const counting = () => {
    const clock = {
      turns: 0,
      turn() {
        clock.turns += 1
        return systemClock.turn()
      },
    }
    return clock
  }

  test('gives all texts in order, large or small, and rests only for large ones', async () => {
    const small = counting()
    await keep(1)
    const few = await textsInPieces(small, store.meta, { key: 'a', filter, options: { sort } })
    expect(few.map(({ id }) => id)).toEqual(names)
    expect(small.turns).toBe(0)
    await store.meta.delete({})
    const clock = counting()
    await keep(large)
    const all = await textsInPieces(clock, store.meta, { key: 'a', filter, options: { sort } })
    expect(all.map(({ id }) => id)).toEqual(names)
    expect(all.every(({ text }) => text.length > large)).toBe(true)
    expect(clock.turns).toBeGreaterThan(1)
  })

  test('leaves out what is deleted meanwhile', async () => {
    await keep(large)
    let isGone = false
    const clock = {
      async turn() {
        if (!isGone) await store.meta.delete({ id: names.at(-1) ?? '' })
        isGone = true
      },
    }
    const found = await documentsInPieces(clock, store.meta, filter, 'a')
    expect(found.map(({ id }) => id).sort()).toEqual(names.slice(0, -1))
    expect(await documentsInPieces(clock, store.meta, { id: 'none' }, 'a')).toEqual([])
  })

  test('waits for the large ones before it, and goes on after one that fails', async () => {
    await keep(large)
    const order: string[] = []
    let reads = 0
    const failing: Pick<Store['meta'], 'find' | 'pick'> = {
      pick: (...asked) => store.meta.pick(...asked),
      find: (...asked) => {
        reads += 1
        return reads > 1 ? Promise.reject(new Error('away')) : store.meta.find(...asked)
      },
    }
    await expect(documentsInPieces(systemClock, failing, filter, 'lost')).rejects.toThrow('away')
    const read = async (name: string): Promise<void> => {
      const clock = {
        turn() {
          order.push(name)
          return systemClock.turn()
        },
      }
      await textsInPieces(clock, store.meta, { key: name, filter, options: { sort } })
    }
    await Promise.all([read('a'), read('b')])
    // Each has all of its turns before the other has one.
    const changes = order.filter((name, i) => i > 0 && name !== order[i - 1])
    expect(changes).toHaveLength(1)
  })
})
