import type { Ports } from '#src/core/context.ts'
import { secondsAfter, timestamp } from '#src/core/time.ts'
import { PaymentsFailed, type RefundState } from '#src/ports/payments.ts'
import type { Write } from '#src/ports/store.ts'
import { booked } from '../wallet/book.ts'
import { bookingOf, InsufficientFunds } from '../wallet/booking-writes.ts'
import { providerAccount, refundsAccount } from '../wallet/ledger.ts'
import type { Movement, Settled } from '../wallet/movement.ts'
import type { StoredRefund } from './refund.ts'

/**
 * What is known of a refund after the provider was asked. `not_done`: it could not be reached, and has
 * done nothing.
 */
export type Found = RefundState | 'not_done' | 'unknown' | 'refused'

type Status = StoredRefund['status']

const firstPauseSeconds = 5
/** Short enough that the provider still knows the key of a try whose outcome is unknown. */
const longestPauseSeconds = 3600

/**
 * Asks the provider for a refund that is due, or for its state. Of several processes one does it.
 * @returns whether it was this one
 */
export async function payBack(ports: Ports, due: StoredRefund, now: Date): Promise<boolean> {
  const { id, due_at, attempts } = due
  const pause = Math.min(longestPauseSeconds, firstPauseSeconds * 2 ** attempts)
  // Moved on before the provider is asked: what a crash interrupts comes due again.
  const refund = await ports.store.refunds.update(
    { id, due_at },
    { $set: { due_at: secondsAfter(now, pause) }, $inc: { attempts: 1 } },
  )
  if (!refund) return false
  await settleRefund(ports, id, await asked(ports, refund))
  return true
}

async function asked({ payments, log }: Ports, refund: StoredRefund): Promise<Found> {
  const { id, payment, amount_cents } = refund
  try {
    const known = refund.refund === null ? undefined : await payments.refundState(refund.refund)
    return known ?? (await payments.refund(payment, amount_cents, id))
  } catch (cause) {
    if (!(cause instanceof PaymentsFailed)) throw cause
    log.warn('a refund could not be asked for', { refund_id: id, outcome: cause.outcome, cause })
    // A refund that was begun keeps its state until the provider says otherwise.
    if (refund.refund !== null) return 'not_done'
    return cause.outcome
  }
}

/** Applies the state of a refund: once, no matter who asks, how often and how late. */
export async function settleRefund(ports: Ports, id: string, found: Found): Promise<void> {
  const { store, log } = ports
  const refund = await store.refunds.get(id)
  if (!refund) return
  const wallets = refund.transaction === null ? [] : [refund.wallet]
  await booked(ports, wallets, async () => {
    const current = await store.refunds.get(id)
    if (!current) return []
    if (!isOver(current)) return decided(ports, current, found)
    if (current.status === 'done' && nextOf(current, found) === 'failed') {
      log.error('a refund that was done has come back: the payer is still owed', { refund_id: id })
    }
    return []
  })
}

function isOver({ status }: StoredRefund): boolean {
  return status === 'done' || status === 'failed'
}

function nextOf(refund: StoredRefund, found: Found): Status {
  if (found === 'refused') return 'failed'
  if (found === 'not_done') return refund.status
  // Anything learned meanwhile is more than a try without an outcome can tell.
  if (found === 'unknown') return refund.refund === null ? 'unknown' : refund.status
  return found.status
}

async function decided(ports: Ports, refund: StoredRefund, found: Found): Promise<Write[]> {
  const status = nextOf(refund, found)
  const known = typeof found === 'string' ? refund.refund : found.id
  if (status === refund.status && known === refund.refund) return []
  const now = ports.clock.now()
  const { id } = refund
  const isEnded = status === 'done' || status === 'failed'
  const change = { status, refund: known, ...(isEnded && { due_at: null }) }
  const own: Write = {
    in: 'refunds',
    update: { id, status: refund.status },
    change: { $set: change },
  }
  if (status === 'done') return [own, ...(await given(ports, refund, now))]
  if (status === 'failed') return [own, ...(await refused(ports, refund, now))]
  return [own, ...shownAs(refund, status)]
}

/** The provider has refunded it. */
async function given(ports: Ports, refund: StoredRefund, now: Date): Promise<Write[]> {
  const { id, amount_cents, currency } = refund
  const to = providerAccount(ports.payments.name)
  const movement: Movement = {
    cause: `refund/${id}/done`,
    currency,
    postings: [
      { account: refundsAccount, bucket: 'available', amount_cents: -amount_cents },
      { account: to, bucket: 'available', amount_cents },
    ],
    lines: [],
    settles: settled(refund, 'posted'),
  }
  const booking = await bookingOf(ports.store, [movement], now)
  return [...booking, ...(await closed(ports, refund, now))]
}

/**
 * The provider never will: an account gets it in its wallet; for other payers the operator is told.
 */
async function refused(ports: Ports, refund: StoredRefund, now: Date): Promise<Write[]> {
  const { store, payments, log } = ports
  const { id, amount_cents, currency, wallet, order_id, checkout_id } = refund
  const fields = { refund_id: id, order_id, checkout_id, amount_cents, currency }
  const isAccount = wallet.startsWith('acc_') && currency === (await payments.currency())
  const adjusted: Movement = {
    cause: `refund/${id}/failed`,
    currency,
    postings: [
      { account: refundsAccount, bucket: 'available', amount_cents: -amount_cents },
      { account: wallet, bucket: 'available', amount_cents },
    ],
    lines: [
      {
        wallet,
        kind: 'adjustment',
        amount_cents,
        description: 'Not given back',
        reference: order_id ?? checkout_id,
      },
    ],
    settles: settled(refund, 'failed'),
  }
  try {
    if (isAccount) {
      const booking = await bookingOf(store, [adjusted], now)
      log.warn('a refund was refused: the money is in the wallet of the account', fields)
      return [...booking, ...(await closed(ports, refund, now))]
    }
  } catch (cause) {
    // The wallet is now kept in another currency.
    if (!(cause instanceof InsufficientFunds)) throw cause
  }
  log.error('a refund was refused: the payer is owed what has no wallet to go to', fields)
  return shownAs(refund, 'failed')
}

/** The order and the checkout that it refunds. */
async function closed({ store }: Ports, refund: StoredRefund, now: Date): Promise<Write[]> {
  const { order_id, checkout_id } = refund
  const order = order_id === null ? undefined : await store.orders.get(order_id)
  const checkout = checkout_id === null ? undefined : await store.checkouts.get(checkout_id)
  const writes: Write[] = []
  if (order?.status === 'refunding') {
    const finished_at = order.finished_at ?? timestamp(now)
    const update = { id: order.id, status: order.status }
    const change = { $set: { status: 'refunded', finished_at, due_at: null } } as const
    writes.push({ in: 'orders', update, change })
  }
  if (checkout && checkout.status !== 'refunded') {
    const update = { id: checkout.id, status: checkout.status }
    const change = { $set: { status: 'refunded', due_at: null } } as const
    writes.push({ in: 'checkouts', update, change })
  }
  return writes
}

const lineStatus = {
  queued: 'pending',
  pending: 'pending',
  unknown: 'unknown',
  done: 'posted',
  failed: 'failed',
} as const satisfies Record<Status, string>

/** The line of the wallet, which ends with the money. */
function settled(refund: StoredRefund, to: 'posted' | 'failed'): Settled[] {
  const { transaction: id, wallet, amount_cents } = refund
  if (id === null) return []
  return [{ id, wallet, amount_cents: -amount_cents, from: lineStatus[refund.status], to }]
}

/** The line of the wallet, where no money moves. */
function shownAs({ transaction: id, status: before }: StoredRefund, status: Status): Write[] {
  const from = lineStatus[before]
  if (id === null || lineStatus[status] === from) return []
  const change = { $set: { status: lineStatus[status] } }
  return [{ in: 'wallet_transactions', update: { id, status: from }, change }]
}
