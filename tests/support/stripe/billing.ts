import type { Stripe } from 'stripe'
import { list } from './shapes.ts'

/** A subscription to one price, by the pinned version: its items say for which period it is paid. */
export function subscriptionOf(
  terms: Pick<Stripe.Subscription, 'id' | 'customer' | 'metadata' | 'status' | 'created'>,
  price: Stripe.Price,
  periodEnd: number,
): Stripe.Subscription {
  const { created } = terms
  return {
    object: 'subscription',
    application: null,
    application_fee_percent: null,
    automatic_tax: { disabled_reason: null, enabled: false, liability: null },
    billing_cycle_anchor: created,
    billing_cycle_anchor_config: null,
    billing_mode: { flexible: null, type: 'flexible' },
    billing_schedules: [],
    billing_thresholds: null,
    cancel_at: null,
    cancel_at_period_end: false,
    canceled_at: null,
    cancellation_details: {
      comment: null,
      feedback: null,
      feedback_option: null,
      reason: null,
    },
    collection_method: 'charge_automatically',
    currency: price.currency,
    customer_account: null,
    days_until_due: null,
    default_payment_method: null,
    default_source: null,
    default_tax_rates: [],
    description: null,
    discounts: [],
    ended_at: null,
    invoice_settings: {
      account_tax_ids: null,
      custom_fields: null,
      description: null,
      footer: null,
      issuer: { type: 'self' },
    },
    items: list(
      [itemOf(terms.id, price, created, periodEnd)],
      `/v1/subscription_items?subscription=${terms.id}`,
    ),
    latest_invoice: null,
    livemode: false,
    managed_payments: null,
    next_pending_invoice_item_invoice: null,
    on_behalf_of: null,
    pause_collection: null,
    payment_settings: null,
    pending_invoice_item_interval: null,
    pending_setup_intent: null,
    pending_update: null,
    schedule: null,
    start_date: created,
    test_clock: null,
    transfer_data: null,
    trial_end: null,
    trial_settings: {
      end_behavior: {
        billing_cycle_anchor: 'now',
        missing_payment_method: 'create_invoice',
      },
    },
    trial_start: null,
    ...terms,
  }
}

function itemOf(
  subscription: string,
  price: Stripe.Price,
  start: number,
  end: number,
): Stripe.SubscriptionItem {
  return {
    id: subscription.replace('sub_', 'si_'),
    object: 'subscription_item',
    billing_thresholds: null,
    created: start,
    current_period_end: end,
    current_period_start: start,
    current_trial: null,
    discounts: [],
    metadata: {},
    plan: planOf(price),
    price,
    quantity: 1,
    subscription,
    tax_rates: [],
  }
}

function planOf(price: Stripe.Price): Stripe.Plan {
  const { id, active, created, currency, metadata, product, recurring } = price
  return {
    id,
    object: 'plan',
    active,
    amount: price.unit_amount,
    amount_decimal: price.unit_amount_decimal,
    billing_scheme: 'per_unit',
    created,
    currency,
    interval: recurring?.interval ?? 'month',
    interval_count: recurring?.interval_count ?? 1,
    livemode: false,
    metadata,
    meter: null,
    nickname: null,
    product,
    tiers_mode: null,
    transform_usage: null,
    trial_period_days: null,
    usage_type: 'licensed',
  }
}

/** One period of a subscription, charged: the subscription is named by `parent`. */
export function invoiceOf(
  terms: Pick<Stripe.Invoice, 'id' | 'billing_reason' | 'status' | 'created'>,
  subscription: Stripe.Subscription | null,
  [amount, currency]: [number, string],
): Stripe.Invoice {
  const paid = terms.status === 'paid' ? amount : 0
  const { created } = terms
  return {
    object: 'invoice',
    account_country: 'DE',
    account_name: 'Stand-in',
    account_tax_ids: null,
    amount_due: amount,
    amount_overpaid: 0,
    amount_paid: paid,
    amount_remaining: amount - paid,
    amount_shipping: 0,
    application: null,
    attempt_count: 1,
    attempted: true,
    auto_advance: false,
    automatic_tax: {
      disabled_reason: null,
      enabled: false,
      liability: null,
      provider: null,
      status: null,
    },
    automatically_finalizes_at: null,
    collection_method: 'charge_automatically',
    currency,
    custom_fields: null,
    customer: subscription?.customer ?? null,
    customer_account: null,
    customer_address: null,
    customer_email: null,
    customer_name: null,
    customer_phone: null,
    customer_shipping: null,
    customer_tax_exempt: 'none',
    customer_tax_ids: [],
    default_payment_method: null,
    default_source: null,
    default_tax_rates: [],
    description: null,
    discounts: [],
    due_date: null,
    effective_at: created,
    ending_balance: 0,
    footer: null,
    from_invoice: null,
    hosted_invoice_url: null,
    invoice_pdf: null,
    issuer: { type: 'self' },
    last_finalization_error: null,
    latest_revision: null,
    lines: list([], `/v1/invoices/${terms.id}/lines`),
    livemode: false,
    metadata: {},
    next_payment_attempt: null,
    number: 'STANDIN1-0001',
    on_behalf_of: null,
    parent: parentOf(subscription),
    payment_settings: {
      default_mandate: null,
      payment_method_options: null,
      payment_method_types: null,
    },
    period_end: created,
    period_start: created,
    post_payment_credit_notes_amount: 0,
    pre_payment_credit_notes_amount: 0,
    receipt_number: null,
    rendering: null,
    shipping_cost: null,
    shipping_details: null,
    starting_balance: 0,
    statement_descriptor: null,
    status_transitions: {
      finalized_at: created,
      marked_uncollectible_at: null,
      paid_at: paid > 0 ? created : null,
      voided_at: null,
    },
    subtotal: amount,
    subtotal_excluding_tax: amount,
    test_clock: null,
    total: amount,
    total_discount_amounts: [],
    total_excluding_tax: amount,
    total_pretax_credit_amounts: [],
    total_taxes: [],
    webhooks_delivered_at: null,
    ...terms,
  }
}

function parentOf(subscription: Stripe.Subscription | null): Stripe.Invoice.Parent | null {
  if (!subscription) return null
  const { id, metadata } = subscription
  return {
    quote_details: null,
    subscription_details: { metadata, subscription: id },
    type: 'subscription_details',
  }
}
