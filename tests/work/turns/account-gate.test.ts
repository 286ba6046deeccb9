import { describe, expect, it } from 'vitest'
import { AccountGate } from '#src/runs/generation/gate.ts'
import { until } from '#tests/support/until.ts'

describe('a gate', () => {
  const { signal } = new AbortController()
  const opened = (most: number, each: number) => {
    const gate = new AccountGate(most, each)
    const inside: { name: string; leave: () => void }[] = []
    const come = (account: string, name: string, until = signal): Promise<string> =>
      gate.pass(account, until, () => {
        const { promise, resolve } = Promise.withResolvers<string>()
        inside.push({ name, leave: () => resolve(name) })
        return promise
      })
    return { come, inside, names: () => inside.map(({ name }) => name) }
  }

  it('lets in one of each account in turn, and no more of one than its share', async () => {
    const { come, inside, names } = opened(3, 2)
    const all = ['a1', 'a2', 'a3', 'a4', 'b1', 'b2', 'c1'].map((name) => come(name[0] ?? '', name))
    await until(() => inside.length === 3)
    expect(names()).toEqual(['a1', 'a2', 'b1'])
    for (let left = 0; left < 7; left += 1) {
      await until(() => inside.length > left)
      inside[left]?.leave()
    }
    await Promise.all(all)
    expect(names()).toEqual(['a1', 'a2', 'b1', 'a3', 'b2', 'c1', 'a4'])
  })

  it('is left by a caller that fails', async () => {
    const gate = new AccountGate(1, 1)
    const fail = (): Promise<never> => Promise.reject(new Error('no'))
    await expect(gate.pass('a', signal, fail)).rejects.toThrow('no')
    expect(await gate.pass('a', signal, () => Promise.resolve(1))).toBe(1)
  })

  it('has no waiter that has given up', async () => {
    const { come, inside, names } = opened(1, 1)
    const first = come('a', 'a1')
    const leaving = new AbortController()
    const second = come('a', 'a2', leaving.signal)
    const third = come('b', 'b1')
    leaving.abort(new Error('enough'))
    await expect(second).rejects.toThrow('enough')
    await expect(come('c', 'c1', leaving.signal)).rejects.toThrow('enough')
    inside[0]?.leave()
    await first
    await until(() => inside.length === 2)
    inside[1]?.leave()
    expect(await third).toBe('b1')
    expect(names()).toEqual(['a1', 'b1'])
  })
})
