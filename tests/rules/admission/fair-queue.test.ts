import { describe, expect, it } from 'vitest'
import { FairQueue } from '#src/core/turns/fair-queue.ts'

describe('a fair queue', () => {
  it('gives the place to owners in turn, and to each in order', async () => {
    const queue = new FairQueue({ all: 10, each: 10 })
    const served: string[] = []
    const work = async (owner: string, name: string): Promise<void> => {
      const leave = await queue.take(owner)
      served.push(name)
      await Promise.resolve()
      leave?.()
    }
    await Promise.all([
      work('a', 'a1'),
      work('a', 'a2'),
      work('a', 'a3'),
      work('a', 'a4'),
      work('b', 'b1'),
      work('c', 'c1'),
      work('b', 'b2'),
    ])
    expect(served).toEqual(['a1', 'a2', 'b1', 'c1', 'a3', 'b2', 'a4'])
    expect(await queue.take('a')).toBeTypeOf('function')
  })

  it('lets so many wait, of one owner and in all', async () => {
    const queue = new FairQueue({ all: 3, each: 2 })
    const leave = await queue.take('a')
    const waiting = [queue.take('a'), queue.take('a'), queue.take('b')]
    expect(queue.take('a')).toBe(undefined)
    expect(queue.take('c')).toBe(undefined)
    leave?.()
    leave?.()
    const second = await waiting[0]
    expect(queue.take('c')).toBeInstanceOf(Promise)
    second?.()
    ;(await waiting[2])?.()
  })
})
