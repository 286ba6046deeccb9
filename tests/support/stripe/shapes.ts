import type { Stripe } from 'stripe'

// The objects that Stripe answers, with every member that the pinned version of its API gives them.

/** A moment as Stripe writes it: whole seconds. */
export function seconds(date: Date): number {
  return Math.floor(date.getTime() / 1000)
}

export function list<T>(data: T[], url: string, has_more = false): Stripe.ApiList<T> {
  return { object: 'list', data, has_more, url }
}

export function accountOf(default_currency: string): Stripe.Account {
  return {
    id: 'acct_standin',
    object: 'account',
    business_type: null,
    charges_enabled: true,
    country: 'DE',
    default_currency,
    details_submitted: true,
    email: 'operator@example.com',
    metadata: {},
    payouts_enabled: true,
    settings: null,
    type: 'standard',
  }
}

export function productOf(id: string, name: string, created: number): Stripe.Product {
  return {
    id,
    object: 'product',
    active: true,
    created,
    default_price: null,
    description: null,
    images: [],
    livemode: false,
    marketing_features: [],
    metadata: {},
    name,
    package_dimensions: null,
    shippable: null,
    statement_descriptor: null,
    tax_code: null,
    tax_details: null,
    type: 'service',
    unit_label: null,
    updated: created,
    url: null,
  }
}

export function recurringOf(
  interval: Stripe.Price.Recurring['interval'],
  interval_count = 1,
): Stripe.Price.Recurring {
  return { interval, interval_count, meter: null, trial_period_days: null, usage_type: 'licensed' }
}

export function priceOf(
  id: string,
  product: string,
  unit_amount: number,
  currency: string,
  created: number,
): Stripe.Price {
  return {
    id,
    object: 'price',
    active: true,
    billing_scheme: 'per_unit',
    created,
    currency,
    custom_unit_amount: null,
    livemode: false,
    lookup_key: null,
    metadata: {},
    nickname: null,
    product,
    recurring: null,
    tax_behavior: 'unspecified',
    tiers_mode: null,
    transform_quantity: null,
    type: 'one_time',
    unit_amount,
    // On the wire decimals are text; the library makes objects of them.
    unit_amount_decimal: String(unit_amount) as never,
  }
}

export function customerOf(
  id: string,
  metadata: Stripe.Metadata,
  created: number,
): Stripe.Customer {
  return {
    id,
    object: 'customer',
    address: null,
    balance: 0,
    created,
    currency: null,
    default_source: null,
    delinquent: false,
    description: null,
    discount: null,
    email: null,
    invoice_prefix: 'STANDIN1',
    invoice_settings: {
      custom_fields: null,
      default_payment_method: null,
      footer: null,
      rendering_options: null,
    },
    livemode: false,
    metadata,
    name: null,
    next_invoice_sequence: 1,
    phone: null,
    preferred_locales: [],
    shipping: null,
    tax_exempt: 'none',
    test_clock: null,
  }
}

/** What tells one session from another. */
type SessionTerms = Pick<
  Stripe.Checkout.Session,
  | 'id'
  | 'mode'
  | 'amount_total'
  | 'currency'
  | 'customer'
  | 'client_reference_id'
  | 'metadata'
  | 'success_url'
  | 'cancel_url'
  | 'expires_at'
  | 'created'
  | 'url'
>

export function sessionOf(terms: SessionTerms): Stripe.Checkout.Session {
  return {
    object: 'checkout.session',
    adaptive_pricing: { enabled: false },
    after_expiration: null,
    allow_promotion_codes: null,
    allowed_payment_method_types: null,
    amount_subtotal: terms.amount_total,
    automatic_tax: { enabled: false, liability: null, provider: null, status: null },
    billing_address_collection: null,
    client_secret: null,
    collected_information: null,
    consent: null,
    consent_collection: null,
    currency_conversion: null,
    custom_fields: [],
    custom_text: {
      after_submit: null,
      shipping_address: null,
      submit: null,
      terms_of_service_acceptance: null,
    },
    customer_account: null,
    customer_creation: terms.customer === null ? 'if_required' : null,
    customer_details: null,
    customer_email: null,
    discounts: [],
    integration_identifier: null,
    invoice: null,
    invoice_creation: null,
    livemode: false,
    locale: null,
    managed_payments: null,
    origin_context: null,
    payment_intent: null,
    payment_link: null,
    payment_method_collection: 'if_required',
    payment_method_configuration_details: null,
    payment_method_options: {},
    payment_method_types: ['card'],
    payment_status: 'unpaid',
    permissions: null,
    phone_number_collection: { enabled: false },
    recovered_from: null,
    saved_payment_method_options: null,
    setup_intent: null,
    shipping_address_collection: null,
    shipping_cost: null,
    shipping_options: [],
    status: 'open',
    submit_type: null,
    subscription: null,
    total_details: { amount_discount: 0, amount_shipping: 0, amount_tax: 0 },
    ui_mode: 'hosted_page',
    wallet_options: null,
    ...terms,
  }
}

export function intentOf(
  terms: Pick<
    Stripe.PaymentIntent,
    'id' | 'amount' | 'currency' | 'customer' | 'metadata' | 'status' | 'created'
  >,
): Stripe.PaymentIntent {
  return {
    object: 'payment_intent',
    allowed_payment_method_types: null,
    amount_capturable: 0,
    amount_details: {},
    amount_received: terms.status === 'succeeded' ? terms.amount : 0,
    application: null,
    application_fee_amount: null,
    automatic_payment_methods: null,
    canceled_at: null,
    cancellation_reason: null,
    capture_method: 'automatic_async',
    client_secret: null,
    confirmation_method: 'automatic',
    customer_account: null,
    description: null,
    excluded_payment_method_types: null,
    last_payment_error: null,
    latest_charge: terms.id.replace('pi_', 'ch_'),
    livemode: false,
    managed_payments: null,
    next_action: null,
    on_behalf_of: null,
    payment_method: null,
    payment_method_configuration_details: null,
    payment_method_options: {},
    payment_method_types: ['card'],
    payment_record: null,
    processing: null,
    receipt_email: null,
    review: null,
    setup_future_usage: null,
    shipping: null,
    source: null,
    statement_descriptor: null,
    statement_descriptor_suffix: null,
    transfer_group: null,
    ...terms,
  }
}

export function refundOf(
  terms: Pick<Stripe.Refund, 'id' | 'amount' | 'currency' | 'metadata' | 'status' | 'created'> & {
    payment_intent: string
  },
): Stripe.Refund {
  return {
    object: 'refund',
    balance_transaction: terms.id.replace('re_', 'txn_'),
    charge: terms.payment_intent.replace('pi_', 'ch_'),
    customer: null,
    customer_account: null,
    payment_method: null,
    reason: null,
    receipt_number: null,
    source_transfer_reversal: null,
    transfer_reversal: null,
    ...terms,
  }
}

export function portalOf(
  terms: Pick<Stripe.BillingPortal.Session, 'id' | 'customer' | 'return_url' | 'url' | 'created'>,
): Stripe.BillingPortal.Session {
  return {
    object: 'billing_portal.session',
    configuration: 'bpc_standin',
    customer_account: null,
    flow: null,
    livemode: false,
    locale: null,
    on_behalf_of: null,
    ...terms,
  }
}
