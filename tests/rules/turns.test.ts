import { expect, it } from 'vitest'
import { inTurn } from '#src/core/turns/in-turn.ts'
import { Unavailable } from '#src/ports/store.ts'

/** Work that ends when it is told to. */
function work() {
  const begun: string[] = []
  const ends: Record<string, (cause?: Error) => void> = {}
  const begin = (name: string, key = 'one') =>
    inTurn(key, () => {
      begun.push(name)
      return new Promise<string>((resolve, reject) => {
        ends[name] = (cause) => (cause ? reject(cause) : resolve(name))
      })
    })
  return { begun, begin, end: (name: string, cause?: Error) => ends[name]?.(cause) }
}

it('one begins when the one before it has ended, in their order', async () => {
  const { begun, begin, end } = work()
  const all = [begin('a'), begin('b'), begin('c')]
  expect(begun).toEqual(['a'])
  end('a')
  await all[0]
  await Promise.resolve()
  expect(begun).toEqual(['a', 'b'])
  // New work waits for the last, not for the first.
  all.push(begin('d'))
  end('b')
  await all[1]
  await Promise.resolve()
  expect(begun).toEqual(['a', 'b', 'c'])
  end('c')
  await all[2]
  await Promise.resolve()
  end('d')
  expect(await Promise.all(all)).toEqual(['a', 'b', 'c', 'd'])
})

it('work does not wait for another document, nor for work that has ended', async () => {
  const { begun, begin, end } = work()
  const first = begin('a')
  const other = begin('b', 'two')
  expect(begun).toEqual(['a', 'b'])
  end('a')
  end('b')
  await Promise.all([first, other])
  await Promise.resolve()
  const late = begin('c')
  expect(begun).toEqual(['a', 'b', 'c'])
  end('c')
  await late
})

it('goes on after one that failed, but not where the store was away', async () => {
  const { begun, begin, end } = work()
  const [failing, next] = [begin('a'), begin('b')]
  end('a', new Error('no'))
  await expect(failing).rejects.toThrow('no')
  await Promise.resolve()
  expect(begun).toEqual(['a', 'b'])
  const waiting = begin('c')
  const cause = new Unavailable('away')
  end('b', cause)
  await expect(next).rejects.toBe(cause)
  await expect(waiting).rejects.toMatchObject({ constructor: Unavailable, cause })
  expect(begun).toEqual(['a', 'b'])
})
