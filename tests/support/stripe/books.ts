import type { Stripe } from 'stripe'
import { invoiceOf, subscriptionOf } from './billing.ts'
import { intentOf, priceOf, productOf, recurringOf, refundOf, seconds } from './shapes.ts'

/** What an account at Stripe holds, by id. */
export class StripeBooks {
  readonly products = new Map<string, Stripe.Product>()
  readonly prices = new Map<string, Stripe.Price>()
  readonly customers = new Map<string, Stripe.Customer>()
  readonly sessions = new Map<string, Stripe.Checkout.Session>()
  readonly intents = new Map<string, Stripe.PaymentIntent>()
  readonly subscriptions = new Map<string, Stripe.Subscription>()
  readonly invoices = new Map<string, Stripe.Invoice>()
  readonly refunds = new Map<string, Stripe.Refund>()
  /** What was charged to a card that is told from others, by its id. */
  readonly charges = new Map<string, object>()
  /** The fingerprint of the card that pays next; null where it has none. */
  card: string | null = null
  /** Everything that happened, the oldest first. */
  readonly events: Stripe.Event[] = []
  /** What is bought in a session, which the session itself does not say. */
  readonly bought = new Map<string, { price: string | null; metadata: Stripe.Metadata }>()
  /** How refunds stand as soon as they are made. */
  refundsAre: 'succeeded' | 'pending' | 'failed' = 'succeeded'
  /** After how many seconds a search finds a customer. */
  searchLagSeconds = 60
  /** As of an account in India. */
  cannotSearch = false
  readonly currency: string
  readonly now: () => Date
  #made = 0

  constructor(currency: string, now: () => Date) {
    this.currency = currency
    this.now = now
  }

  get created(): number {
    return seconds(this.now())
  }

  newId(prefix: string): string {
    this.#made += 1
    return `${prefix}_standin${String(this.#made).padStart(8, '0')}`
  }

  /** An object of any kind, for where an answer holds a whole one in place of its id. */
  find(id: string): object | undefined {
    const { products, prices, customers, intents, charges, subscriptions, invoices } = this
    for (const kept of [products, prices, customers, intents, charges, subscriptions, invoices]) {
      const found = kept.get(id)
      if (found) return found
    }
    return undefined
  }

  tell(type: string, object: object): Stripe.Event {
    // A test says which types there are, and Stripe's own list of them is long.
    const event = {
      id: this.newId('evt'),
      object: 'event',
      api_version: '2026-10-28.endive',
      created: this.created,
      data: { object: structuredClone(object) },
      livemode: false,
      pending_webhooks: 1,
      request: { id: null, idempotency_key: null },
      type,
    } as unknown as Stripe.Event
    this.events.push(event)
    return event
  }

  addProduct(name: string, changed: Partial<Stripe.Product> = {}): string {
    const id = this.newId('prod')
    this.products.set(id, { ...productOf(id, name, this.created), ...changed })
    return id
  }

  /** @param terms `interval` makes it recurring; other members are those of Stripe's price */
  addPrice(terms: PriceTerms): string {
    const { amount = 500, name = 'Credits', interval, intervalCount, charId, ...changed } = terms
    const id = changed.id ?? this.newId('price')
    const product = typeof changed.product === 'string' ? changed.product : this.addProduct(name)
    const price = priceOf(id, product, amount, this.currency, this.created)
    this.prices.set(id, {
      ...price,
      ...(interval && { type: 'recurring', recurring: recurringOf(interval, intervalCount) }),
      ...(charId !== undefined && { metadata: { char_id: charId } }),
      ...changed,
    })
    return id
  }

  /** As it stands now: it expires by itself. */
  session(id: string): Stripe.Checkout.Session | undefined {
    const session = this.sessions.get(id)
    if (session?.status === 'open' && session.expires_at <= this.created) this.expire(id)
    return session
  }

  #open(id: string): Stripe.Checkout.Session {
    const session = this.session(id)
    if (session?.status !== 'open') throw new Error(`the session ${id} is ${session?.status}`)
    return session
  }

  /** The payer pays by card; a changed total is what a discount or a tax would make of it. */
  pay(
    id: string,
    changed: Partial<Pick<Stripe.Checkout.Session, 'amount_total' | 'currency'>> = {},
  ) {
    const session = Object.assign(this.#open(id), changed)
    const told = this.events.length
    session.status = 'complete'
    session.url = null
    session.payment_status = session.amount_total === 0 ? 'no_payment_required' : 'paid'
    if (session.mode === 'subscription') this.#subscribe(session, 'active')
    else if (session.amount_total !== 0) this.#charge(session, 'succeeded')
    this.tell('checkout.session.completed', session)
    return this.events.slice(told)
  }

  /** The payer has done their part, by a bank debit; `settle` or `bounce` tells the outcome. */
  payLater(id: string): Stripe.Event[] {
    const session = this.#open(id)
    const told = this.events.length
    session.status = 'complete'
    session.url = null
    if (session.mode === 'subscription') this.#subscribe(session, 'incomplete')
    else this.#charge(session, 'processing')
    this.tell('checkout.session.completed', session)
    return this.events.slice(told)
  }

  settle(id: string): Stripe.Event[] {
    const session = this.#waiting(id)
    const told = this.events.length
    session.payment_status = 'paid'
    const intent = this.intents.get(idOf(session.payment_intent))
    if (intent) {
      Object.assign(intent, { status: 'succeeded', amount_received: intent.amount })
      this.tell('payment_intent.succeeded', intent)
    }
    if (typeof session.subscription === 'string') {
      this.changeSubscription(session.subscription, { status: 'active' })
    }
    this.tell('checkout.session.async_payment_succeeded', session)
    return this.events.slice(told)
  }

  bounce(id: string): Stripe.Event[] {
    const session = this.#waiting(id)
    const told = this.events.length
    const intent = this.intents.get(idOf(session.payment_intent))
    if (intent) {
      intent.status = 'requires_payment_method'
      this.tell('payment_intent.payment_failed', intent)
    }
    if (typeof session.subscription === 'string') {
      this.changeSubscription(session.subscription, { status: 'incomplete_expired' })
    }
    this.tell('checkout.session.async_payment_failed', session)
    return this.events.slice(told)
  }

  #waiting(id: string): Stripe.Checkout.Session {
    const session = this.session(id)
    if (session?.status === 'complete' && session.payment_status === 'unpaid') return session
    throw new Error(`the session ${id} does not wait for its money`)
  }

  expire(id: string): Stripe.Event[] {
    const session = this.sessions.get(id)
    if (session?.status !== 'open') throw new Error(`the session ${id} is ${session?.status}`)
    session.status = 'expired'
    session.url = null
    return [this.tell('checkout.session.expired', session)]
  }

  #charge(session: Stripe.Checkout.Session, status: 'succeeded' | 'processing'): void {
    const intent = intentOf({
      id: this.newId('pi'),
      amount: session.amount_total ?? 0,
      currency: session.currency ?? this.currency,
      customer: session.customer,
      metadata: this.bought.get(session.id)?.metadata ?? {},
      status,
      created: this.created,
    })
    this.intents.set(intent.id, intent)
    if (this.card !== null) {
      const id = idOf(intent.latest_charge)
      const payment_method_details = { type: 'card', card: { fingerprint: this.card } }
      this.charges.set(id, { id, object: 'charge', payment_method_details })
    }
    session.payment_intent = intent.id
    this.tell(`payment_intent.${status}`, intent)
  }

  #subscribe(session: Stripe.Checkout.Session, status: 'active' | 'incomplete'): void {
    const { price = null, metadata = {} } = this.bought.get(session.id) ?? {}
    // A subscriber becomes a customer.
    session.customer ??= this.newId('cus')
    const id = this.addSubscription({
      customer: idOf(session.customer),
      price: price ?? '',
      metadata,
      status,
    })
    session.subscription = id
    const [invoice] = this.renew(id, 'subscription_create', status === 'active' ? 'paid' : 'open')
    session.invoice = invoice
  }

  /** A subscription, as one that the operator makes by hand. */
  addSubscription(terms: {
    customer: string
    price: string
    metadata?: Stripe.Metadata
    status?: Stripe.Subscription.Status
  }): string {
    const id = this.newId('sub')
    const price = this.prices.get(terms.price)
    if (!price) throw new Error(`there is no price ${terms.price}`)
    const { customer, metadata = {}, status = 'active' } = terms
    const made = { id, customer, metadata, status, created: this.created }
    const subscription = subscriptionOf(made, price, this.created + 30 * 86_400)
    this.subscriptions.set(id, subscription)
    this.tell('customer.subscription.created', subscription)
    return id
  }

  /** What has become of a subscription; `canceled` is its end. */
  changeSubscription(id: string, changed: Partial<Stripe.Subscription>): Stripe.Event[] {
    const subscription = this.subscriptions.get(id)
    if (!subscription) throw new Error(`there is no subscription ${id}`)
    Object.assign(subscription, changed)
    const kind = changed.status === 'canceled' ? 'deleted' : 'updated'
    return [this.tell(`customer.subscription.${kind}`, subscription)]
  }

  /** The next period is charged: the id of the invoice, and what happened. */
  renew(
    id: string,
    billing_reason: 'subscription_cycle' | 'subscription_create' = 'subscription_cycle',
    status: 'paid' | 'open' = 'paid',
  ): [invoice: string, events: Stripe.Event[]] {
    const subscription = this.subscriptions.get(id)
    const item = subscription?.items.data[0]
    if (!subscription || !item) throw new Error(`there is no subscription ${id}`)
    const told = this.events.length
    if (billing_reason === 'subscription_cycle') {
      item.current_period_start = item.current_period_end
      item.current_period_end += 30 * 86_400
      this.tell('customer.subscription.updated', subscription)
    }
    const terms = { id: this.newId('in'), billing_reason, status, created: this.created }
    const amount = item.price.unit_amount ?? 0
    const invoice = invoiceOf(terms, subscription, [amount, subscription.currency])
    this.invoices.set(invoice.id, invoice)
    subscription.latest_invoice = invoice.id
    this.tell('invoice.created', invoice)
    if (status === 'paid') {
      this.tell('invoice.paid', invoice)
      this.tell('invoice.payment_succeeded', invoice)
    } else this.tell('invoice.payment_failed', invoice)
    return [invoice.id, this.events.slice(told)]
  }

  /** An invoice that belongs to no subscription. */
  addInvoice(amount: number): string {
    const id = this.newId('in')
    const terms = { id, billing_reason: 'manual', status: 'paid', created: this.created } as const
    this.invoices.set(id, invoiceOf(terms, null, [amount, this.currency]))
    return id
  }

  /** The operator gives all of a payment back on Stripe's own pages. */
  refundByHand(payment_intent: string): string {
    const intent = this.intents.get(payment_intent)
    if (!intent) throw new Error(`there is no payment ${payment_intent}`)
    const { amount_received: amount, currency } = intent
    const made = { id: this.newId('re'), amount, currency, payment_intent, metadata: {} }
    const refund = refundOf({ ...made, status: 'succeeded', created: this.created })
    this.refunds.set(refund.id, refund)
    this.tell('refund.created', refund)
    return refund.id
  }

  endRefund(id: string, status: 'succeeded' | 'failed'): Stripe.Event[] {
    const refund = this.refunds.get(id)
    if (!refund) throw new Error(`there is no refund ${id}`)
    refund.status = status
    return [this.tell(status === 'failed' ? 'refund.failed' : 'refund.updated', refund)]
  }
}

/** What is kept names others by their ids, which a test may have put in as whole objects. */
function idOf(held: string | { id: string } | null): string {
  return typeof held === 'string' ? held : (held?.id ?? '')
}

/** What tells one price from another; the rest is as Stripe makes it. */
export type PriceTerms = Partial<Omit<Stripe.Price, 'product'>> & {
  amount?: number
  name?: string
  interval?: Stripe.Price.Recurring['interval']
  intervalCount?: number
  charId?: string
  product?: string
}
