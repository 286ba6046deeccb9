import { refundOf } from '../payments/queue-refund.ts'
import type { Write } from '#src/ports/store.ts'
import type { Movement } from '../wallet/movement.ts'
import { owedBack, refundTerms, releasedFrom } from './movements.ts'
import type { PricedOrder, StoredOrder } from './order.ts'

/** What gives back what was set aside for an order. */
export interface GivenBack {
  /** None where it stays set aside for a person to give back. */
  movements: Movement[]
  /** The refund that the provider is to do. */
  writes: Write[]
  status: StoredOrder['status']
}

/**
 * What was paid for an order goes back to where it came from: into the wallet of its account, or by
 * the provider. What came from elsewhere stays in the wallet of an account; of a payer without one it
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
