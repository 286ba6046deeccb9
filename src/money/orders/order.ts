import * as z from 'zod'
import { newToken } from '#src/core/ids.ts'
import type { Referring } from '#src/core/large/sizes.ts'
import { marked, marks, marksOf, type Marks } from '#src/core/text/untrusted.ts'
import { Checkout } from '../payments/checkout.ts'
import { RunArtifact } from '#src/runs/run.ts'

export const orderStatuses = [
  'awaiting_payment',
  'in_progress',
  'completed',
  'failed',
  'refunding',
  'refunded',
  'expired',
] as const

export const Rating = z
  .object({ stars: z.int(), comment: z.string().nullable(), created_at: z.string() })
  .meta({ id: 'Rating' })
/** The buyer's rating of a paid order, given once. */
export type Rating = z.infer<typeof Rating>

export const Order = z
  .object({
    id: z.string(),
    token: z.string().optional().describe('Shown once: it opens this order.'),
    char_id: z.string(),
    task_id: z.string(),
    title: z.string(),
    status: z
      .enum(orderStatuses)
      .describe(
        'failed: one that cost nothing. refunding: the provider is to give the money back.',
      ),
    price_cents: z.int().nullable(),
    currency: z.string().nullable(),
    paid_by: z.enum(['wallet', 'checkout', 'x402']).nullable(),
    checkout: Checkout.nullable(),
    run_id: z.string().nullable(),
    output: z.unknown().describe('The result, once the order is completed.'),
    artifacts: z.array(RunArtifact),
    error: z.object({ code: z.string(), message: z.string() }).nullable(),
    rating: Rating.nullable(),
    created_at: z.string(),
    paid_at: z.string().nullable(),
    finished_at: z.string().nullable(),
    ...marks,
  })
  .meta({ id: 'Order' })
/** A task of an agent, ordered as a service. */
export type Order = z.infer<typeof Order>

/** A stored order. */
export interface StoredOrder extends Omit<Order, 'token' | 'checkout'>, Referring<'output'> {
  /** SHA-256 of its token. */
  token_hash: string
  /** The account that offers it. */
  owner_id: string
  /** The account that ordered; null for a buyer without one. */
  buyer_id: string | null
  /** The agent whose key ordered; absent for the account's own key, or none. */
  buyer_char_id?: string
  /** The wallet that holds what was paid: the buyer's, or the order's own under its id. */
  wallet: string
  form: Record<string, unknown>
  checkout_id: string | null
  /** The payment that the provider refunds, if it was paid by a checkout. */
  payment: string | null
  /** Who paid it on a chain, or by which card or bank account, if known. */
  payer?: string
  /**
   * For a rating that counts: the task with its creation time, and the payer. Each payer has one per
   * task.
   */
  rated_by?: string
  /** When it is to be checked: it was paid and is to run, or its run has ended; else null. */
  due_at: string | null
  /** The bytes of it that count against the account that offers it. */
  bytes?: number
  /** The account that left it there, if that is another one: it counts against its share. */
  sender?: string
}

/** An order that costs something. */
export type PricedOrder = StoredOrder & { price_cents: number; currency: string }

/** Whether there is money to move for it. */
export function isPriced(order: StoredOrder): order is PricedOrder {
  return order.price_cents !== null && order.currency !== null
}

/** A new credential for one order: its holder can see and rate it. */
export function newOrderToken(): string {
  return newToken('ort')
}

/** The order as the wire shows it, without its token. @param checkout the order's checkout, if it has one */
export function publicOrder(order: StoredOrder, checkout: Checkout | null): Order {
  const {
    token_hash: _token,
    owner_id: _owner,
    buyer_id: _buyer,
    buyer_char_id: _buyerAgent,
    wallet: _wallet,
    form: _form,
    checkout_id: _checkout,
    payment: _payment,
    due_at: _due,
    payer: _payer,
    rated_by: _ratedBy,
    bytes: _bytes,
    sender: _sender,
    untrusted: _marked,
    source: _source,
    ...shown
  } = order
  return { ...shown, checkout: checkout && shownCheckout(checkout), ...marksForBuyer(order) }
}

/** Title and result are the seller's words; where the account orders of itself, they are what its run made. */
function marksForBuyer(order: StoredOrder): Marks {
  if (order.buyer_id === order.owner_id) return marksOf(order)
  return marked({ kind: 'order', char_id: order.char_id })
}

function shownCheckout({ id, url, status, expires_at }: Checkout): Checkout {
  return { id, url, status, expires_at }
}
