import type { Stripe } from 'stripe'
import type { InvoiceState, SubscriptionState } from '#src/ports/payments.ts'
import { idOf } from './checkouts.ts'
import { isMissing } from './faults.ts'
import type { StripeLine } from './line.ts'
import { charOf } from './prices.ts'

/** While Stripe still tries to collect a late payment, access stays open. */
const active = new Set<string>(['active', 'trialing', 'past_due'])

/** The current state of a subscription: undefined if there is no such subscription. */
export async function subscriptionNow(
  line: StripeLine,
  id: string,
): Promise<SubscriptionState | undefined> {
  const subscription = await line.find(id, (stripe) =>
    stripe.subscriptions.retrieve(id, { expand: ['items.data.price.product', 'customer'] }),
  )
  return subscription && stateOf(subscription)
}

/** Ends it at once. For one that has ended already, Stripe says that there is none. */
export async function endSubscription(line: StripeLine, id: string): Promise<void> {
  try {
    await line.write((stripe) => stripe.subscriptions.cancel(id))
  } catch (failure) {
    if (!(failure instanceof Error && isMissing(failure.cause))) throw failure
  }
}

function stateOf(subscription: Stripe.Subscription): SubscriptionState | undefined {
  const { id, status, customer, metadata, items } = subscription
  // An operator may add other items by hand: the one that opens an agent counts.
  const item = items.data.find(({ price }) => charOf(price) !== null) ?? items.data[0]
  if (!item) return undefined
  return {
    id,
    status: active.has(status) ? 'active' : 'ended',
    account_id: metadata['account_id'] || accountOf(customer),
    char_id: charOf(item.price),
    price_id: item.price.id,
    customer: idOf(customer) ?? '',
    paid_until: paidUntil(status, item),
  }
}

/** If a subscription was made by hand, its customer tells the account. */
function accountOf(customer: Stripe.Subscription['customer']): string | null {
  if (typeof customer === 'string' || customer.deleted) return null
  return customer.metadata['account_id'] || null
}

/** A late payment is for the period that has begun. */
function paidUntil(
  status: Stripe.Subscription.Status,
  { current_period_start, current_period_end }: Stripe.SubscriptionItem,
): string | null {
  const end = status === 'past_due' ? current_period_start : current_period_end
  return Number.isFinite(end) ? new Date(end * 1000).toISOString() : null
}

/** The current state of one payment of a subscription: undefined if there is no such payment. */
export async function invoiceNow(line: StripeLine, id: string): Promise<InvoiceState | undefined> {
  const invoice = await line.find(id, (stripe) => stripe.invoices.retrieve(id))
  if (!invoice) return undefined
  const isPaid = invoice.status === 'paid'
  const subscription = idOf(invoice.parent?.subscription_details?.subscription ?? null)
  return {
    id,
    status: isPaid ? 'paid' : 'open',
    amount_cents: isPaid ? invoice.amount_paid : invoice.amount_due,
    currency: invoice.currency,
    subscription: subscription === null ? null : await ofInvoice(line, subscription),
  }
}

/** The newest invoices that were paid. */
export async function paidInvoices(line: StripeLine, subscription: string): Promise<string[]> {
  const found = await line.find(subscription, (stripe) =>
    stripe.invoices.list({ subscription, status: 'paid', limit: 100 }),
  )
  return (found?.data ?? []).flatMap(({ id }) => id ?? [])
}

// A separate call: the price's product is nested too deeply to be expanded with the invoice.
async function ofInvoice(line: StripeLine, id: string): Promise<SubscriptionState | null> {
  return (await subscriptionNow(line, id)) ?? null
}
