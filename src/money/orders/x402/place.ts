import type { Answer } from '#src/core/answer.ts'
import type { Context } from '#src/core/context.ts'
import { retryUnmet } from '#src/core/revision.ts'
import { DuplicateKey, type Write } from '#src/ports/store.ts'
import { keySpend } from '../key-spend.ts'
import { publicOrder, type Order, type PricedOrder } from '../order.ts'
import { mayRun, noRunLeft, sellerOf } from '../room.ts'
import { x402Offer, type X402Asked, type X402Offer } from './ask.ts'
import { paymentUsed, takenPayment } from './accept.ts'

/** A payment by x402 that was sent along with an order, and was not accepted. */
export interface Declined {
  declined: string
}

/**
 * Makes an order that its payer has signed a payment for. The payment is verified now and settled
 * later, and the run begins with it: so no one pays twice, whenever a process crashes.
 * @throws Refusal `invalid_input`, `payment_used`, `provider_unavailable`, `quota_exceeded`, `person_needed`
 */
export async function placedByX402(
  context: Context<'none'>,
  order: PricedOrder,
  { payment, token }: { payment: string; token: string },
): Promise<Answer<Order> | Declined> {
  if (!(await mayRun(context, await sellerOf(context, order.owner_id)))) return noRunLeft()
  const { price_cents: cents } = order
  // Before anyone is asked about the payment.
  await keySpend(context, cents, context.clock.now())
  const taken = await takenPayment(context, askedFor(context, order), payment)
  if ('declined' in taken) return taken
  const made: PricedOrder = { ...order, paid_by: 'x402', payer: taken.payer }
  const shown = { ...publicOrder(made, null), token }
  return retryUnmet(async () => {
    const spent = await keySpend(context, cents, context.clock.now())
    const writes: Write[] = [{ in: 'orders', insert: made }, taken.write(made), ...spent]
    return context.commit(shown, writes, { pending: true })
  }).catch((cause: unknown) => {
    const isUsed = cause instanceof DuplicateKey && cause.in === 'x402_payments'
    return isUsed ? paymentUsed({ cause }) : Promise.reject(cause)
  })
}

/** The accepted payment by x402 for an order; undefined where the operator has not configured it. */
export function offerFor(
  context: Pick<Context, 'settings'>,
  order: PricedOrder,
): X402Offer | undefined {
  const terms = context.settings.x402
  return terms && x402Offer(terms, askedFor(context, order))
}

function askedFor(
  { settings }: Pick<Context, 'settings'>,
  { char_id, task_id, title, price_cents }: PricedOrder,
): X402Asked {
  const path = `agents/${encodeURIComponent(char_id)}/tasks/${encodeURIComponent(task_id)}/orders`
  return {
    amount_cents: price_cents,
    resource: `${settings.publicUrl}/api/public/${path}`,
    description: `Order of "${title}"`,
  }
}
