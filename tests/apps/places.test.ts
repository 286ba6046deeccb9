import { expect, it } from 'vitest'
import { onManifest } from '#src/apps/places.ts'

it('works on one manifest at a time, for accounts in turn, also after one that fails', async () => {
  const order: string[] = []
  let working = 0
  let most = 0
  const work = (accountId: string) =>
    onManifest({ caller: { accountId } }, async () => {
      working += 1
      most = Math.max(most, working)
      order.push(accountId)
      await new Promise(setImmediate)
      working -= 1
      if (order.length === 1) throw new Error('it failed')
    })
  const ended = await Promise.allSettled(['a', 'a', 'a', 'b', 'c'].map(work))
  expect(ended.map(({ status }) => status)).toEqual(['rejected', ...Array(4).fill('fulfilled')])
  expect(order).toEqual(['a', 'a', 'b', 'c', 'a'])
  expect(most).toBe(1)
})
