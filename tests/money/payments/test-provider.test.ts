import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { testPrices } from '#adapters/payments/test/prices.ts'
import { openTestPayments } from '#adapters/payments/test/provider.ts'
import { paySession } from '#adapters/payments/test/sessions.ts'
import { endSubscription } from '#adapters/payments/test/subscriptions.ts'
import { randomHex } from '#src/core/ids.ts'
import { PaymentsFailed, SignatureWrong, type PaymentEvent } from '#src/ports/payments.ts'
import type { Store } from '#src/ports/store.ts'
import { fakeClock, type FakeClock } from '#tests/support/fake-clock.ts'
import { stores } from '#tests/support/stores.ts'
import { until } from '#tests/support/until.ts'

const day = 86_400_000
const monthly = testPrices.find(({ kind }) => kind === 'recurring')
const topUp = testPrices.find(({ kind }) => kind === 'one_time')
if (!monthly || !topUp) throw new Error('the default prices lack a kind')

describe.each(stores())('the test provider on $name', (kind) => {
  let store: Store
  let clock: FakeClock
  let told: PaymentEvent[]
  let isDeaf: boolean
  let account: string
  beforeAll(async () => {
    store = await kind.open()
  })
  afterAll(() => store.close())
  beforeEach(() => {
    clock = fakeClock()
    told = []
    isDeaf = false
    account = `acc_${randomHex(8)}`
  })

  const terms = () => ({
    store,
    clock,
    tell: async (event: PaymentEvent) => {
      if (isDeaf) throw new Error('no one listens')
      told.push(event)
    },
  })
  const provider = () =>
    openTestPayments({
      ...terms(),
      prices: testPrices,
      currency: 'usd',
      publicUrl: () => 'https://abode.example',
    })
  const opened = async (line = { price: topUp }, id = `chk_${randomHex(8)}`) =>
    provider().openCheckout({
      id,
      line,
      customer: await provider().customer(account),
      account_id: account,
      done_url: 'https://abode.example/pay/done',
      cancel_url: 'https://abode.example/pay/cancelled',
      expires_at: new Date(clock.now().getTime() + day),
    })
  const subscribed = async () => {
    const { session } = await opened({ price: monthly })
    const state = await paySession(terms(), session)
    if (state?.status !== 'paid' || state.subscription === null) throw new Error('not subscribed')
    return state.subscription
  }
  const invoicesTold = () => told.flatMap((e) => (e.about === 'invoice' ? [e.object] : []))
  const failed = (outcome: string) =>
    expect.toSatisfy((e) => e instanceof PaymentsFailed && e.outcome === outcome)

  it('opens one page for a key, also for many who ask at once', async () => {
    const all = await Promise.all(
      Array.from({ length: 8 }, () => opened({ price: topUp }, `chk_of_${account}`)),
    )
    expect(new Set(all.map(({ session }) => session)).size).toBe(1)
    expect(all[0]?.url).toBe(`https://abode.example/pay/${all[0]?.session}`)
    expect(await provider().checkout(all[0]?.session ?? '')).toEqual({ status: 'open' })
  })

  it('is paid once by many who pay at once', async () => {
    const { session } = await opened()
    const states = await Promise.all(Array.from({ length: 8 }, () => paySession(terms(), session)))
    expect(new Set(states.map((state) => JSON.stringify(state))).size).toBe(1)
    expect(states[0]).toMatchObject({ status: 'paid', amount_cents: 500, currency: 'usd' })
    expect(await store.test_payments.count({ kind: 'charge', customer: customerOf() })).toBe(1)
    expect(told.filter(({ about }) => about === 'checkout')).toHaveLength(1)
  })
  const customerOf = () => `test_customer_${account}`

  it('takes nothing once a page has expired, and knows of no other', async () => {
    const { session } = await opened()
    await clock.advance(day)
    expect(await paySession(terms(), session)).toEqual({ status: 'expired' })
    expect(await provider().checkout(session)).toEqual({ status: 'expired' })
    const payments = provider()
    const { id: portal } = await payments.openPortal(customerOf(), 'https://abode.example/')
    for (const unknown of ['test_session_0', '', portal]) {
      expect(await payments.checkout(unknown)).toBeUndefined()
      expect(await payments.subscription(unknown)).toBeUndefined()
      expect(await payments.invoice(unknown)).toBeUndefined()
      expect(await payments.refundState(unknown)).toBeUndefined()
    }
  })

  it('is paid although its events are lost', async () => {
    isDeaf = true
    const { session } = await opened()
    expect(await paySession(terms(), session)).toMatchObject({ status: 'paid' })
  })

  it('gives back once for a key, never more than was paid', async () => {
    const { session } = await opened()
    const state = await paySession(terms(), session)
    const payment = (state?.status === 'paid' && state.payment) || ''
    const payments = provider()
    const key = `rfd_${account}`
    const all = await Promise.all(
      Array.from({ length: 6 }, () => payments.refund(payment, 200, key)),
    )
    expect(new Set(all.map(({ id }) => id)).size).toBe(1)
    expect(await payments.refundState(all[0]?.id ?? '')).toEqual({ id: all[0]?.id, status: 'done' })
    await expect(payments.refund(payment, 100, key)).rejects.toEqual(failed('refused'))
    await expect(payments.refund(payment, 301, `${key}b`)).rejects.toEqual(failed('refused'))
    for (const cents of [0, -1, 0.5, Number.NaN]) {
      await expect(payments.refund(payment, cents, `${key}c`)).rejects.toEqual(failed('refused'))
    }
    expect(await payments.refund(payment, 300, `${key}d`)).toMatchObject({ status: 'done' })
    await expect(payments.refund('test_charge_0', 1, key)).rejects.toEqual(failed('refused'))
  })

  it('of many refunds at once gives back no more than was paid', async () => {
    const { session } = await opened()
    const state = await paySession(terms(), session)
    const payment = (state?.status === 'paid' && state.payment) || ''
    const all = await Promise.allSettled(
      Array.from({ length: 8 }, (_, i) => provider().refund(payment, 100, `${account}/${i}`)),
    )
    expect(all.filter(({ status }) => status === 'fulfilled')).toHaveLength(5)
  })

  it('begins a subscription with an invoice, and renews it when its time has run out', async () => {
    const id = await subscribed()
    expect(await provider().subscription(id)).toMatchObject({
      status: 'active',
      account_id: account,
      price_id: monthly.id,
      paid_until: '2026-04-01T12:00:00.000Z',
    })
    await until(() => invoicesTold().length === 1)
    await clock.advance(31 * day)
    expect(await provider().subscription(id)).toMatchObject({
      paid_until: '2026-05-01T12:00:00.000Z',
    })
    await clock.advance(61 * day)
    expect(await provider().subscription(id)).toMatchObject({
      status: 'active',
      paid_until: '2026-07-01T12:00:00.000Z',
    })
    await until(() => invoicesTold().length === 4)
    expect(new Set(invoicesTold()).size).toBe(4)
    for (const invoice of invoicesTold()) {
      expect(await provider().invoice(invoice)).toMatchObject({
        status: 'paid',
        amount_cents: monthly.amount_cents,
        subscription: { id },
      })
    }
  })

  it('renews once for each interval, also for many who ask at once', async () => {
    const id = await subscribed()
    await clock.advance(40 * day)
    await Promise.all(Array.from({ length: 6 }, () => provider().subscription(id)))
    expect(await store.test_payments.count({ kind: 'invoice', customer: customerOf() })).toBe(2)
  })

  it('renews nothing that was cancelled', async () => {
    const id = await subscribed()
    expect(await endSubscription(terms(), id)).toBe(true)
    expect(await endSubscription(terms(), id)).toBe(false)
    expect(told.at(-1)).toMatchObject({ about: 'subscription', object: id })
    await clock.advance(100 * day)
    expect(await provider().subscription(id)).toMatchObject({
      status: 'ended',
      paid_until: '2026-04-01T12:00:00.000Z',
    })
    expect(await store.test_payments.count({ kind: 'invoice', customer: customerOf() })).toBe(1)
  })

  it('repeats the event of an invoice until it is received', async () => {
    isDeaf = true
    const id = await subscribed()
    isDeaf = false
    expect(invoicesTold()).toEqual([])
    await until(async () => {
      await provider().subscription(id)
      return invoicesTold().length > 0
    })
    const untold = async () => {
      const kept = await store.test_payments.get(id)
      return kept?.kind === 'subscription' ? kept.untold : []
    }
    await until(async () => (await untold()).length === 0)
    await provider().subscription(id)
    expect(invoicesTold()).toHaveLength(1)
  })

  it('leaves but a few portals behind', async () => {
    const payments = provider()
    await payments.openPortal(customerOf(), 'https://abode.example/')
    await clock.advance(day)
    await payments.openPortal(customerOf(), 'https://abode.example/')
    expect(await store.test_payments.count({ kind: 'portal', customer: customerOf() })).toBe(1)
  })

  it('has signed no webhook', async () => {
    await expect(provider().event(Buffer.from('{}'), 'sig')).rejects.toBeInstanceOf(SignatureWrong)
  })
})
