import type { CheckoutState, CheckoutTerms, Payment } from '#src/ports/payments.ts'
import { DuplicateKey, type Write } from '#src/ports/store.ts'
import {
  replacementWrite,
  insertionWrite,
  newTestId,
  recordOf,
  untilMet,
  type KeptOf,
} from './records.ts'
import { newSubscription, isHeard, tellOfInvoices, type Terms } from './subscriptions.ts'

type Session = KeptOf<'session'>

/** Opens a page under a key, or returns the one already opened under it. */
export async function openSession({ store, clock }: Terms, terms: CheckoutTerms): Promise<Session> {
  const { line, customer, account_id, done_url, cancel_url } = terms
  const { name, amount_cents, currency } = 'price' in line ? line.price : line
  const session: Session = {
    id: newTestId('session', clock.now()),
    customer,
    revision: 1,
    kind: 'session',
    name,
    price: 'price' in line ? line.price : null,
    amount_cents,
    currency,
    account_id,
    done_url,
    cancel_url,
    expires_at: terms.expires_at.toISOString(),
    paid: null,
  }
  const key = keyOf(terms.id)
  try {
    const remembered = { id: key, customer: null, revision: 1, session: session.id }
    await store.commit([insertionWrite(session), insertionWrite({ ...remembered, kind: 'key' })])
    return session
  } catch (cause) {
    if (!(cause instanceof DuplicateKey)) throw cause
    const first = await recordOf(store, 'key', key)
    const opened = first && (await recordOf(store, 'session', first.session))
    if (!opened) throw cause
    return opened
  }
}

function keyOf(id: string): string {
  return `test_key_${id}`
}

export function stateOfSession({ paid, expires_at }: Session, now: Date): CheckoutState {
  if (paid) return { status: 'paid', ...paid }
  return { status: Date.parse(expires_at) <= now.getTime() ? 'expired' : 'open' }
}

/** Pays an open session and returns its state: a paid one is not paid again. */
export async function paySession(terms: Terms, id: string): Promise<CheckoutState | undefined> {
  const { store, clock } = terms
  const { state, isNew } = await untilMet(async () => {
    const session = await recordOf(store, 'session', id)
    const now = clock.now()
    const before = session && stateOfSession(session, now)
    if (!session || before?.status !== 'open') return { state: before, isNew: false }
    const { paid, writes } = paymentOf(session, now)
    await store.commit([replacementWrite({ ...session, paid }), ...writes])
    const state: CheckoutState = { status: 'paid', ...paid }
    return { state, isNew: true }
  })
  if (isNew && state) await tellOfPayment(terms, id, state)
  return state
}

async function tellOfPayment(terms: Terms, id: string, state: CheckoutState): Promise<void> {
  await isHeard(terms, { about: 'checkout', object: id })
  if (state.status !== 'paid' || state.subscription === null) return
  const kept = await recordOf(terms.store, 'subscription', state.subscription)
  if (kept) await tellOfInvoices(terms, kept)
}

function paymentOf(session: Session, now: Date): { paid: Payment; writes: Write[] } {
  const { price, amount_cents, currency, account_id, name } = session
  if (price?.kind === 'recurring') {
    // A payer without an account is a customer of this one page.
    const customer = session.customer ?? `test_customer_of_${session.id}`
    const { subscription, writes } = newSubscription(price, { customer, account_id }, now)
    const paid = { payment: null, amount_cents, currency, customer, subscription: subscription.id }
    return { paid, writes }
  }
  const { customer } = session
  const charge: KeptOf<'charge'> = {
    id: newTestId('charge', now),
    customer,
    revision: 1,
    kind: 'charge',
    name,
    amount_cents,
    currency,
    refunded_cents: 0,
    paid_at: now.toISOString(),
  }
  const paid = { payment: charge.id, amount_cents, currency, customer, subscription: null }
  return { paid, writes: [insertionWrite(charge)] }
}
