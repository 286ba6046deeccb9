import { describe, expect, it } from 'vitest'
import type { Ports } from '#src/core/context.ts'
import { takeDue, type DueQueue } from '#src/core/turns/due-queue.ts'
import { Unavailable } from '#src/ports/store.ts'

interface Thing {
  id: string
  lane: string
}

const now = new Date('2026-03-02T09:00:00Z')

function opened(due: readonly Thing[], more: Partial<DueQueue<Thing>> = {}) {
  const said: unknown[] = []
  const error = (...all: unknown[]): void => void said.push(all)
  // A queue reaches nothing else of them.
  const ports = { log: { error } } as unknown as Ports
  const taken: string[] = []
  let under = 0
  let most = 0
  const queue: DueQueue<Thing> = {
    name: 'a thing',
    atOnce: 100,
    sideBySide: 2,
    find: (_, at, limit) => {
      expect(at).toBe(now)
      return Promise.resolve(due.slice(0, limit))
    },
    async take(_, { id }) {
      under += 1
      most = Math.max(most, under)
      taken.push(id)
      await Promise.resolve()
      under -= 1
      return true
    },
    ...more,
  }
  return { taken, said, most: () => most, take: () => takeDue(ports, queue, now) }
}

const things = (...ids: string[]): Thing[] => ids.map((id) => ({ id, lane: id[0] ?? '' }))

describe('what is due', () => {
  it('is taken so many side by side, the longest due first, as far as it was found', async () => {
    const { take, taken, most } = opened(things('a', 'b', 'c', 'd'), { atOnce: 3 })
    expect(await take()).toBe(3)
    expect(taken).toEqual(['a', 'b', 'c'])
    expect(most()).toBe(2)
  })

  it('is taken one after the other within its lane', async () => {
    const laneOf = ({ lane }: Thing): string => lane
    const { take, taken, most } = opened(things('a1', 'a2', 'a3'), { laneOf })
    expect([await take(), taken, most()]).toEqual([3, ['a1', 'a2', 'a3'], 1])
  })

  it('holds up no other where it fails: that is told, and it is put off', async () => {
    const off: string[] = []
    const cause = new Error('broken')
    const { take, said } = opened(things('a', 'b', 'c'), {
      take: (_, { id }) => (id === 'b' ? Promise.reject(cause) : Promise.resolve(id === 'a')),
      putOff: (_, { id }) => Promise.resolve(off.push(id)),
    })
    // Another process was quicker with the last.
    expect(await take()).toBe(1)
    expect(off).toEqual(['b'])
    expect(said).toEqual([['a thing could not be handled', { id: 'b', cause }]])
  })

  it('waits while the store is away: nothing of it is to blame', async () => {
    const { take, said } = opened(things('a'), {
      take: () => Promise.reject(new Unavailable('away')),
      putOff: () => expect.fail('it was put off'),
    })
    await expect(take()).rejects.toThrow(Unavailable)
    expect(said).toEqual([])
  })
})
