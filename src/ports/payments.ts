/** What can be bought: amounts are the provider's, never a caller's. */
export interface Price {
  id: string
  name: string
  description: string | null
  /** In the smallest unit of the currency. */
  amount_cents: number
  /** ISO 4217, in lower case. */
  currency: string
  kind: 'one_time' | 'recurring'
  /** How often it is paid again; null where it is paid once. */
  interval: 'day' | 'week' | 'month' | 'year' | null
  /** The agent to which whoever subscribes gets access, where the price carries one. */
  char_id: string | null
}

/** What a checkout is for: a price of the provider, or an amount that we name. */
export type CheckoutLine =
  | { price: Price }
  | { name: string; amount_cents: number; currency: string }

/** A hosted page to be opened. */
export interface CheckoutTerms {
  /** Ours, and the idempotency key: the same one opens no second page. */
  id: string
  line: CheckoutLine
  /** The provider's customer; null for whoever has no account. */
  customer: string | null
  /** The account that pays; carried by what comes of it. */
  account_id: string | null
  /** Where the page leads once it is paid, and where it leads when the payer turns back. */
  done_url: string
  cancel_url: string
  /** Half an hour to a day from now, and the same whenever it is tried again. */
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

/** Money that came in. */
export interface Payment {
  /** What the provider refunds by; null where nothing was charged at once, as for a subscription. */
  payment: string | null
  amount_cents: number
  currency: string
  customer: string | null
  /** The subscription that began with it. */
  subscription: string | null
  /** Tells the card or account that paid from all others, by whatever name; absent where nothing does. */
  payer?: string
}

/**
 * How a checkout stands with the provider now. `pending`: the payer has done their part, and the money
 * is under way for days; it ends as `paid` or `failed`.
 */
export type CheckoutState =
  | { status: 'open' | 'expired' | 'failed' }
  | ({ status: 'pending' | 'paid' } & Payment)

/** How a subscription stands with the provider now. */
export interface SubscriptionState {
  id: string
  status: 'active' | 'ended'
  /** The account that pays, and the agent that the price carries. */
  account_id: string | null
  char_id: string | null
  price_id: string
  customer: string
  /** Until when it is paid, as RFC 3339; null where that is not known. */
  paid_until: string | null
}

/** One payment of a subscription, as it stands with the provider now. */
export interface InvoiceState {
  id: string
  status: 'open' | 'paid'
  amount_cents: number
  currency: string
  /** Null for an invoice that belongs to none. */
  subscription: SubscriptionState | null
}

/** How a refund stands with the provider now. */
export interface RefundState {
  id: string
  status: 'pending' | 'done' | 'failed'
}

/**
 * Something has happened to this object: it is then asked how it stands now, so that events may come
 * twice, late and in any order. `none` is what is not for us.
 */
export type PaymentEvent = { id: string } & (
  | { about: 'checkout' | 'subscription' | 'invoice' | 'refund'; object: string }
  | { about: 'none' }
)

/**
 * Who takes payments. Every method throws `PaymentsFailed`; whatever carries an idempotency key may be
 * tried again under it, and is then done once.
 */
export interface Payments {
  /** The account of the ledger that money comes from and goes back to: `test`, `stripe`. */
  readonly name: string
  /** Nothing is ever charged. */
  readonly isTest: boolean
  /** The currency of the wallet and of prices that tasks name: ISO 4217, in lower case. */
  currency(): Promise<string>
  /** All that can be bought, in a fixed order. */
  prices(): Promise<readonly Price[]>
  /** Undefined for one that there is not, or that is sold no more. */
  price(id: string): Promise<Price | undefined>
  /** The provider's customer of an account, made when it is first asked for. */
  customer(accountId: string): Promise<string>
  openCheckout(terms: CheckoutTerms): Promise<OpenedCheckout>
  /** Undefined for one that there is not. */
  checkout(session: string): Promise<CheckoutState | undefined>
  /** A page on which a customer sees and ends its subscriptions. */
  openPortal(customer: string, returnUrl: string): Promise<{ id: string; url: string }>
  subscription(id: string): Promise<SubscriptionState | undefined>
  /** Ends it at once: it is not paid again, and nothing is given back. Also one that has ended, or is none. */
  endSubscription(id: string): Promise<void>
  invoice(id: string): Promise<InvoiceState | undefined>
  /** The newest hundred payments of a subscription that were made, by their ids. */
  paidInvoices(subscription: string): Promise<readonly string[]>
  /** @param key the idempotency key */
  refund(payment: string, amountCents: number, key: string): Promise<RefundState>
  /** How a refund stands that was begun. */
  refundState(id: string): Promise<RefundState | undefined>
  /**
   * What a webhook says.
   * @param body as it came, byte for byte
   * @throws SignatureWrong
   */
  event(body: Uint8Array, signature: string | undefined): Promise<PaymentEvent>
  close(): Promise<void>
}

/** The provider could not be reached, or did not do what it was asked. */
export class PaymentsFailed extends Error {
  override readonly name = 'PaymentsFailed'
  /** `unknown`: it may have been done all the same. `refused`: it was not, and will not be. */
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

/** A webhook that the provider has not signed, or too long ago. */
export class SignatureWrong extends Error {
  override readonly name = 'SignatureWrong'
}
