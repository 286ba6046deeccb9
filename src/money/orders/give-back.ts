import { refundOf } from '../payments/queue-refund.ts'
import type { Write } from '#src/ports/store.ts'
import type { Movement } from '../wallet/movement.ts'
import { owedBack, refundTerms, releasedFrom } from './movements.ts'
import type { PricedOrder, StoredOrder } from './order.ts'

/** The parts that return what was set aside for an order. */
export interface GivenBack {
  /** Empty where it stays set aside for the operator to return. */
  movements: Movement[]
  /** The refund to request from the provider. */
  writes: Write[]
  status: StoredOrder['status']
}

/**
 * Returns what was paid for an order to where it came from: to the wallet of its account, or through
 * the provider. What came from elsewhere stays in the wallet of an account; for a payer without one it
 * stays set aside.
 */
export function givenBack(order: PricedOrder, now: Date): GivenBack {
  const { payment, wallet, price_cents, currency, checkout_id } = order
  if (payment !== null) {
    const paid = { wallet, payment, amount_cents: price_cents, currency }
    const terms = { ...refundTerms(order, paid), order_id: order.id, checkout_id }
    const refund = refundOf(terms, now)
    const movements = [owedBack(order, refund)]
    return { movements, writes: [refund.write], status: 'refunding' }
  }
  return wallet === order.id
    ? { movements: [], writes: [], status: 'refunding' }
    : { movements: [releasedFrom(order)], writes: [], status: 'refunded' }
}
