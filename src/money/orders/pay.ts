import type { Ports } from '#src/core/context.ts'
import { secondsAfter, timestamp } from '#src/core/time.ts'
import type { StoredCheckout } from '../payments/checkout.ts'
import { refundOf } from '../payments/queue-refund.ts'
import type { Payment } from '#src/ports/payments.ts'
import type { Write } from '#src/ports/store.ts'
import type { StoredRun } from '#src/runs/run.ts'
import type { StoredTask } from '#src/agents/tasks/task.ts'
import { bookingOf } from '../wallet/booking-writes.ts'
import { providerAccount } from '../wallet/ledger.ts'
import type { Movement } from '../wallet/movement.ts'
import { begun } from './begin.ts'
import { changed } from './change.ts'
import { cameIn, heldFor, owedAtOnce, refundTerms, type CameIn } from './movements.ts'
import { stillOffered } from './offer.ts'
import { isPriced, type PricedOrder, type StoredOrder } from './order.ts'
import { mayRun, sellerOf } from './room.ts'
import { walletOf } from './wallet-of.ts'

/** How long an expired, unpaid order is still shown; then it is deleted. */
const expiredKeptSeconds = 7 * 86_400

/** The result of paying an order. */
export interface PaidOrder {
  /** Of the order, its run, the wallets and the ledger; not of the payment itself. */
  writes: Write[]
  /** The run that begins; null where the money goes back. */
  run: StoredRun | null
}

/**
 * The writes for a paid checkout of an order, in addition to the checkout's own: the money enters the
 * payer's wallet and is set aside, and the run begins; or, if it can no longer begin or another amount
 * was paid, all of it goes back. Everything is read again, so that it may be decided again;
 * `paymentAnnounced` follows the commit.
 * @returns undefined where there is no such order
 */
export async function paidOrder(
  ports: Ports,
  checkout: Pick<StoredCheckout, 'id' | 'order_id'>,
  paid: Pick<Payment, 'payment' | 'amount_cents' | 'currency' | 'payer'>,
  now: Date,
): Promise<PaidOrder | undefined> {
  const order = await ports.store.orders.get(checkout.order_id ?? '')
  if (!order) return undefined
  const { amount_cents, currency, payment } = paid
  const money: CameIn = {
    cause: `checkout/${checkout.id}/paid`,
    account: providerAccount(ports.payments.name),
    amount_cents,
    currency,
    reference: checkout.id,
  }
  const wallet = await walletOf(ports.store, order, currency)
  const decided = await decide(ports, order, money)
  if (!('task' in decided)) {
    return goingBack(ports, { order, wallet, error: decided, money, payment }, now)
  }
  const { run, change, writes } = begun(ports, order, decided.task, 'checkout', now)
  const held = { ...decided.order, ...change, wallet }
  const booking = await bookingOf(ports.store, [cameIn(held, wallet, money), heldFor(held)], now)
  const payer = paid.payer === undefined ? {} : { payer: paid.payer }
  const set = { ...change, wallet, payment, ...payer }
  return { run, writes: [changed(order, set), ...writes, ...booking] }
}

/** After the commit: counts the run against the quota of the seller. */
export async function paymentAnnounced(ports: Ports, { run }: PaidOrder): Promise<void> {
  if (!run) return
  const { quotas } = ports
  // It is paid: a run beyond the quota is counted, but no longer refused.
  await quotas.admit('runs_a_day', await sellerOf(ports, run.owner_id)).catch(() => undefined)
}

/**
 * The writes for a checkout that ended unpaid, in addition to the checkout's own; none for an order
 * that no longer waits for it.
 */
export async function unpaidOrder(
  { store }: Pick<Ports, 'store'>,
  checkout: Pick<StoredCheckout, 'order_id'>,
  now: Date,
): Promise<Write[]> {
  const order = await store.orders.get(checkout.order_id ?? '')
  if (order?.status !== 'awaiting_payment') return []
  const due_at = secondsAfter(now, expiredKeptSeconds)
  return [changed(order, { status: 'expired', finished_at: timestamp(now), due_at })]
}

/** An order that can begin with its task; else the reason why it cannot. */
export type Decided = { order: PricedOrder; task: StoredTask } | NonNullable<StoredOrder['error']>

/** Whether an order begins with the money that came in for it. */
export async function decide(
  ports: Ports,
  order: StoredOrder,
  money: Pick<CameIn, 'amount_cents' | 'currency'>,
): Promise<Decided> {
  if (!isPayable(order) || !isPriced(order)) {
    return { code: 'paid_before', message: 'It had been paid, or had ended, before.' }
  }
  if (money.amount_cents !== order.price_cents || money.currency !== order.currency) {
    return { code: 'price_mismatch', message: 'Another amount was paid than was asked for.' }
  }
  const task = await stillOffered(ports.store, order)
  if (!task) {
    return { code: 'service_closed', message: 'It was not offered any more when it was paid.' }
  }
  if (await mayRun(ports, await sellerOf(ports, order.owner_id))) return { order, task }
  return { code: 'quota_exceeded', message: 'The runs of the seller were used up for the day.' }
}

/** A page may be paid in the moment in which it expires. */
function isPayable({ status }: StoredOrder): boolean {
  return status === 'awaiting_payment' || status === 'expired'
}

interface GoingBack {
  order: StoredOrder
  wallet: string
  error: NonNullable<StoredOrder['error']>
  money: CameIn
  payment: string | null
}

async function goingBack(
  { store, log }: Ports,
  { order, wallet, error, money, payment }: GoingBack,
  now: Date,
): Promise<PaidOrder> {
  const { amount_cents, currency, reference: checkout_id } = money
  const movements: Movement[] = [cameIn(order, wallet, money)]
  const writes: Write[] = []
  const told = { order_id: order.id, checkout_id, amount_cents, currency, code: error.code }
  log.error('what was paid for an order goes back', told)
  if (payment !== null && amount_cents > 0) {
    const terms = refundTerms(order, { wallet, payment, amount_cents, currency })
    // Another payment of an order that was already paid changes nothing.
    const order_id = isPayable(order) ? order.id : null
    const refund = refundOf({ ...terms, order_id, checkout_id }, now)
    movements.push(owedAtOnce(wallet, money, refund))
    writes.push(refund.write)
  }
  if (isPayable(order)) {
    const at = timestamp(now)
    const paid = { paid_by: 'checkout', payment, paid_at: at, finished_at: at } as const
    writes.push(changed(order, { ...paid, status: 'refunding', error, wallet, due_at: null }))
  }
  return { run: null, writes: [...writes, ...(await bookingOf(store, movements, now))] }
}
