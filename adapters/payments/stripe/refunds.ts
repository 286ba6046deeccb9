import type { Stripe } from 'stripe'
import type { RefundState } from '#src/ports/payments.ts'
import { isRefundedBefore } from './faults.ts'
import type { StripeLine } from './line.ts'

/**
 * Refunds a payment, once for each key. Stripe forgets a key after a day, and until then answers its
 * own failures with the same failure again. So the refund carries the key too, and is looked for first.
 */
export async function giveBack(
  line: StripeLine,
  payment: string,
  amount: number,
  key: string,
): Promise<RefundState> {
  const before = await refundsOf(line, payment)
  const same = before.find(({ metadata }) => metadata?.['refund_key'] === key)
  if (same) return stateOf(same)
  try {
    const params = { payment_intent: payment, amount, metadata: { refund_key: key } }
    return stateOf(
      await line.write((stripe) => stripe.refunds.create(params, { idempotencyKey: key })),
    )
  } catch (failure) {
    if (!(failure instanceof Error && isRefundedBefore(failure.cause))) throw failure
    const byHand = (await refundsOf(line, payment))
      .filter(({ metadata }) => metadata?.['refund_key'] === undefined)
      .map(stateOf)
      .find(({ status }) => status !== 'failed')
    // The operator has already refunded it by hand: the payer has the money.
    if (!byHand) throw failure
    return byHand
  }
}

async function refundsOf(line: StripeLine, payment_intent: string): Promise<Stripe.Refund[]> {
  const { data } = await line.read((stripe) => stripe.refunds.list({ payment_intent, limit: 100 }))
  return data
}

/** The current state of a refund: undefined if there is no such refund. */
export async function refundNow(line: StripeLine, id: string): Promise<RefundState | undefined> {
  const refund = await line.find(id, (stripe) => stripe.refunds.retrieve(id))
  return refund && stateOf(refund)
}

function stateOf({ id, status }: Stripe.Refund): RefundState {
  if (status === 'succeeded') return { id, status: 'done' }
  const isOver = status === 'failed' || status === 'canceled'
  return { id, status: isOver ? 'failed' : 'pending' }
}
