import type { Ports } from '#src/core/context.ts'
import type { PaymentEvent } from '#src/ports/payments.ts'
import { settleRefund } from './pay-back.ts'
import { settleCheckout } from './settle-checkout.ts'
import { settleInvoice, settleSubscription } from './subscribe.ts'

/**
 * Handles an event of the provider. The provider is asked for the current state of the object, so that
 * events may arrive twice, late, concurrently and in any order; objects that are not ours are ignored.
 * @throws PaymentsFailed where the provider does not answer: the event is to be sent again
 */
export async function handled(ports: Ports, event: PaymentEvent): Promise<void> {
  const { store, payments } = ports
  if (event.about === 'none') return
  const { object } = event
  if (event.about === 'subscription') return settleSubscription(ports, object)
  if (event.about === 'invoice') return settleInvoice(ports, object)
  if (event.about === 'checkout') {
    const [checkout] = await store.checkouts.find({ session: object }, { limit: 1 })
    return checkout && settleCheckout(ports, checkout.id)
  }
  const [refund] = await store.refunds.find({ refund: object }, { limit: 1 })
  const state = refund && (await payments.refundState(object))
  if (refund && state) await settleRefund(ports, refund.id, state)
}
