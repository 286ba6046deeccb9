import type { Clock } from '#src/ports/clock.ts'
import type { PaymentEvent, Price, SubscriptionState } from '#src/ports/payments.ts'
import type { Store, Write } from '#src/ports/store.ts'
import { afterIntervals } from './interval.ts'
import { changed, made, newTestId, recordOf, untilMet, type KeptOf } from './records.ts'

type Subscription = KeptOf<'subscription'>
type Invoice = KeptOf<'invoice'>

export interface Terms {
  store: Pick<Store, 'test_payments' | 'commit'>
  clock: Clock
  /** Hears what has changed, as a webhook would. It may fail: whoever asks gets the state anyway. */
  tell?: (event: PaymentEvent) => Promise<void>
}

/** A subscription with its first invoice, paid now. */
export function begun(
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
  return { subscription, writes: [made(subscription), made(invoice)] }
}

/** As it stands now: an active one whose time has run out is paid again first, interval by interval. */
export async function subscriptionNow(terms: Terms, id: string): Promise<Subscription | undefined> {
  const { store, clock } = terms
  const current = await untilMet(async () => {
    let kept = await recordOf(store, 'subscription', id)
    while (kept && isDue(kept, clock.now())) {
      const { subscription, invoice } = withOnePeriodMore(kept)
      await store.commit([changed(subscription), made(invoice)])
      kept = { ...subscription, revision: subscription.revision + 1 }
    }
    return kept
  })
  // Whoever asks need not wait until others have heard, who may ask themselves.
  if (current) void tellOfInvoices(terms, current)
  return current
}

/** In this process: who hears of an invoice may ask for its subscription. */
const beingTold = new Set<string>()

/** Tells of each invoice until somebody has heard: what a crash left is told when it is next asked for. */
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
        await store.commit([changed({ ...kept, untold: left })])
      })
    } catch {
      // It stays untold while the store is away.
    } finally {
      beingTold.delete(object)
    }
  }
}

/** Ends it at once: it is not paid again. Gives false where it had ended, or there is none. */
export async function endSubscription(terms: Terms, id: string): Promise<boolean> {
  const { store } = terms
  const isEnded = await untilMet(async () => {
    const kept = await recordOf(store, 'subscription', id)
    if (kept?.status !== 'active') return false
    await store.commit([changed({ ...kept, status: 'ended' })])
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

/** Tells that something has changed, and gives whether it was heard. */
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
    // When it fell due, though nobody may have looked until later.
    paid_at: kept.paid_until,
  }
  const untold = [...kept.untold, invoice.id]
  const paid_until = end.toISOString()
  return { subscription: { ...kept, periods: periods + 1, paid_until, untold }, invoice }
}
