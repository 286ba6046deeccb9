import type { Clock } from '#src/ports/clock.ts'
import type { PaymentEvent, Price, SubscriptionState } from '#src/ports/payments.ts'
import type { Store, Write } from '#src/ports/store.ts'
import { afterIntervals } from './interval.ts'
import {
  replacementWrite,
  insertionWrite,
  newTestId,
  recordOf,
  untilMet,
  type KeptOf,
} from './records.ts'

type Subscription = KeptOf<'subscription'>
type Invoice = KeptOf<'invoice'>

export interface Terms {
  store: Pick<Store, 'test_payments' | 'commit'>
  clock: Clock
  /** Receives what has changed, like a webhook. It may fail: the caller gets the state anyway. */
  tell?: (event: PaymentEvent) => Promise<void>
}

/** A subscription with its first invoice, paid now. */
export function newSubscription(
  price: Price,
  { customer, account_id }: { customer: string; account_id: string | null },
  now: Date,
): { subscription: Subscription; writes: Write[] } {
  const started: Subscription = {
    id: newTestId('subscription', now),
    customer,
    revision: 1,
    kind: 'subscription',
    status: 'active',
    price,
    account_id,
    started_at: now.toISOString(),
    periods: 0,
    paid_until: now.toISOString(),
    untold: [],
  }
  const { subscription, invoice } = withOnePeriodMore(started)
  return { subscription, writes: [insertionWrite(subscription), insertionWrite(invoice)] }
}

/**
 * The current state: an active subscription whose time has run out is first renewed, interval by
 * interval.
 */
export async function subscriptionNow(terms: Terms, id: string): Promise<Subscription | undefined> {
  const { store, clock } = terms
  const current = await untilMet(async () => {
    let kept = await recordOf(store, 'subscription', id)
    while (kept && isDue(kept, clock.now())) {
      const { subscription, invoice } = withOnePeriodMore(kept)
      await store.commit([replacementWrite(subscription), insertionWrite(invoice)])
      kept = { ...subscription, revision: subscription.revision + 1 }
    }
    return kept
  })
  // The caller need not wait for the receivers, which may call this themselves.
  if (current) void tellOfInvoices(terms, current)
  return current
}

/** Within this process: the receiver of an invoice may ask for its subscription. */
const beingTold = new Set<string>()

/** Reports each invoice until it is received: those left by a crash are reported when next asked for. */
export async function tellOfInvoices(terms: Terms, { id, untold }: Subscription): Promise<void> {
  const { store } = terms
  for (const object of untold) {
    if (beingTold.has(object)) continue
    beingTold.add(object)
    try {
      if (!(await isHeard(terms, { about: 'invoice', object }))) continue
      await untilMet(async () => {
        const kept = await recordOf(store, 'subscription', id)
        if (!kept?.untold.includes(object)) return
        const left = kept.untold.filter((other) => other !== object)
        await store.commit([replacementWrite({ ...kept, untold: left })])
      })
    } catch {
      // It stays unreported while the store is unavailable.
    } finally {
      beingTold.delete(object)
    }
  }
}

/** Ends it at once: it is not paid again. Returns false if it had ended already, or there is none. */
export async function endSubscription(terms: Terms, id: string): Promise<boolean> {
  const { store } = terms
  const isEnded = await untilMet(async () => {
    const kept = await recordOf(store, 'subscription', id)
    if (kept?.status !== 'active') return false
    await store.commit([replacementWrite({ ...kept, status: 'ended' })])
    return true
  })
  if (isEnded) await isHeard(terms, { about: 'subscription', object: id })
  return isEnded
}

export function stateOf(kept: Subscription): SubscriptionState {
  const { id, status, account_id, price, paid_until } = kept
  return {
    id,
    status,
    account_id,
    char_id: price.char_id,
    price_id: price.id,
    customer: kept.customer ?? '',
    paid_until,
  }
}

/** Reports a change, and returns whether it was received. */
export async function isHeard(
  { tell, clock }: Terms,
  change: { about: 'checkout' | 'subscription' | 'invoice'; object: string },
): Promise<boolean> {
  if (!tell) return false
  return tell({ id: newTestId('event', clock.now()), ...change }).then(
    () => true,
    () => false,
  )
}

function isDue({ status, paid_until }: Subscription, now: Date): boolean {
  return status === 'active' && Date.parse(paid_until) <= now.getTime()
}

function withOnePeriodMore(kept: Subscription): { subscription: Subscription; invoice: Invoice } {
  const { price, periods } = kept
  const end = afterIntervals(new Date(kept.started_at), price.interval ?? 'month', periods + 1)
  const invoice: Invoice = {
    id: newTestId('invoice', new Date(kept.paid_until)),
    customer: kept.customer,
    revision: 1,
    kind: 'invoice',
    subscription: kept.id,
    name: price.name,
    amount_cents: price.amount_cents,
    currency: price.currency,
    // The time it fell due, even if it was looked at only later.
    paid_at: kept.paid_until,
  }
  const untold = [...kept.untold, invoice.id]
  const paid_until = end.toISOString()
  return { subscription: { ...kept, periods: periods + 1, paid_until, untold }, invoice }
}
