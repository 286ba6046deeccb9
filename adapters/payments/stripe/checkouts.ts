import type { Stripe } from 'stripe'
import {
  PaymentsFailed,
  type CheckoutLine,
  type CheckoutState,
  type CheckoutTerms,
  type OpenedCheckout,
} from '#src/ports/payments.ts'
import type { StripeLine } from './line.ts'

/** Stripe's limit for the name of a product. */
const lettersOfName = 250

/**
 * Opens a hosted page. A retry under the same key must send the same request, so `expires_at` is sent
 * unchanged: Stripe accepts 30 minutes to 24 hours. When Stripe has forgotten the key, the time is
 * past, and it refuses rather than opening a second page.
 */
export async function openCheckout(
  line: StripeLine,
  terms: CheckoutTerms,
): Promise<OpenedCheckout> {
  const { id: idempotencyKey } = terms
  const session = await line.write((stripe) =>
    stripe.checkout.sessions.create(paramsOf(terms), { idempotencyKey }),
  )
  if (!session.url) throw new PaymentsFailed('Stripe opened a checkout without a page.', 'unknown')
  const expires_at = new Date(session.expires_at * 1000).toISOString()
  return { session: session.id, url: session.url, expires_at }
}

function paramsOf(terms: CheckoutTerms): Stripe.Checkout.SessionCreateParams {
  const { id, line, customer, account_id } = terms
  const metadata = { checkout_id: id, ...(account_id !== null && { account_id }) }
  const isRecurring = 'price' in line && line.price.kind === 'recurring'
  return {
    client_reference_id: id,
    line_items: [{ ...itemOf(line), quantity: 1 }],
    metadata,
    // The subscription or payment does not inherit the page's metadata.
    ...(isRecurring
      ? { mode: 'subscription', subscription_data: { metadata } }
      : { mode: 'payment', payment_intent_data: { metadata } }),
    ...(customer !== null && { customer }),
    // The wallet has one currency: the payer is offered no other, even if prices in others are set for it.
    currency: 'price' in line ? line.price.currency : line.currency,
    adaptive_pricing: { enabled: false },
    expires_at: Math.floor(terms.expires_at.getTime() / 1000),
    success_url: terms.done_url,
    cancel_url: terms.cancel_url,
  }
}

function itemOf(line: CheckoutLine): Stripe.Checkout.SessionCreateParams.LineItem {
  if ('price' in line) return { price: line.price.id }
  const { name, amount_cents: unit_amount, currency } = line
  // Half of a surrogate pair would not be valid text.
  const shown = name.slice(0, lettersOfName).replace(/\p{Cs}$/u, '')
  return { price_data: { currency, unit_amount, product_data: { name: shown } } }
}

/** The current state of a page: undefined if there is no such page. */
export async function checkoutNow(
  line: StripeLine,
  id: string,
): Promise<CheckoutState | undefined> {
  const session = await line.find(id, (stripe) =>
    stripe.checkout.sessions.retrieve(id, {
      expand: ['payment_intent.latest_charge', 'subscription'],
    }),
  )
  return session && stateOf(session)
}

function stateOf(session: Stripe.Checkout.Session): CheckoutState {
  if (session.status === 'expired') return { status: 'expired' }
  if (session.status !== 'complete') return { status: 'open' }
  const status = session.payment_status === 'unpaid' ? unpaidStatus(session) : 'paid'
  if (status === 'failed') return { status }
  return {
    status,
    payment: idOf(session.payment_intent),
    amount_cents: session.amount_total ?? 0,
    currency: session.currency ?? '',
    customer: idOf(session.customer),
    subscription: idOf(session.subscription),
    ...payerOf(session),
  }
}

/** Stripe gives a card the same fingerprint for all its users; the same holds for bank debits. */
function payerOf({ payment_intent }: Stripe.Checkout.Session): { payer?: string } {
  const charge = typeof payment_intent === 'object' ? payment_intent?.latest_charge : null
  const details = typeof charge === 'object' ? charge?.payment_method_details : null
  const { card, sepa_debit, us_bank_account } = details ?? {}
  const print = card?.fingerprint ?? sepa_debit?.fingerprint ?? us_bank_account?.fingerprint
  return print == null ? {} : { payer: `stripe ${print}` }
}

/** The page itself does not distinguish pending money from money that will never arrive. */
function unpaidStatus({
  payment_intent,
  subscription,
}: Stripe.Checkout.Session): 'pending' | 'failed' {
  const statuses = [payment_intent, subscription].map((held) =>
    typeof held === 'object' ? held?.status : undefined,
  )
  const isLost = statuses.some((status) => status !== undefined && lost.has(status))
  return isLost ? 'failed' : 'pending'
}

/** The final states of a payment, and those of a subscription whose first payment failed. */
const lost = new Set<string>([
  'requires_payment_method',
  'canceled',
  'incomplete_expired',
  'unpaid',
])

/** The id of an object that is given whole or as its id. */
export function idOf(held: string | { id: string } | null): string | null {
  return typeof held === 'string' ? held : (held?.id ?? null)
}
