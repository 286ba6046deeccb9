import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import {
  PaymentsFailed,
  SignatureWrong,
  type CheckoutLine,
  type CheckoutTerms,
  type OpenedCheckout,
  type Payment,
} from '#src/ports/payments.ts'
import { providers, type Provider } from './providers.ts'

describe.each(providers)('payments by $name', ({ open }) => {
  let at: Provider
  beforeEach(async () => {
    at = await open()
  })
  afterEach(() => at.close())

  const hours = (count: number): Date => new Date(at.clock.now().getTime() + count * 3_600_000)
  const lineOf = async (id: string): Promise<CheckoutLine> => {
    const price = await at.payments.price(id)
    if (!price) throw new Error(`there is no price ${id}`)
    return { price }
  }
  const termsOf = (line: CheckoutLine, changed: Partial<CheckoutTerms> = {}): CheckoutTerms => ({
    id: 'chk_1',
    line,
    customer: null,
    account_id: null,
    done_url: 'https://abode.example/pay/done',
    cancel_url: 'https://abode.example/pay/cancelled',
    expires_at: hours(23),
    ...changed,
  })
  const opened = async (
    id: string,
    changed: Partial<CheckoutTerms> = {},
  ): Promise<OpenedCheckout> => at.payments.openCheckout(termsOf(await lineOf(id), changed))
  const named = async (amount_cents: number): Promise<CheckoutLine> => {
    return { name: 'A poem', amount_cents, currency: await at.payments.currency() }
  }
  const paid = async (id: string, changed: Partial<CheckoutTerms> = {}): Promise<Payment> => {
    const { session } = await opened(id, changed)
    await at.pay(session)
    const state = await at.payments.checkout(session)
    if (state?.status !== 'paid') throw new Error(`the checkout is ${state?.status}`)
    return state
  }
  const charged = async (): Promise<string> => {
    const { payment } = await paid(at.oneTime)
    return payment ?? ''
  }
  const outcomeOf = (asked: Promise<unknown>): Promise<unknown> =>
    asked.then(
      () => 'done',
      (failure: unknown) => (failure instanceof PaymentsFailed ? failure.outcome : failure),
    )

  it('has one currency, and prices in a fixed order', async () => {
    expect(await at.payments.currency()).toMatch(/^[a-z]{3}$/)
    const prices = await at.payments.prices()
    expect(prices.map(({ id }) => id)).toEqual(
      expect.arrayContaining([at.oneTime, at.monthly] as string[]),
    )
    expect(await at.payments.prices()).toEqual(prices)
    for (const price of prices) expect(await at.payments.price(price.id)).toEqual(price)
  })

  it('says of a price what it costs, how often, and which agent it opens', async () => {
    const currency = await at.payments.currency()
    const once = { amount_cents: 2000, currency, kind: 'one_time', interval: null, char_id: null }
    expect(await at.payments.price(at.oneTime)).toMatchObject(once)
    const monthly = { amount_cents: 900, kind: 'recurring', interval: 'month', char_id: at.charId }
    expect(await at.payments.price(at.monthly)).toMatchObject(monthly)
  })

  it.each(['', 'nothing', 'search', '..', '../account', 'a b', 'ä', '%00', '\u0000', 'long'])(
    'has nothing by the id %j',
    async (word) => {
      const id = word === 'long' ? 'x'.repeat(5000) : word
      const { payments } = at
      expect(await payments.price(id)).toBeUndefined()
      expect(await payments.checkout(id)).toBeUndefined()
      expect(await payments.subscription(id)).toBeUndefined()
      expect(await payments.invoice(id)).toBeUndefined()
      expect(await payments.paidInvoices(id)).toEqual([])
      expect(await payments.refundState(id)).toBeUndefined()
    },
  )

  it('has one customer for an account, however often it is asked', async () => {
    const { payments } = at
    const first = await payments.customer('acc_1')
    const again = await Promise.all([payments.customer('acc_1'), payments.customer('acc_1')])
    expect(again).toEqual([first, first])
    await at.clock.advance(3 * 86_400_000)
    expect(await payments.customer('acc_1')).toBe(first)
    expect(await payments.customer('acc_2')).not.toBe(first)
  })

  it('opens a page that waits for its payer until it expires', async () => {
    const expires_at = hours(2)
    const { session, url, expires_at: told } = await opened(at.oneTime, { expires_at })
    expect(URL.canParse(url)).toBe(true)
    expect(told).toBe(expires_at.toISOString())
    expect(await at.payments.checkout(session)).toEqual({ status: 'open' })
    await at.clock.advance(2 * 3_600_000)
    expect(await at.payments.checkout(session)).toEqual({ status: 'expired' })
  })

  it('opens one page under one key, also for many who ask at once', async () => {
    const terms = termsOf(await lineOf(at.oneTime))
    const pages = await Promise.all(
      Array.from({ length: 5 }, () => at.payments.openCheckout(terms)),
    )
    expect(new Set(pages.map(({ session }) => session)).size).toBe(1)
    await at.pay(pages[0]?.session ?? '')
    expect((await at.payments.openCheckout(terms)).session).toBe(pages[0]?.session)
    const other = await at.payments.openCheckout({ ...terms, id: 'chk_2' })
    expect(other.session).not.toBe(pages[0]?.session)
  })

  it('tells what was paid, in which currency and by whom', async () => {
    const customer = await at.payments.customer('acc_1')
    expect(await paid(at.oneTime, { customer, account_id: 'acc_1' })).toEqual({
      status: 'paid',
      payment: expect.any(String),
      amount_cents: 2000,
      currency: await at.payments.currency(),
      customer,
      subscription: null,
    })
  })

  it('takes an amount that we name from a buyer without an account', async () => {
    const { session } = await at.payments.openCheckout(termsOf(await named(123)))
    await at.pay(session)
    expect(await at.payments.checkout(session)).toMatchObject({
      status: 'paid',
      amount_cents: 123,
      currency: await at.payments.currency(),
      customer: null,
    })
  })

  it('names what is paid by any title, also by a very long one', async () => {
    const line = { ...(await named(100)), name: `${'x'.repeat(249)}😀 and more` }
    const { session } = await at.payments.openCheckout(termsOf(line))
    expect(await at.payments.checkout(session)).toEqual({ status: 'open' })
  })

  it('begins a subscription that says whose it is, and which agent it opens', async () => {
    const customer = await at.payments.customer('acc_1')
    const { subscription, ...first } = await paid(at.monthly, { customer, account_id: 'acc_1' })
    expect(first).toMatchObject({ payment: null, amount_cents: 900, customer })
    const state = await at.payments.subscription(subscription ?? '')
    expect(state).toEqual({
      id: subscription,
      status: 'active',
      account_id: 'acc_1',
      char_id: at.charId,
      price_id: at.monthly,
      customer,
      paid_until: expect.any(String),
    })
    expect(Date.parse(state?.paid_until ?? '')).toBeGreaterThan(hours(24 * 27).getTime())
  })

  it('makes a customer of a subscriber without an account', async () => {
    const { subscription, customer } = await paid(at.monthly)
    expect(customer).toEqual(expect.any(String))
    expect(await at.payments.subscription(subscription ?? '')).toMatchObject({
      status: 'active',
      account_id: null,
      customer,
    })
  })

  it('pays a subscription again and again, until it is ended', async () => {
    const { subscription } = await paid(at.monthly, { account_id: 'acc_1' })
    const id = subscription ?? ''
    const before = await at.payments.subscription(id)
    const first = await at.payments.paidInvoices(id)
    expect(first).toHaveLength(1)
    const renewed = await at.renew(id)
    expect(await at.payments.paidInvoices(id)).toEqual([renewed, ...first])
    const invoice = await at.payments.invoice(renewed)
    const after = await at.payments.subscription(id)
    expect(invoice).toMatchObject({ status: 'paid', amount_cents: 900, subscription: after })
    expect(Date.parse(after?.paid_until ?? '')).toBeGreaterThan(
      Date.parse(before?.paid_until ?? ''),
    )
    await at.cancel(id)
    expect(await at.payments.subscription(id)).toMatchObject({
      status: 'ended',
      char_id: at.charId,
    })
  })

  it('ends a subscription at once, and minds no other end of it', async () => {
    const { subscription } = await paid(at.monthly, { account_id: 'acc_1' })
    const id = subscription ?? ''
    await at.payments.endSubscription(id)
    expect(await at.payments.subscription(id)).toMatchObject({ status: 'ended' })
    await at.payments.endSubscription(id)
    await at.payments.endSubscription('sub_of_nobody')
    expect(await at.payments.subscription(id)).toMatchObject({ status: 'ended' })
    expect(await at.payments.paidInvoices(id)).toHaveLength(1)
  })

  it('gives a customer a page of its subscriptions', async () => {
    const customer = await at.payments.customer('acc_1')
    const first = await at.payments.openPortal(customer, 'https://abode.example/')
    const second = await at.payments.openPortal(customer, 'https://abode.example/')
    expect(URL.canParse(first.url)).toBe(true)
    expect(second.id).not.toBe(first.id)
  })

  it('gives back under one key once, also for many who ask at once', async () => {
    const payment = await charged()
    const asked = Array.from({ length: 5 }, () => at.payments.refund(payment, 500, 'rfd_1'))
    const refunds = await Promise.all(asked)
    expect(refunds).toEqual(refunds.map(() => ({ id: refunds[0]?.id, status: 'done' })))
    expect(await at.payments.refundState(refunds[0]?.id ?? '')).toEqual(refunds[0])
    await at.clock.advance(2 * 86_400_000)
    expect(await at.payments.refund(payment, 500, 'rfd_1')).toEqual(refunds[0])
    expect(await at.payments.refund(payment, 1500, 'rfd_2')).toMatchObject({ status: 'done' })
  })

  it('gives back no more than was paid', async () => {
    const payment = await charged()
    expect(await outcomeOf(at.payments.refund(payment, 2001, 'rfd_1'))).toBe('refused')
    await at.payments.refund(payment, 1999, 'rfd_2')
    expect(await outcomeOf(at.payments.refund(payment, 2, 'rfd_3'))).toBe('refused')
    await at.payments.refund(payment, 1, 'rfd_4')
    expect(await outcomeOf(at.payments.refund(payment, 1, 'rfd_5'))).toBe('refused')
  })

  it.each([0, -1, 0.5, Number.NaN])('gives back no amount of %j', async (amount) => {
    const payment = await charged()
    expect(await outcomeOf(at.payments.refund(payment, amount, 'rfd_1'))).toBe('refused')
    expect(await at.payments.refund(payment, 2000, 'rfd_2')).toMatchObject({ status: 'done' })
  })

  it.each(['', 'nothing', 'pi_nothing'])(
    'gives back nothing of the payment %j',
    async (payment) => {
      expect(await outcomeOf(at.payments.refund(payment, 100, 'rfd_1'))).toBe('refused')
    },
  )

  it('believes no webhook that the provider has not signed', async () => {
    const body = Buffer.from('{"id":"evt_1","type":"checkout.session.completed"}')
    for (const signature of [undefined, '', 't=1,v1=00', 'x']) {
      await expect(at.payments.event(body, signature)).rejects.toBeInstanceOf(SignatureWrong)
    }
  })
})
