/** Something that can be bought: the provider sets the amount, never a caller. */
export interface Price {
  id: string
  name: string
  description: string | null
  /** In the smallest unit of the currency. */
  amount_cents: number
  /** ISO 4217, in lower case. */
  currency: string
  kind: 'one_time' | 'recurring'
  /** How often it is paid again; null if it is paid once. */
  interval: 'day' | 'week' | 'month' | 'year' | null
  /** The agent to which subscribers get access, if the price has one. */
  char_id: string | null
}

/** What a checkout is for: a price of the provider, or an amount of our own. */
export type CheckoutLine =
  | { price: Price }
  | { name: string; amount_cents: number; currency: string }

/** A hosted page to be opened. */
export interface CheckoutTerms {
  /** Our id, and the idempotency key: the same one opens no second page. */
  id: string
  line: CheckoutLine
  /** The provider's customer; null for a payer without an account. */
  customer: string | null
  /** The account that pays; copied to all that follows from it. */
  account_id: string | null
  /** Where the page leads after payment, and where it leads if the payer turns back. */
  done_url: string
  cancel_url: string
  /** Half an hour to a day from now, and the same for each retry. */
  expires_at: Date
}

/** A hosted page that waits for its payer. */
export interface OpenedCheckout {
  /** The provider's id of it. */
  session: string
  url: string
  /** RFC 3339. */
  expires_at: string
}

/** A payment received. */
export interface Payment {
  /** What the provider refunds by; null if nothing was charged at once, as for a subscription. */
  payment: string | null
  amount_cents: number
  currency: string
  customer: string | null
  /** The subscription that began with it. */
  subscription: string | null
  /** Identifies the card or account that paid; absent if nothing does. */
  payer?: string
}

/**
 * The current state of a checkout with the provider. `pending`: the payer has done their part, and the
 * money is under way for days; it ends as `paid` or `failed`.
 */
export type CheckoutState =
  | { status: 'open' | 'expired' | 'failed' }
  | ({ status: 'pending' | 'paid' } & Payment)

/** The current state of a subscription with the provider. */
export interface SubscriptionState {
  id: string
  status: 'active' | 'ended'
  /** The account that pays, and the agent of the price. */
  account_id: string | null
  char_id: string | null
  price_id: string
  customer: string
  /** Until when it is paid, as RFC 3339; null if unknown. */
  paid_until: string | null
}

/** One payment of a subscription, in its current state with the provider. */
export interface InvoiceState {
  id: string
  status: 'open' | 'paid'
  amount_cents: number
  currency: string
  /** Null for an invoice without a subscription. */
  subscription: SubscriptionState | null
}

/** The current state of a refund with the provider. */
export interface RefundState {
  id: string
  status: 'pending' | 'done' | 'failed'
}

/**
 * Something has happened to this object. The provider is then asked for its current state, so events may
 * come twice, late and in any order. `none` is an event that does not concern us.
 */
export type PaymentEvent = { id: string } & (
  | { about: 'checkout' | 'subscription' | 'invoice' | 'refund'; object: string }
  | { about: 'none' }
)

/**
 * Takes payments. Every method throws `PaymentsFailed`; a call with an idempotency key may be retried under
 * it, and then takes effect once.
 */
export interface Payments {
  /** The ledger account that money comes from and goes back to: `test`, `stripe`. */
  readonly name: string
  /** Nothing is ever charged. */
  readonly isTest: boolean
  /** The currency of the wallet and of prices that tasks name: ISO 4217, in lower case. */
  currency(): Promise<string>
  /** All that can be bought, in a fixed order. */
  prices(): Promise<readonly Price[]>
  /** Undefined for an unknown price, or one that is no longer sold. */
  price(id: string): Promise<Price | undefined>
  /** The provider's customer of an account, made when it is first asked for. */
  customer(accountId: string): Promise<string>
  openCheckout(terms: CheckoutTerms): Promise<OpenedCheckout>
  /** Undefined for an unknown checkout. */
  checkout(session: string): Promise<CheckoutState | undefined>
  /** A page on which a customer sees and ends its subscriptions. */
  openPortal(customer: string, returnUrl: string): Promise<{ id: string; url: string }>
  subscription(id: string): Promise<SubscriptionState | undefined>
  /** Ends it at once: no further payment, and no refund. Also accepts one that has ended or does not exist. */
  endSubscription(id: string): Promise<void>
  invoice(id: string): Promise<InvoiceState | undefined>
  /** The ids of the newest hundred payments of a subscription. */
  paidInvoices(subscription: string): Promise<readonly string[]>
  /** @param key the idempotency key */
  refund(payment: string, amountCents: number, key: string): Promise<RefundState>
  /** The state of a refund that was begun. */
  refundState(id: string): Promise<RefundState | undefined>
  /**
   * The event of a webhook.
   * @param body as received, byte for byte
   * @throws SignatureWrong
   */
  event(body: Uint8Array, signature: string | undefined): Promise<PaymentEvent>
  close(): Promise<void>
}

/** The provider could not be reached, or did not do what it was asked. */
export class PaymentsFailed extends Error {
  override readonly name = 'PaymentsFailed'
  /** `unknown`: it may have been done. `refused`: it was not done, and never will be. */
  readonly outcome: 'not_done' | 'unknown' | 'refused'

  constructor(
    message: string,
    outcome: 'not_done' | 'unknown' | 'refused',
    options?: ErrorOptions,
  ) {
    super(message, options)
    this.outcome = outcome
  }
}

/** A webhook without a valid signature of the provider, or with one that is too old. */
export class SignatureWrong extends Error {
  override readonly name = 'SignatureWrong'
}
