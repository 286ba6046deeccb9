import type { Ports } from '#src/core/context.ts'
import { spentAtCheckout } from '../orders/key-spend.ts'
import { paidOrder, paymentAnnounced } from '../orders/pay.ts'
import type { Write } from '#src/ports/store.ts'
import { bookingOf, InsufficientFunds } from '../wallet/booking-writes.ts'
import { providerAccount, refundsAccount } from '../wallet/ledger.ts'
import type { Movement } from '../wallet/movement.ts'
import type { StoredCheckout } from './checkout.ts'
import { credited } from './credit.ts'
import { arrivedOf, changed, droppedOf, isAsAsked, walletOf, type Paid } from './arrivals.ts'
import { queued } from './queue-refund.ts'

/** The outcome for a checkout: one commit, and what follows it. */
export interface Decision {
  writes: readonly Write[]
  after?: () => Promise<void>
}

/** The outcome for money that has come in by a checkout. */
export function received(
  ports: Ports,
  checkout: StoredCheckout,
  paid: Paid,
  now: Date,
): Promise<Decision> {
  if (checkout.kind === 'order') return ordered(ports, checkout, paid, now)
  if (checkout.kind === 'top_up') return toppedUp(ports, checkout, paid, now)
  // A subscription is earned invoice by invoice: nothing comes in by its checkout.
  return subscribed(ports, checkout, paid, now)
}

async function subscribed(
  { store }: Ports,
  checkout: StoredCheckout,
  paid: Paid,
  now: Date,
): Promise<Decision> {
  const spent = await spentAtCheckout(store, checkout, now)
  return { writes: [over(checkout, 'paid', paid), ...spent] }
}

function over(checkout: StoredCheckout, status: 'paid' | 'refunded', { payment }: Paid): Write {
  return changed(checkout, { status, payment, due_at: null })
}

async function ordered(
  ports: Ports,
  checkout: StoredCheckout,
  paid: Paid,
  now: Date,
): Promise<Decision> {
  const order = await paidOrder(ports, checkout, paid, now)
  if (!order) return unasked(ports, checkout, paid, now)
  // Where nothing begins the money goes back: this checkout then pays for nothing.
  const status = order.run ? 'paid' : 'refunded'
  const spent = order.run ? await spentAtCheckout(ports.store, checkout, now) : []
  return {
    writes: [over(checkout, status, paid), ...order.writes, ...spent],
    after: () => paymentAnnounced(ports, order),
  }
}

async function toppedUp(
  ports: Ports,
  checkout: StoredCheckout,
  paid: Paid,
  now: Date,
): Promise<Decision> {
  if (!isAsAsked(checkout, paid)) return unasked(ports, checkout, paid, now)
  const { store, payments } = ports
  const { id, amount_cents, currency } = checkout
  try {
    const booking = await bookingOf(store, [arrivedOf(payments, checkout)], now)
    const of = { wallet: walletOf(checkout), amount_cents, currency, reference: id }
    const told = await credited(store, { ...of, kind: 'top_up' }, booking, now)
    return { writes: [over(checkout, 'paid', paid), ...booking, ...told] }
  } catch (cause) {
    // The wallet is now kept in another currency.
    if (!(cause instanceof InsufficientFunds)) throw cause
    return unasked(ports, checkout, paid, now)
  }
}

/** What was not asked for, such as another amount or currency, enters no wallet and goes back. */
async function unasked(
  { store, payments, log }: Ports,
  checkout: StoredCheckout,
  paid: Paid,
  now: Date,
): Promise<Decision> {
  const { id: checkout_id } = checkout
  const { payment, amount_cents, currency } = paid
  const kept: Movement = {
    cause: `checkout/${checkout_id}/unasked`,
    currency,
    postings: [
      { account: providerAccount(payments.name), bucket: 'available', amount_cents: -amount_cents },
      { account: refundsAccount, bucket: 'available', amount_cents },
    ],
    lines: [],
  }
  const booking = await bookingOf(store, [...droppedOf(payments, checkout), kept], now)
  const writes = [over(checkout, 'refunded', paid), ...booking]
  const asked = { amount_cents: checkout.amount_cents, currency: checkout.currency }
  const fields = { checkout_id, asked, paid }
  if (payment === null || amount_cents <= 0) {
    log.error('a payment is not what was asked for, and it is not known how to refund it', fields)
    return { writes }
  }
  log.error('a payment is not what was asked for, and is refunded', fields)
  const terms = { payment, amount_cents, currency, wallet: walletOf(checkout) }
  const refund = queued({ ...terms, transaction: null, order_id: null, checkout_id }, now)
  return { writes: [...writes, refund] }
}
