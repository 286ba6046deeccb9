import type { QueuedRefund, RefundTerms } from '../payments/queue-refund.ts'
import type { Posting } from '../wallet/ledger.ts'
import type { Line, Movement } from '../wallet/movement.ts'
import type { Bucket } from '../wallet/wallet.ts'
import type { PricedOrder, StoredOrder } from './order.ts'

/** Money that came in for an order from outside. */
export interface CameIn {
  /** Its cause, such as `checkout/chk_…/paid`. */
  cause: string
  /** The account of the ledger that it came from. */
  account: string
  amount_cents: number
  currency: string
  /** What the line of the wallet refers to. */
  reference: string
}

type About = Pick<StoredOrder, 'id' | 'char_id' | 'task_id' | 'run_id' | 'title'>
type Owed = Pick<QueuedRefund, 'posting' | 'line'>

/** It enters the wallet as available. */
export function cameIn(order: About, wallet: string, money: CameIn): Movement {
  const { cause, account, amount_cents, currency, reference } = money
  return {
    cause,
    currency,
    postings: [
      posting(account, 'available', -amount_cents),
      posting(wallet, 'available', amount_cents),
    ],
    lines: [{ ...lineOf(order, wallet), reference, kind: 'top_up', amount_cents }],
  }
}

/** The price is set aside in the payer's wallet. */
export function heldFor(order: PricedOrder): Movement {
  const { wallet, price_cents, currency } = order
  return {
    cause: `order/${order.id}/held`,
    currency,
    postings: [posting(wallet, 'available', -price_cents), posting(wallet, 'held', price_cents)],
    lines: [{ ...lineOf(order, wallet), kind: 'hold', amount_cents: -price_cents }],
  }
}

/** What was set aside goes to the seller. */
export function earnedBy(order: PricedOrder): Movement {
  const { wallet, owner_id, price_cents, currency } = order
  const own = lineOf(order, wallet)
  const earned = lineOf(order, owner_id)
  return {
    cause: `order/${order.id}/earned`,
    currency,
    postings: [posting(wallet, 'held', -price_cents), posting(owner_id, 'available', price_cents)],
    lines: [
      { ...own, kind: 'release', amount_cents: price_cents },
      { ...own, kind: 'charge', amount_cents: -price_cents },
      { ...earned, kind: 'earning', amount_cents: price_cents },
    ],
  }
}

/** What was set aside is available again: it was paid out of the wallet. */
export function releasedFrom(order: PricedOrder): Movement {
  const { wallet, price_cents, currency } = order
  return {
    cause: `order/${order.id}/released`,
    currency,
    postings: [posting(wallet, 'held', -price_cents), posting(wallet, 'available', price_cents)],
    lines: [{ ...lineOf(order, wallet), kind: 'release', amount_cents: price_cents }],
  }
}

/** What was set aside is owed by the provider. */
export function owedBack(order: PricedOrder, refund: Owed): Movement {
  const { wallet, price_cents, currency } = order
  return {
    cause: `order/${order.id}/owed`,
    currency,
    postings: [posting(wallet, 'held', -price_cents), refund.posting],
    lines: [{ ...lineOf(order, wallet), kind: 'release', amount_cents: price_cents }, refund.line],
  }
}

/** What came in for an order that does not begin is owed at once. */
export function owedAtOnce(
  wallet: string,
  { cause, amount_cents, currency }: CameIn,
  refund: Owed,
): Movement {
  return {
    cause: `${cause}/owed`,
    currency,
    postings: [posting(wallet, 'available', -amount_cents), refund.posting],
    lines: [refund.line],
  }
}

type Sum = Pick<RefundTerms, 'wallet' | 'payment' | 'amount_cents' | 'currency'>

/** The refund to request from the provider, and what its line shows. */
export function refundTerms(
  order: About,
  { payment, amount_cents, currency, wallet }: Sum,
): Omit<RefundTerms, 'order_id' | 'checkout_id'> {
  return { ...lineOf(order, wallet), payment, amount_cents, currency, wallet }
}

function posting(account: string, bucket: Bucket, amount_cents: number): Posting {
  return { account, bucket, amount_cents }
}

function lineOf({ id, char_id, task_id, run_id, title }: About, wallet: string) {
  const about = { char_id, task_id, run_id, reference: id }
  return { wallet, description: `Order of "${title}"`, ...about } satisfies Partial<Line>
}
