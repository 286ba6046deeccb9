import type { Ports } from '#src/core/context.ts'
import { secondsAfter } from '#src/core/time.ts'
import { unpaidOrder } from '../orders/pay.ts'
import type { CheckoutState } from '#src/ports/payments.ts'
import { booked } from '../wallet/book.ts'
import { bookingOf, InsufficientFunds } from '../wallet/booking-writes.ts'
import type { StoredCheckout } from './checkout.ts'
import { changed, droppedOf, isAsAsked, underWayOf, type Paid } from './arrivals.ts'
import { received, type Decision } from './receive.ts'
import { settleInvoicesOf, settleSubscription } from './subscribe.ts'

/** How often a checkout is decided again while others change what it depends on. */
const tries = 20
/** A bank takes days: until an event arrives, asking now and then is enough. */
const pendingLookSeconds = 3600

/**
 * Asks the provider for the state of a checkout, and applies it: once, no matter who asks, how often
 * and how late.
 * @throws PaymentsFailed where the provider does not answer
 */
export async function settleCheckout(ports: Ports, id: string): Promise<void> {
  for (let i = 0; i < tries; i++) {
    // Read before the provider is asked: an answer that others have overtaken is not applied.
    const checkout = await ports.store.checkouts.get(id)
    if (!checkout || isOver(checkout)) return
    const state = await ports.payments.checkout(checkout.session)
    if (checkout.kind === 'subscription' && state?.status === 'paid' && state.subscription) {
      // First: once the checkout has ended, it is not looked up again.
      await settleSubscription(ports, state.subscription)
      await settleInvoicesOf(ports, state.subscription)
    }
    if (await isSettled(ports, checkout, state)) return
  }
  throw new Error(`the checkout ${id} changed again and again`)
}

/** What is paid or refunded stays so; what has expired may still turn out to be paid. */
function isOver({ status }: StoredCheckout): boolean {
  return status === 'paid' || status === 'refunded'
}

/** Whether nothing is left to do; if not, another call was quicker, and it is decided again. */
async function isSettled(
  ports: Ports,
  before: StoredCheckout,
  state: CheckoutState | undefined,
): Promise<boolean> {
  const { store } = ports
  let decision: Decision | undefined
  const isNew = await booked(ports, walletsOf(before), async () => {
    const checkout = await store.checkouts.get(before.id)
    const isOvertaken = checkout?.status !== before.status
    decision = isOvertaken ? undefined : await decided(ports, checkout, state)
    return decision?.writes ?? []
  })
  if (!isNew || !decision) return false
  await decision.after?.()
  return true
}

/** The wallets that may change: a subscription fills none. */
function walletsOf({ kind, account_id, order_id }: StoredCheckout): string[] {
  const ids = kind === 'subscription' ? [] : [account_id, order_id]
  return ids.filter((id) => id !== null)
}

async function decided(
  ports: Ports,
  checkout: StoredCheckout,
  state: CheckoutState | undefined,
): Promise<Decision> {
  const now = ports.clock.now()
  if (state?.status === 'paid') return received(ports, checkout, state, now)
  if (state?.status === 'pending') return underWay(ports, checkout, state, now)
  const isLate = now.getTime() > Date.parse(checkout.expires_at)
  const status = state?.status ?? (isLate ? 'expired' : 'open')
  return status === 'open' ? { writes: [] } : ended(ports, checkout, status, now)
}

async function underWay(
  { store, payments }: Ports,
  checkout: StoredCheckout,
  paid: Paid,
  now: Date,
): Promise<Decision> {
  if (checkout.status === 'pending') return { writes: [] }
  const due_at = secondsAfter(now, pendingLookSeconds)
  const change = { status: 'pending', payment: paid.payment, due_at } as const
  const unshown = { writes: [changed(checkout, change)] }
  // What pays for an order enters a wallet only when it arrives; what was not asked for, never.
  const isShown = checkout.kind === 'top_up' && isAsAsked(checkout, paid)
  if (!isShown || checkout.status !== 'open') return unshown
  const { movement, transaction } = underWayOf(payments, checkout)
  try {
    const booking = await bookingOf(store, [movement], now)
    return { writes: [changed(checkout, { ...change, transaction }), ...booking] }
  } catch (cause) {
    // The wallet is now kept in another currency: once the money arrives, it goes back.
    if (cause instanceof InsufficientFunds) return unshown
    throw cause
  }
}

async function ended(
  ports: Ports,
  checkout: StoredCheckout,
  status: 'expired' | 'failed',
  now: Date,
): Promise<Decision> {
  if (checkout.status === 'expired' || checkout.status === 'failed') return { writes: [] }
  const { store, payments } = ports
  const booking = await bookingOf(store, droppedOf(payments, checkout), now)
  const unpaid = await unpaidOrder(ports, checkout, now)
  const change = { status, transaction: null, due_at: null }
  return { writes: [changed(checkout, change), ...booking, ...unpaid] }
}
