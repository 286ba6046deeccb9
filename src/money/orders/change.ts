import type { Write } from '#src/ports/store.ts'
import type { StoredOrder } from './order.ts'

/** The change of an order, bound to the state that was read. */
export function changed({ id, status }: StoredOrder, $set: Partial<StoredOrder>): Write {
  return { in: 'orders', update: { id, status }, change: { $set } }
}
