import type { Ports } from '#src/core/context.ts'
import { timestamp } from '#src/core/time.ts'
import type { Write } from '#src/ports/store.ts'
import { bookingOf } from '#src/money/wallet/booking-writes.ts'
import { providerAccount } from '#src/money/wallet/ledger.ts'
import { begun } from '../begin.ts'
import { cameIn, heldFor, type CameIn } from '../movements.ts'
import { isPriced, type PricedOrder, type StoredOrder } from '../order.ts'
import { changed } from '../change.ts'
import { decide, type PaidOrder } from '../pay.ts'
import { walletOf } from '../wallet-of.ts'
import type { StoredX402Payment } from './payment.ts'

/** The account of the ledger that payments by x402 come from. */
export const x402Account = providerAccount('x402')

/**
 * The writes for a settled payment by x402, in addition to the payment's own: the money enters the
 * payer's wallet and is set aside, and the run begins. It cannot be returned on its chain: if the run
 * can no longer begin, it stays in the wallet of a payer with an account, and otherwise set aside for
 * the operator to return. Everything is read again, so that it may be decided again.
 * @returns undefined where there is no such order
 */
export async function paidByX402(
  ports: Ports,
  payment: StoredX402Payment,
  now: Date,
): Promise<PaidOrder | undefined> {
  const { store } = ports
  const order = await store.orders.get(payment.order_id)
  if (!order || !isPriced(order)) return undefined
  const { id, amount_cents, currency } = payment
  const cause = `${id}/paid`
  const money: CameIn = { cause, account: x402Account, amount_cents, currency, reference: order.id }
  const wallet = await walletOf(store, order, currency)
  const decided = await decide(ports, order, money)
  if (!('task' in decided)) return keptBack(ports, { order, wallet, money, error: decided }, now)
  const { run, change, writes } = begun(ports, order, decided.task, 'x402', now)
  const held = { ...decided.order, ...change, wallet }
  const booking = await bookingOf(store, [cameIn(held, wallet, money), heldFor(held)], now)
  return { run, writes: [changed(order, { ...change, wallet }), ...writes, ...booking] }
}

interface KeptBack {
  order: PricedOrder
  wallet: string
  money: CameIn
  error: NonNullable<StoredOrder['error']>
}

async function keptBack(
  { store, log }: Ports,
  { order, wallet, money, error }: KeptBack,
  now: Date,
): Promise<PaidOrder> {
  const at = timestamp(now)
  const isKept = wallet === order.id
  const movements = [cameIn(order, wallet, money)]
  if (isKept) {
    movements.push(heldFor({ ...order, wallet }))
    tellOfReturn(log, order, error.code)
  }
  const status = isKept ? 'refunding' : 'refunded'
  const set: Partial<StoredOrder> = { status, error, wallet, paid_by: 'x402' }
  const write = changed(order, { ...set, paid_at: at, finished_at: at, due_at: null })
  return { run: null, writes: [write, ...(await bookingOf(store, movements, now))] }
}

/** What was paid by x402 and cannot be delivered must be returned by the operator. */
export function tellOfReturn(
  log: Ports['log'],
  { id, price_cents, currency }: Pick<StoredOrder, 'id' | 'price_cents' | 'currency'>,
  code: string,
): void {
  const told = { order_id: id, amount_cents: price_cents, currency, code }
  log.error('a payment by x402 is to be given back by the operator', told)
}

/** The writes of an order whose payment was not accepted: it has ended, and cost nothing. */
export async function unpaidByX402(
  { store }: Pick<Ports, 'store'>,
  orderId: string,
  now: Date,
): Promise<Write[]> {
  const order = await store.orders.get(orderId)
  if (order?.status !== 'awaiting_payment') return []
  const error = {
    code: 'payment_failed',
    message: 'The payment was not settled: nothing was paid.',
  }
  const at = timestamp(now)
  return [changed(order, { status: 'failed', error, paid_by: null, finished_at: at, due_at: null })]
}
