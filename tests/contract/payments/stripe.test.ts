import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { openStripe } from '#adapters/payments/stripe/provider.ts'
import { PaymentsFailed, type CheckoutTerms, type Payments } from '#src/ports/payments.ts'
import { read, sources } from '#tests/house/tree.ts'
import { fakeClock, type FakeClock } from '#tests/support/fake-clock.ts'
import {
  startStripeServer,
  type StripeFault,
  type StripeServer,
} from '#tests/support/stripe-server.ts'

let clock: FakeClock
let server: StripeServer
let payments: Payments
/** Other lines to the same account, as of other processes. */
const others: Payments[] = []

beforeEach(async () => {
  clock = fakeClock()
  server = await startStripeServer({ now: () => clock.now() })
  payments = lineTo()
})
afterEach(async () => {
  await Promise.all([payments, ...others.splice(0)].map((one) => one.close()))
  server.close()
})

function lineTo(changed: { secretKey?: string; timeoutMs?: number } = {}): Payments {
  const { apiBase, secretKey, webhookSecret } = server
  return openStripe({ apiBase, secretKey, webhookSecret, clock, ...changed })
}

/** A line that does not wait for long: for one call that gets no answer. */
function hasty(): Payments {
  const line = lineTo({ timeoutMs: 1000 })
  others.push(line)
  return line
}

const dayMs = 86_400_000

function terms(changed: Partial<CheckoutTerms> = {}): CheckoutTerms {
  return {
    id: 'chk_1',
    line: { name: 'A poem', amount_cents: 700, currency: 'eur' },
    customer: null,
    account_id: null,
    done_url: 'https://abode.example/pay/done',
    cancel_url: 'https://abode.example/pay/cancelled',
    expires_at: new Date(clock.now().getTime() + 23 * 3_600_000),
    ...changed,
  }
}

async function charged(): Promise<string> {
  const { session } = await payments.openCheckout(terms())
  server.books.pay(session)
  const state = await payments.checkout(session)
  return (state && 'payment' in state && state.payment) || ''
}

function asked(at: string): StripeServer['asked'] {
  return server.asked.filter((one) => one.at === at)
}

async function failureOf(ask: Promise<unknown>): Promise<PaymentsFailed> {
  const failure: unknown = await ask.catch((cause: unknown) => cause)
  if (failure instanceof PaymentsFailed) return failure
  throw new Error('it did not fail as a provider does', { cause: failure })
}

describe('what Stripe is asked', () => {
  it('is asked in the pinned version, with the key, and without telemetry', async () => {
    await payments.prices()
    await payments.openCheckout(terms())
    await payments.openCheckout(terms({ id: 'chk_2' }))
    expect(server.asked.length).toBe(3)
    for (const { headers } of server.asked) {
      expect(headers['stripe-version']).toBe('2026-10-28.endive')
      expect(headers.authorization).toBe(`Bearer ${server.secretKey}`)
      expect(headers['x-stripe-client-telemetry']).toBeUndefined()
      expect(String(headers['x-stripe-client-user-agent'])).not.toMatch(/platform|telemetry_id/)
    }
  })

  it('sends an idempotency key with each call that changes something', async () => {
    const customer = await payments.customer('acc_1')
    await payments.openPortal(customer, 'https://abode.example/')
    const payment = await charged()
    await payments.refund(payment, 700, 'rfd_1')
    const keys = server.asked
      .filter(({ at }) => at.startsWith('POST'))
      .map(({ at, headers }) => [at, headers['idempotency-key']])
    expect(keys).toEqual([
      ['POST /v1/customers', 'customer_acc_1'],
      ['POST /v1/billing_portal/sessions', expect.stringMatching(/.{20}/)],
      ['POST /v1/checkout/sessions', 'chk_1'],
      ['POST /v1/refunds', 'rfd_1'],
    ])
  })

  it('says in a checkout what is bought, by whom, and where it leads', async () => {
    const id = server.addPrice({ amount: 2000 })
    const price = await payments.price(id)
    if (!price) throw new Error('there is no price')
    const customer = await payments.customer('acc_1')
    await payments.openCheckout(terms({ line: { price }, customer, account_id: 'acc_1' }))
    const metadata = { checkout_id: 'chk_1', account_id: 'acc_1' }
    expect(asked('POST /v1/checkout/sessions')[0]?.form).toEqual({
      client_reference_id: 'chk_1',
      line_items: { 0: { price: id, quantity: '1' } },
      metadata,
      mode: 'payment',
      payment_intent_data: { metadata },
      customer,
      currency: 'eur',
      adaptive_pricing: { enabled: 'false' },
      expires_at: String(Math.floor(clock.now().getTime() / 1000) + 23 * 3600),
      success_url: 'https://abode.example/pay/done',
      cancel_url: 'https://abode.example/pay/cancelled',
    })
  })

  it('names our amount, and says of a subscription whose it will be', async () => {
    await payments.openCheckout(terms())
    const id = server.addPrice({ interval: 'month' })
    const price = await payments.price(id)
    if (!price) throw new Error('there is no price')
    await payments.openCheckout(terms({ id: 'chk_2', line: { price }, account_id: 'acc_1' }))
    const [named, subscribed] = asked('POST /v1/checkout/sessions').map(({ form }) => form)
    expect(named?.['line_items']).toEqual({
      0: {
        price_data: { currency: 'eur', unit_amount: '700', product_data: { name: 'A poem' } },
        quantity: '1',
      },
    })
    expect(subscribed).toMatchObject({
      mode: 'subscription',
      subscription_data: { metadata: { checkout_id: 'chk_2', account_id: 'acc_1' } },
    })
    expect(subscribed).not.toHaveProperty('payment_intent_data')
  })

  it('loads the library when something is first asked, and not before', () => {
    const early = sources('adapters/payments').filter((path) =>
      /^import (?!type\b)[^'"]*'stripe'/m.test(read(path)),
    )
    expect(early).toEqual([])
  })

  it('tells a test key, which charges no one, from a live one', () => {
    const isTest = (secretKey: string): boolean => {
      const line = lineTo({ secretKey })
      others.push(line)
      return line.isTest
    }
    expect(['sk_test_1', 'rk_test_1'].map(isTest)).toEqual([true, true])
    expect(['sk_live_1', 'rk_live_1', 'sk_1_test_2'].map(isTest)).toEqual([false, false, false])
  })
})

describe('prices at Stripe', () => {
  it('leaves out what has not one amount, and what is not for sale', async () => {
    const { books } = server
    const kept = server.addPrice({ amount: 500 })
    const recurring = { interval: 'month', interval_count: 1 } as const
    const usage = { ...recurring, usage_type: 'metered', meter: 'mtr_1', trial_period_days: null }
    const tiered = { billing_scheme: 'tiered', tiers_mode: 'graduated', unit_amount: null } as const
    const left = [
      server.addPrice(tiered),
      server.addPrice({ type: 'recurring', recurring: usage }),
      server.addPrice({ unit_amount: null }),
      server.addPrice({ amount: 0 }),
      server.addPrice({ interval: 'month', intervalCount: 3 }),
      server.addPrice({ transform_quantity: { divide_by: 10, round: 'up' } }),
      server.addPrice({ custom_unit_amount: { maximum: null, minimum: null, preset: null } }),
      server.addPrice({ active: false }),
      server.addPrice({ product: books.addProduct('Gone', { active: false }) }),
    ]
    expect((await payments.prices()).map(({ id }) => id)).toEqual([kept])
    for (const id of left) expect(await payments.price(id)).toBeUndefined()
  })

  it('takes the agent from the price, else from its product', async () => {
    const product = server.books.addProduct('Two', { metadata: { char_id: 'of-product' } })
    const ids = [
      server.addPrice({ charId: 'of-price', product }),
      server.addPrice({ product }),
      server.addPrice({ charId: '', product }),
      server.addPrice({ charId: '' }),
    ]
    const prices = await Promise.all(ids.map((id) => payments.price(id)))
    expect(prices.map((price) => price?.char_id)).toEqual([
      'of-price',
      'of-product',
      'of-product',
      null,
    ])
  })

  it('reads all pages, the oldest first, and a thousand at most', async () => {
    const ids = Array.from({ length: 250 }, () => server.addPrice())
    expect((await payments.prices()).map(({ id }) => id)).toEqual(ids)
    expect(asked('GET /v1/prices').length).toBe(3)
    for (let i = 0; i < 1000; i++) server.addPrice()
    await clock.advance(60_000)
    expect((await payments.prices()).length).toBe(1000)
  })

  it('asks once a minute, however many want them, and keeps no failure', async () => {
    server.addPrice()
    server.misbehave('broken', { at: 'GET /v1/prices' })
    expect((await failureOf(payments.prices())).outcome).toBe('not_done')
    const many = await Promise.all(Array.from({ length: 10 }, () => payments.prices()))
    expect(many.map((prices) => prices.length)).toEqual(many.map(() => 1))
    expect(asked('GET /v1/prices').length).toBe(2)
    const added = server.addPrice()
    expect((await payments.prices()).length).toBe(1)
    expect(await payments.price(added)).toMatchObject({ id: added })
    await clock.advance(60_000)
    expect((await payments.prices()).length).toBe(2)
  })

  it('asks for the currency of the account once', async () => {
    server.misbehave('broken')
    expect((await failureOf(payments.currency())).outcome).toBe('not_done')
    expect(await payments.currency()).toBe('eur')
    await clock.advance(30 * dayMs)
    expect(await payments.currency()).toBe('eur')
    expect(asked('GET /v1/account').length).toBe(2)
  })
})

describe('customers at Stripe', () => {
  it('finds the one of an account by the key at once, and by a search when the key is forgotten', async () => {
    const first = await payments.customer('acc_1')
    expect(await payments.customer('acc_1')).toBe(first)
    expect(server.books.customers.size).toBe(1)
    await clock.advance(2 * dayMs)
    expect(await payments.customer('acc_1')).toBe(first)
    expect(asked('POST /v1/customers').length).toBe(2)
  })

  it('takes the oldest of several, and none that belongs to another', async () => {
    const first = await payments.customer("acc'1")
    await clock.advance(dayMs)
    server.books.searchLagSeconds = Infinity
    await clock.advance(dayMs)
    const second = await payments.customer("acc'1")
    expect(second).not.toBe(first)
    server.books.searchLagSeconds = 0
    expect(await payments.customer("acc'1")).toBe(first)
    expect(await payments.customer('acc_2')).not.toBe(first)
  })

  it('serves the payers of an account that may not search', async () => {
    server.books.cannotSearch = true
    const first = await payments.customer('acc_1')
    expect(await payments.customer('acc_1')).toBe(first)
  })
})

describe('a checkout at Stripe', () => {
  it('is pending while the money is under way, and then paid', async () => {
    const { session } = await payments.openCheckout(terms())
    server.books.payLater(session)
    const pending = await payments.checkout(session)
    expect(pending).toMatchObject({ status: 'pending', amount_cents: 700, currency: 'eur' })
    server.books.settle(session)
    expect(await payments.checkout(session)).toEqual({ ...pending, status: 'paid' })
  })

  it('tells the card that paid from others, where Stripe does', async () => {
    const payerOf = async (id: string, card: string | null): Promise<unknown> => {
      const { session } = await payments.openCheckout(terms({ id }))
      server.books.card = card
      server.books.pay(session)
      const state = await payments.checkout(session)
      return state && 'payer' in state ? state.payer : undefined
    }
    expect(await payerOf('chk_1', 'print-1')).toBe('stripe print-1')
    expect(await payerOf('chk_2', 'print-1')).toBe('stripe print-1')
    expect(await payerOf('chk_3', null)).toBeUndefined()
  })

  it('fails when the money does not come', async () => {
    const { session } = await payments.openCheckout(terms())
    server.books.payLater(session)
    server.books.bounce(session)
    expect(await payments.checkout(session)).toEqual({ status: 'failed' })
  })

  it.each(['pending', 'paid', 'failed'])('of a subscription can be %s too', async (status) => {
    const price = await payments.price(server.addPrice({ interval: 'month', amount: 900 }))
    if (!price) throw new Error('there is no price')
    const { session } = await payments.openCheckout(terms({ line: { price } }))
    server.books.payLater(session)
    if (status === 'paid') server.books.settle(session)
    if (status === 'failed') server.books.bounce(session)
    expect(await payments.checkout(session)).toMatchObject({ status })
  })

  it('tells the amount that was paid, even when it is not the one that was asked', async () => {
    const { session } = await payments.openCheckout(terms())
    server.books.pay(session, { amount_total: 0 })
    expect(await payments.checkout(session)).toMatchObject({
      status: 'paid',
      amount_cents: 0,
      payment: null,
    })
    const other = await payments.openCheckout(terms({ id: 'chk_2' }))
    server.books.pay(other.session, { amount_total: 650, currency: 'usd' })
    expect(await payments.checkout(other.session)).toMatchObject({
      status: 'paid',
      amount_cents: 650,
      currency: 'usd',
    })
  })

  it('is refused under a key that was used for another one, or for a time that has passed', async () => {
    await payments.openCheckout(terms())
    const line = { name: 'Another', amount_cents: 800, currency: 'eur' }
    expect((await failureOf(payments.openCheckout(terms({ line })))).outcome).toBe('refused')
    const late = terms({ expires_at: new Date(clock.now().getTime() + 60_000), id: 'chk_2' })
    expect((await failureOf(payments.openCheckout(late))).outcome).toBe('refused')
  })

  it('opens no second page when Stripe has forgotten the key', async () => {
    const asking = terms()
    await payments.openCheckout(asking)
    await clock.advance(dayMs + 1000)
    expect((await failureOf(payments.openCheckout(asking))).outcome).toBe('refused')
    expect(server.books.sessions.size).toBe(1)
  })
})

describe('a subscription at Stripe', () => {
  const begun = async (status: string): Promise<string> => {
    const customer = await payments.customer('acc_1')
    const price = server.addPrice({ interval: 'month', charId: 'ada-1' })
    return server.books.addSubscription({ customer, price, status })
  }

  it.each([
    ['active', 'active'],
    ['trialing', 'active'],
    ['past_due', 'active'],
    ['canceled', 'ended'],
    ['unpaid', 'ended'],
    ['incomplete', 'ended'],
    ['incomplete_expired', 'ended'],
    ['paused', 'ended'],
    ['something_new', 'ended'],
  ])('that is %s counts as %s', async (status, counts) => {
    const id = await begun(status)
    expect(await payments.subscription(id)).toMatchObject({ status: counts, char_id: 'ada-1' })
  })

  it('that was made by hand belongs to the account of its customer', async () => {
    expect(await payments.subscription(await begun('active'))).toMatchObject({
      account_id: 'acc_1',
    })
  })

  it('is paid until its period ends, or until it began where the payment is late', async () => {
    const id = await begun('active')
    const from = clock.now().getTime()
    const until = (ms: number): string => new Date(from + ms).toISOString()
    expect(await payments.subscription(id)).toMatchObject({ paid_until: until(30 * dayMs) })
    server.books.changeSubscription(id, { status: 'past_due' })
    expect(await payments.subscription(id)).toMatchObject({ paid_until: until(0) })
  })

  it('opens the agent of whichever of its prices carries one', async () => {
    const id = await begun('active')
    const { books } = server
    const [item] = books.subscriptions.get(id)?.items.data ?? []
    const plain = books.prices.get(server.addPrice({ interval: 'month' }))
    if (!item || !plain) throw new Error('there is nothing to add to')
    books.subscriptions.get(id)?.items.data.unshift({ ...item, price: plain })
    expect(await payments.subscription(id)).toMatchObject({ char_id: 'ada-1' })
  })

  it('is named by its invoices, and others name none', async () => {
    const id = await begun('active')
    const [paid] = server.books.renew(id)
    const [open] = server.books.renew(id, 'subscription_cycle', 'open')
    const subscription = await payments.subscription(id)
    expect(await payments.invoice(paid)).toEqual({
      id: paid,
      status: 'paid',
      amount_cents: 500,
      currency: 'eur',
      subscription,
    })
    expect(await payments.invoice(open)).toMatchObject({ status: 'open', amount_cents: 500 })
    const alone = server.books.addInvoice(300)
    expect(await payments.invoice(alone)).toMatchObject({ amount_cents: 300, subscription: null })
  })
})

describe('a refund at Stripe', () => {
  it('is pending until Stripe has done it, or could not', async () => {
    server.books.refundsAre = 'pending'
    const payment = await charged()
    const first = await payments.refund(payment, 300, 'rfd_1')
    const second = await payments.refund(payment, 300, 'rfd_2')
    expect([first.status, second.status]).toEqual(['pending', 'pending'])
    server.books.endRefund(first.id, 'succeeded')
    server.books.endRefund(second.id, 'failed')
    expect((await payments.refundState(first.id))?.status).toBe('done')
    expect((await payments.refundState(second.id))?.status).toBe('failed')
  })

  it('that no answer told of is found again under its key', async () => {
    const payment = await charged()
    server.misbehave('cut', { at: 'POST /v1/refunds', times: 2 })
    expect((await failureOf(payments.refund(payment, 700, 'rfd_1'))).outcome).toBe('unknown')
    expect(await payments.refund(payment, 700, 'rfd_1')).toMatchObject({ status: 'done' })
    expect(server.books.refunds.size).toBe(1)
  })

  it('is done once, even where Stripe keeps answering with the failure of its first try', async () => {
    const payment = await charged()
    server.misbehave('done_broken', { at: 'POST /v1/refunds' })
    expect((await failureOf(payments.refund(payment, 300, 'rfd_1'))).outcome).toBe('unknown')
    expect(await payments.refund(payment, 300, 'rfd_1')).toMatchObject({ status: 'done' })
    server.misbehave('broken', { at: 'POST /v1/refunds' })
    expect((await failureOf(payments.refund(payment, 300, 'rfd_2'))).outcome).toBe('unknown')
    expect((await failureOf(payments.refund(payment, 300, 'rfd_2'))).outcome).toBe('unknown')
    await clock.advance(dayMs + 1000)
    expect(await payments.refund(payment, 300, 'rfd_2')).toMatchObject({ status: 'done' })
    expect(await payments.refund(payment, 300, 'rfd_1')).toMatchObject({ status: 'done' })
    expect(server.books.refunds.size).toBe(2)
  })

  it('waits until the balance at Stripe covers it', async () => {
    const payment = await charged()
    server.misbehave('no_balance', { at: 'POST /v1/refunds' })
    const failure = await failureOf(payments.refund(payment, 700, 'rfd_1'))
    expect(failure).toMatchObject({
      outcome: 'not_done',
      message: expect.stringContaining('balance at Stripe does not cover'),
    })
  })

  it('is done where the operator has given the money back by hand', async () => {
    const payment = await charged()
    const byHand = server.books.refundByHand(payment)
    expect(await payments.refund(payment, 700, 'rfd_1')).toEqual({ id: byHand, status: 'done' })
    expect(server.books.refunds.size).toBe(1)
  })
})

describe('a failure at Stripe', () => {
  const cases: [StripeFault, times: number, got: string, sent: string, said: string][] = [
    ['broken', 1, 'not_done', 'unknown', 'Stripe failed'],
    ['done_broken', 1, 'not_done', 'unknown', 'Stripe failed'],
    ['cut', 2, 'not_done', 'unknown', 'no answer'],
    ['halved', 1, 'not_done', 'unknown', 'no answer'],
    ['garbage', 1, 'not_done', 'unknown', 'no answer'],
    ['in_use', 1, 'not_done', 'unknown', 'Stripe failed'],
    ['limited', 1, 'not_done', 'not_done', 'asked too often'],
    ['unauthenticated', 1, 'not_done', 'not_done', 'does not accept STRIPE_SECRET_KEY'],
    ['forbidden', 1, 'not_done', 'not_done', 'STRIPE_SECRET_KEY may not'],
  ]

  it.each(cases)('%s (%d): of a read %s, of a write %s', async (fault, times, got, sent, said) => {
    const { session } = await payments.openCheckout(terms())
    server.misbehave(fault, { times })
    const reading = await failureOf(payments.checkout(session))
    server.misbehave(fault, { times })
    const writing = await failureOf(payments.openCheckout(terms({ id: 'chk_2' })))
    expect([reading.outcome, writing.outcome]).toEqual([got, sent])
    expect([reading.message, writing.message]).toEqual([
      expect.stringContaining(said),
      expect.stringContaining(said),
    ])
    const page = await payments.openCheckout(terms({ id: 'chk_3' }))
    expect(await payments.checkout(page.session)).toEqual({ status: 'open' })
  })

  it('to answer in time leaves a write unknown, and a try under the same key tells', async () => {
    for (const fault of ['hangs', 'lost'] as const) {
      const asking = terms({ id: fault })
      server.misbehave(fault)
      expect((await failureOf(hasty().openCheckout(asking))).outcome).toBe('unknown')
      await payments.openCheckout(asking)
    }
    const keys = [...server.books.sessions.values()].map((one) => one.client_reference_id)
    expect(keys).toEqual(['hangs', 'lost'])
  })

  it('to answer in time leaves a read undone', async () => {
    server.misbehave('lost')
    expect((await failureOf(hasty().prices())).outcome).toBe('not_done')
  })

  it('of the connection is mended by the library once, under the same key', async () => {
    server.misbehave('cut', { at: 'POST /v1/checkout/sessions' })
    await payments.openCheckout(terms())
    expect(server.books.sessions.size).toBe(1)
    const keys = asked('POST /v1/checkout/sessions').map(({ headers }) => headers)
    expect(keys.map((headers) => headers['idempotency-key'])).toEqual(['chk_1', 'chk_1'])
  })

  it('to be reached at all is unknown of a write, and not done of a read', async () => {
    server.close()
    expect((await failureOf(payments.prices())).outcome).toBe('not_done')
    expect((await failureOf(payments.openCheckout(terms()))).outcome).toBe('unknown')
  })

  it('says nothing of the key, nor what Stripe wrote', async () => {
    const secretKey = 'sk_test_another0123456789abcdef'
    const wrong = lineTo({ secretKey })
    others.push(wrong)
    const failures = [await failureOf(wrong.prices())]
    for (const fault of ['broken', 'forbidden', 'limited', 'no_balance', 'in_use'] as const) {
      server.misbehave(fault)
      failures.push(await failureOf(payments.openCheckout(terms({ id: fault }))))
    }
    for (const failure of failures) {
      expect(failure.message).toMatch(/^[\w ,.]+ \(\d{3}( \w+){0,2}\)\.$/)
      expect(failure.message).not.toMatch(/sk_test|text of the provider/)
    }
    expect(JSON.stringify(failures[0]?.cause ?? null)).not.toContain('sk_test')
  })
})
