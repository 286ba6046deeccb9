import type { Kept } from '#src/core/answer.ts'
import type { Context } from '#src/core/context.ts'
import type { StoredCheckout } from '../payments/checkout.ts'
import { publicOrder, type Order, type PricedOrder } from './order.ts'
import type { X402Offer } from './x402/ask.ts'
import { offerFor, type Declined } from './x402/place.ts'

const byX402 =
  ' Or sign one of accepts, and make the same call with it in payment (PAYMENT-SIGNATURE); what was paid so, and is not delivered, goes into the wallet of an account, and else only the operator can give it back.'

/** An unpaid order, as its refusal shows it. */
export interface AskedToPay {
  value: Order & Partial<X402Offer>
  refused: Kept
}

/** The refusal that asks the buyer to pay. @param token only where the order is new */
export function askedToPay(
  context: Pick<Context, 'settings'>,
  order: PricedOrder,
  checkout: StoredCheckout,
  token?: string,
  payment?: Declined,
): AskedToPay {
  const offer = offerFor(context, order)
  const own = token !== undefined && { token }
  const value = { ...publicOrder(order, checkout), ...own, ...offer }
  const { price_cents, currency } = order
  return {
    value,
    refused: {
      code: 'payment_required',
      message: payment
        ? `The payment was not taken. ${payment.declined}`
        : `The order costs ${price_cents} cents (${currency}) and is not paid yet.`,
      hint: `Have a person pay at checkout.url; then <orders.get> with the token, or the same call with checkout_id "${checkout.id}", tells how it stands.${offer ? byX402 : ''}`,
    },
  }
}
