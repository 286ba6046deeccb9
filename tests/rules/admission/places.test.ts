import { describe, expect, it } from 'vitest'
import { Places } from '#src/core/turns/places.ts'

/** Work that ends when it is told to. */
function begun(places: Places, account: string, order: string[], name: string) {
  const { promise, resolve } = Promise.withResolvers<void>()
  const done = places.hold(account, async () => {
    order.push(name)
    await promise
  })
  return { done, end: resolve }
}

const settled = () => new Promise(setImmediate)

describe('places', () => {
  it('let an account wait in line, and give places to accounts in turn', async () => {
    const places = new Places({ each: 1, all: 2, line: 2, of: 'looks' })
    const order: string[] = []
    const work = (account: string, name: string) => begun(places, account, order, name)
    const [a1, a2, a3] = [work('a', 'a1'), work('a', 'a2'), work('a', 'a3')]
    const b1 = work('b', 'b1')
    const c1 = work('c', 'c1')
    expect(order).toEqual(['a1', 'b1'])
    await expect(work('a', 'a4').done).rejects.toMatchObject({ code: 'rate_limited' })
    a1.end()
    await a1.done
    await settled()
    expect(order).toEqual(['a1', 'b1', 'a2'])
    a2.end()
    await settled()
    expect(order).toEqual(['a1', 'b1', 'a2', 'c1'])
    for (const one of [b1, c1, a3]) one.end()
    await Promise.all([a2, a3, b1, c1].map(({ done }) => done))
    expect(order).toEqual(['a1', 'b1', 'a2', 'c1', 'a3'])
  })

  it('refuse who does not wait, and give back what failed', async () => {
    const places = new Places({ each: 1, all: 2, of: 'looks' })
    const a = begun(places, 'a', [], '')
    const b = begun(places, 'b', [], '')
    await expect(places.hold('a', settled)).rejects.toMatchObject({ code: 'rate_limited' })
    await expect(places.hold('c', settled)).rejects.toMatchObject({ code: 'unavailable' })
    a.end()
    b.end()
    await Promise.all([a.done, b.done])
    await expect(places.hold('a', () => Promise.reject(new Error('it failed')))).rejects.toThrow()
    await expect(places.hold('a', () => Promise.resolve('done'))).resolves.toBe('done')
  })
})
