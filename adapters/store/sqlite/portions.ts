import { setImmediate as turn } from 'node:timers/promises'
import type { PortionDuties } from './duties.ts'
import type { Transaction } from './transaction.ts'

/** How long a portion holds the event loop, and one write more. */
const portionMs = 5

/**
 * Executes the writes of an open transaction in turns of the event loop that have room for all other work; its
 * end has a turn of its own too. Where reads would see it, everything is done at once.
 * @throws what a write throws; then the transaction is still open, unless SQLite gave it up
 */
export async function inPortions(
  writes: readonly (() => void)[],
  transaction: Pick<Transaction, 'isOpen'>,
  duties: PortionDuties,
): Promise<void> {
  const left = writes.values()
  for (let isThrough; !isThrough;) {
    isThrough = duties.during(() => portion(left))
    if (duties.pause()) await turn()
    duties.goOn()
    // Without it, each further write would be a transaction by itself.
    if (!transaction.isOpen) throw new Error('the transaction was ended by someone else')
  }
}

/** Executes some of the writes; returns whether they were the last. */
function portion(left: Iterator<() => void>): boolean {
  const end = performance.now() + portionMs
  do {
    const { done, value: write } = left.next()
    if (done) return true
    write()
  } while (performance.now() < end)
  return false
}
