import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { Gathering } from '#adapters/supervisor/figures.ts'
import type { Order } from '#adapters/supervisor/messages.ts'

beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] }))
afterEach(() => void vi.useRealTimers())

/** Figures that are numbers, each process with its own. */
function gathered() {
  const counts = new Map<string, number>()
  const sum = (parts: readonly number[]): number => parts.reduce((all, one) => all + one, 0)
  const gathering = new Gathering<string, number>(
    { page: async (parts) => String(sum(parts)), ended: async (parts) => sum(parts) },
    () => 1000,
  )
  const answer = (name: string) => (order: Order) => {
    const count = counts.get(name)
    if (order.kind !== 'tell' || count === undefined) return
    queueMicrotask(() => gathering.told(order.id, count))
  }
  const page = async (): Promise<string> => {
    const asked = gathering.page(7)
    await vi.advanceTimersByTimeAsync(1000)
    const order = await asked
    return order.kind === 'page' && order.id === 7 ? order.text : ''
  }
  return { gathering, counts, enter: (name: string) => gathering.enter(name, answer(name)), page }
}

it('adds up what all processes count, and what is counted of them', async () => {
  const { counts, enter, page } = gathered()
  counts.set('a', 1).set('b', 2)
  enter('a')
  enter('b')
  expect(await page()).toBe('1003')
})

it('shows a process that does not answer as it was last', async () => {
  const { counts, enter, page } = gathered()
  counts.set('a', 1).set('b', 2)
  enter('a')
  enter('b')
  await page()
  counts.delete('a')
  counts.set('b', 5)
  expect(await page()).toBe('1006')
})

it('keeps what ended processes have counted', async () => {
  const { gathering, counts, enter, page } = gathered()
  counts.set('a', 1).set('b', 2).set('c', 4)
  enter('a')
  enter('b')
  await page()
  gathering.leave('a')
  gathering.leave('b')
  enter('c')
  expect(await page()).toBe('1007')
  expect(await page()).toBe('1007')
})
