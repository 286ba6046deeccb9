import { sizeOf, type Quotas } from '#src/core/counts/quotas.ts'
import { inPlaceSize } from '#src/core/large/value.ts'
import { insertedInto, type Effect } from '#src/core/effects.ts'
import type { StoredOrder } from './order.ts'

/**
 * The bytes kept in addition to an order: its checkout, the provider's record of that, and lines of
 * wallets.
 */
const recordBytes = 3000

/** The bytes that an order counts: its form, and its copy of the result. */
export function orderBytes(order: StoredOrder): number {
  const { form, output, artifacts } = order
  const brought = artifacts.length > 0 ? sizeOf(artifacts) : 0
  return recordBytes + sizeOf(form) + inPlaceSize(output ?? undefined) + brought
}

/** Those of one whose form and result are no longer kept. */
export const emptiedBytes = recordBytes + sizeOf({})

/** Counts the orders that a commit has kept. */
export const countOrders: Effect = ({ quotas }, writes) => {
  for (const order of insertedInto('orders', writes)) countOrder(quotas, order, orderBytes(order))
}

/** Counts bytes of an order for the account that left it there, after the commit that keeps them. */
export function countOrder(
  quotas: Pick<Quotas, 'addBytes' | 'received'>,
  { owner_id, sender }: Pick<StoredOrder, 'owner_id' | 'sender'>,
  bytes: number,
): void {
  if (sender === undefined) quotas.addBytes(owner_id, bytes)
  else quotas.received.add(owner_id, sender, bytes)
}
