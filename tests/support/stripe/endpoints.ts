import type { Stripe } from 'stripe'
import type { StripeBooks } from './books.ts'
import { textAt, textsAt, type Form } from './form.ts'
import { invalid, missing, StripeRefusal } from './refusal.ts'
import { accountOf, customerOf, list, portalOf, refundOf, sessionOf } from './shapes.ts'

/** A call as it came in. */
export interface StripeCall {
  books: StripeBooks
  form: Form
  /** What stands in the path for an id. */
  id: string
}

/** One call that the stand-in knows. */
export interface Endpoint {
  /** Method and path, with `:id` for what names an object. */
  at: string
  /** The parameters that it takes, indexes left out; `*` stands for any name. */
  takes: readonly string[]
  answer(call: StripeCall): object
}

const readable = ['expand']
const paged = ['expand', 'limit', 'starting_after', 'ending_before']

export const endpoints: readonly Endpoint[] = [
  {
    at: 'GET /v1/account',
    takes: readable,
    answer: ({ books }) => accountOf(books.currency),
  },
  {
    at: 'GET /v1/prices',
    takes: [...paged, 'active', 'currency', 'product', 'type'],
    answer({ books, form }) {
      const active = textAt(form, 'active')
      const found = [...books.prices.values()].filter(
        (price) => active === undefined || String(price.active) === active,
      )
      return pageOf(found, form, '/v1/prices')
    },
  },
  {
    at: 'GET /v1/prices/:id',
    takes: readable,
    answer: ({ books, id }) => books.prices.get(id) ?? refuse(missing('price', id, 'price')),
  },
  { at: 'POST /v1/customers', takes: ['metadata.*', 'email', 'name'], answer: makeCustomer },
  {
    at: 'GET /v1/customers/search',
    takes: ['query', 'limit', 'page', 'expand'],
    answer: searchCustomers,
  },
  {
    at: 'POST /v1/checkout/sessions',
    takes: [
      'adaptive_pricing.enabled',
      'cancel_url',
      'client_reference_id',
      'currency',
      'customer',
      'expires_at',
      'line_items.price',
      'line_items.price_data.currency',
      'line_items.price_data.product_data.name',
      'line_items.price_data.unit_amount',
      'line_items.quantity',
      'metadata.*',
      'mode',
      'payment_intent_data.metadata.*',
      'subscription_data.metadata.*',
      'success_url',
    ],
    answer: makeSession,
  },
  {
    at: 'GET /v1/checkout/sessions/:id',
    takes: readable,
    answer: ({ books, id }) =>
      books.session(id) ?? refuse(missing('checkout.session', id, 'session')),
  },
  {
    at: 'POST /v1/billing_portal/sessions',
    takes: ['customer', 'return_url'],
    answer: makePortal,
  },
  {
    at: 'GET /v1/subscriptions/:id',
    takes: readable,
    answer: ({ books, id }) => books.subscriptions.get(id) ?? refuse(missing('subscription', id)),
  },
  {
    at: 'DELETE /v1/subscriptions/:id',
    takes: [...readable, 'invoice_now', 'prorate'],
    answer({ books, id }) {
      const subscription = books.subscriptions.get(id)
      if (!subscription || subscription.status === 'canceled') throw missing('subscription', id)
      books.changeSubscription(id, { status: 'canceled' })
      return subscription
    },
  },
  {
    at: 'GET /v1/invoices',
    takes: [...paged, 'status', 'subscription'],
    answer({ books, form }) {
      const status = textAt(form, 'status')
      const subscription = textAt(form, 'subscription')
      const found = [...books.invoices.values()].filter(
        (invoice) =>
          (status === undefined || invoice.status === status) &&
          (subscription === undefined ||
            invoice.parent?.subscription_details?.subscription === subscription),
      )
      return pageOf(found, form, '/v1/invoices')
    },
  },
  {
    at: 'GET /v1/invoices/:id',
    takes: readable,
    answer: ({ books, id }) => books.invoices.get(id) ?? refuse(missing('invoice', id, 'invoice')),
  },
  {
    at: 'POST /v1/refunds',
    takes: ['amount', 'metadata.*', 'payment_intent', 'reason'],
    answer: makeRefund,
  },
  {
    at: 'GET /v1/refunds',
    takes: [...paged, 'charge', 'payment_intent'],
    answer({ books, form }) {
      const intent = textAt(form, 'payment_intent')
      if (intent !== undefined && !books.intents.has(intent)) {
        throw missing('payment_intent', intent, 'payment_intent', 400)
      }
      const found = [...books.refunds.values()].filter(
        ({ payment_intent }) => intent === undefined || payment_intent === intent,
      )
      return pageOf(found, form, '/v1/refunds')
    },
  },
  {
    at: 'GET /v1/refunds/:id',
    takes: readable,
    answer: ({ books, id }) => books.refunds.get(id) ?? refuse(missing('refund', id, 'refund')),
  },
]

function refuse(refusal: StripeRefusal): never {
  throw refusal
}

/** The newest first, as every list of Stripe. */
function pageOf(kept: { id: string }[], form: Form, url: string): object {
  const limit = Number(textAt(form, 'limit') ?? 10)
  if (!(limit >= 1 && limit <= 100)) throw invalid('This value must be between 1 and 100.')
  const newest = kept.toReversed()
  const after = textAt(form, 'starting_after')
  const from = after === undefined ? 0 : newest.findIndex(({ id }) => id === after) + 1
  if (after !== undefined && from === 0) throw missing('object', after, 'starting_after', 400)
  return list(newest.slice(from, from + limit), url, newest.length > from + limit)
}

function makeCustomer({ books, form }: StripeCall): object {
  const id = books.newId('cus')
  const customer = customerOf(id, textsAt(form, 'metadata'), books.created)
  books.customers.set(id, customer)
  books.tell('customer.created', customer)
  return customer
}

function searchCustomers({ books, form }: StripeCall): object {
  if (books.cannotSearch) throw invalid('Search is not available in your country.')
  const query = textAt(form, 'query') ?? refuse(invalid('Missing required param: query.'))
  const [, name, value] = /^metadata\['(\w+)'\]:'((?:[^'\\]|\\.)*)'$/.exec(query) ?? []
  if (name === undefined) throw invalid(`We were unable to parse your search query: ${query}`)
  const wanted = value?.replaceAll(/\\(.)/g, '$1')
  const found = [...books.customers.values()].filter(
    ({ metadata, created }) =>
      metadata[name] === wanted && created <= books.created - books.searchLagSeconds,
  )
  return {
    object: 'search_result',
    data: found,
    has_more: false,
    next_page: null,
    url: '/v1/customers/search',
  }
}

/** What is bought, by the only line. */
function lineOf({ books, form }: StripeCall): {
  amount: number
  currency: string
  price: Stripe.Price | null
} {
  const price = textAt(form, 'line_items', '0', 'price')
  if (price !== undefined) {
    const found = books.prices.get(price)
    if (!found) throw missing('price', price, 'line_items[0][price]', 400)
    if (!found.active) {
      throw invalid(`The price specified is inactive. This field only accepts active prices.`)
    }
    return { amount: found.unit_amount ?? 0, currency: found.currency, price: found }
  }
  const data = ['line_items', '0', 'price_data']
  const amount = textAt(form, ...data, 'unit_amount') ?? ''
  if (!/^\d{1,8}$/.test(amount)) {
    const param = 'line_items[0][price_data][unit_amount]'
    throw invalid(`Invalid integer: ${amount}`, { code: 'parameter_invalid_integer', param })
  }
  if (!textAt(form, ...data, 'product_data', 'name')) {
    const param = 'line_items[0][price_data][product_data][name]'
    throw invalid('You passed an empty string.', { code: 'parameter_invalid_empty', param })
  }
  const currency = textAt(form, ...data, 'currency') ?? ''
  if (Number(amount) < 50) {
    const message = 'The Checkout Session’s total amount must convert to at least 50 cents.'
    throw invalid(message, { code: 'amount_too_small' })
  }
  return { amount: Number(amount), currency, price: null }
}

function makeSession(call: StripeCall): object {
  const { books, form } = call
  const { amount, currency, price } = lineOf(call)
  const mode = textAt(form, 'mode') ?? ''
  if (mode === 'payment' && price?.recurring) {
    throw invalid(
      'You specified `payment` mode but passed a recurring price. Either switch to `subscription` mode or use only one-time prices.',
    )
  }
  if (mode === 'subscription' && !price?.recurring) {
    throw invalid('You must provide at least one recurring price in `subscription` mode.')
  }
  const expires_at = Number(textAt(form, 'expires_at') ?? books.created + 86_400)
  if (expires_at < books.created + 1800 || expires_at > books.created + 86_400) {
    const message =
      'The `expires_at` timestamp must be at least 30 minutes and at most 24 hours from Checkout Session creation.'
    throw invalid(message, { param: 'expires_at' })
  }
  const customer = textAt(form, 'customer') ?? null
  if (customer !== null && !books.customers.has(customer)) {
    throw missing('customer', customer, 'customer', 400)
  }
  if (textAt(form, 'currency') !== currency) throw invalid('The currencies do not match.')
  const id = books.newId('cs_test')
  const session = sessionOf({
    id,
    mode,
    amount_total: amount,
    currency,
    customer,
    client_reference_id: textAt(form, 'client_reference_id') ?? null,
    metadata: textsAt(form, 'metadata'),
    success_url: textAt(form, 'success_url') ?? null,
    cancel_url: textAt(form, 'cancel_url') ?? null,
    expires_at,
    created: books.created,
    url: `https://checkout.stripe.com/c/pay/${id}#standin`,
  })
  books.sessions.set(id, session)
  const data = mode === 'payment' ? 'payment_intent_data' : 'subscription_data'
  const metadata = textsAt(form, data, 'metadata')
  books.bought.set(id, { price: price?.id ?? null, metadata })
  return session
}

function makePortal({ books, form }: StripeCall): object {
  const customer = textAt(form, 'customer') ?? ''
  if (!books.customers.has(customer)) throw missing('customer', customer, 'customer', 400)
  const id = books.newId('bps')
  return portalOf({
    id,
    customer,
    return_url: textAt(form, 'return_url') ?? null,
    url: `https://billing.stripe.com/p/session/${id}`,
    created: books.created,
  })
}

function makeRefund({ books, form }: StripeCall): object {
  const payment_intent = textAt(form, 'payment_intent') ?? ''
  const intent = books.intents.get(payment_intent)
  if (!intent) throw missing('payment_intent', payment_intent, 'payment_intent', 400)
  const given = [...books.refunds.values()]
    .filter((refund) => refund.payment_intent === payment_intent && refund.status !== 'failed')
    .reduce((sum, refund) => sum + refund.amount, 0)
  const left = intent.amount_received - given
  const asked = textAt(form, 'amount') ?? String(left)
  if (!/^-?\d+$/.test(asked)) {
    const code = 'parameter_invalid_integer'
    throw invalid(`Invalid integer: ${asked}`, { code, param: 'amount' })
  }
  const amount = Number(asked)
  if (left === 0) {
    const charge = intent.id.replace('pi_', 'ch_')
    const message = `Charge ${charge} has already been refunded.`
    throw new StripeRefusal(
      400,
      { code: 'charge_already_refunded', message, type: 'invalid_request_error' },
      { isKept: true },
    )
  }
  if (!(amount > 0) || amount > left) {
    throw invalid(`Refund amount (${amount}) is greater than unrefunded amount on charge (${left})`)
  }
  const refund = refundOf({
    id: books.newId('re'),
    amount,
    currency: intent.currency,
    payment_intent,
    metadata: textsAt(form, 'metadata'),
    status: books.refundsAre,
    created: books.created,
  })
  books.refunds.set(refund.id, refund)
  books.tell('refund.created', refund)
  return refund
}

/** Refuses what the endpoint does not take, as Stripe does. */
export function check({ takes }: Endpoint, names: readonly string[]): void {
  const isTaken = (name: string): boolean =>
    takes.includes(name) || takes.includes(name.replace(/[^.]+$/, '*'))
  const unknown = names.find((name) => !isTaken(name))
  if (unknown === undefined) return
  const message = `Received unknown parameter: ${unknown}`
  throw invalid(message, { code: 'parameter_unknown', param: unknown })
}
