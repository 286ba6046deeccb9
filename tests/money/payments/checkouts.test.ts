import { afterEach, beforeEach, describe, expect, it as itOnEach } from 'vitest'
import { expectBooksBalanced } from '#tests/support/books.ts'
import { oneStore, stores } from '#tests/support/stores.ts'
import { onFirstStore } from '#tests/support/suite/first-store.ts'
import type { StoredCheckout } from '#src/money/payments/checkout.ts'
import { PaymentsFailed } from '#src/ports/payments.ts'
import { bookingOf } from '#src/money/wallet/booking-writes.ts'
import type { Movement } from '#src/money/wallet/movement.ts'
import { paymentsDue } from '#src/work/payments.ts'
import { desksOn, expectOwed, held, holdBack, lines, type Desk } from './desk.ts'

const hour = 3_600_000

describe.each(stores())('a top-up by Stripe on $name', (kind) => {
  const { it } = onFirstStore(kind)
  const open = desksOn(kind)
  let desk: Desk
  let account: { key: string; id: string }
  let bought: StoredCheckout

  beforeEach(async () => {
    desk = await open()
    account = await desk.world.account()
    const price = desk.stripe.addPrice({ amount: 1500 })
    bought = await desk.buys(account.key, price)
  })
  afterEach(async () => {
    await expectBooksBalanced(desk.store)
    await desk.close()
  })

  const status = async (): Promise<string> => (await desk.checkout(bought.id)).status
  const isPaidOnce = async (): Promise<void> => {
    expect(await status()).toBe('paid')
    expect(await held(desk.store, account.id)).toBe('1500 available, 0 pending, 0 held')
    expect(await lines(desk.store, account.id)).toEqual(['top_up 1500 posted'])
  }

  it('fills the wallet once, however often the event comes', async () => {
    const events = desk.stripe.books.pay(bought.session)
    const answers = await desk.hears([...events, ...events])
    expect(new Set(answers)).toEqual(new Set(['received']))
    await desk.passes(hour)
    await isPaidOnce()
    const [line] = await desk.store.wallet_transactions.find({ wallet: account.id })
    expect(line).toMatchObject({ reference: bought.id, balance_after_cents: 1500 })
  })

  itOnEach(
    'fills the wallet once when the event comes to two processes at the same time',
    async () => {
      const other = await desk.another()
      const events = desk.stripe.books.pay(bought.session)
      const many = Array.from({ length: 6 }, (_, nth) =>
        desk.hears(events, nth % 2 === 0 ? other : desk.world),
      )
      const answers = await Promise.all(many)
      expect(new Set(answers.flat())).toEqual(new Set(['received']))
      await isPaidOnce()
    },
  )

  it('fills the wallet although the event was lost', async () => {
    desk.stripe.books.pay(bought.session)
    await desk.passes(9000)
    expect(await status()).toBe('open')
    await desk.passes(1000)
    await isPaidOnce()
    expect((await desk.checkout(bought.id)).due_at).toBeNull()
  })

  itOnEach('is looked at by one of two processes, and settled once', async () => {
    const other = await desk.another()
    desk.stripe.books.pay(bought.session)
    desk.clock.set(desk.clock.now().getTime() + 10_000)
    const now = desk.clock.now()
    const taken = await Promise.all(
      [desk.world, other, desk.world, other].map(({ ports }) => paymentsDue(ports, now)),
    )
    expect(taken.reduce((sum, one) => sum + one)).toBe(1)
    await isPaidOnce()
  })

  it('is checked more and more rarely while unpaid, and a last time when it expires', async () => {
    const looks = async (): Promise<number> => (await desk.checkout(bought.id)).looks
    for (let i = 0; i < 10; i++) await desk.passes(60_000)
    const inTenMinutes = await looks()
    expect(inTenMinutes).toBeLessThan(8)
    for (let i = 0; i < 21; i++) await desk.passes(hour)
    expect(await looks()).toBeLessThan(inTenMinutes + 25)
    const left = (): number => Date.parse(bought.expires_at) - desk.clock.now().getTime()
    while (left() > 0) await desk.passes(Math.min(60_000, left()))
    expect(await status()).toBe('open')
    await desk.passes(1000)
    expect(await status()).toBe('expired')
    const { due_at, looks: last } = await desk.checkout(bought.id)
    expect(due_at).toBeNull()
    await desk.passes(24 * hour)
    expect(await looks()).toBe(last)
    expect(await held(desk.store, account.id)).toBe('nothing')
  })

  it('is paid all the same where it was taken to have expired', async () => {
    const events = desk.stripe.books.expire(bought.session)
    await desk.hears(events)
    expect(await status()).toBe('expired')
    const session = desk.stripe.books.sessions.get(bought.session)
    if (session) session.status = 'open'
    await desk.hears(desk.stripe.books.pay(bought.session))
    await isPaidOnce()
  })

  it('shows money that a bank has yet to bring, and then has it', async () => {
    await desk.hears(desk.stripe.books.payLater(bought.session))
    expect(await status()).toBe('pending')
    expect(await held(desk.store, account.id)).toBe('0 available, 1500 pending, 0 held')
    expect(await lines(desk.store, account.id)).toEqual(['top_up 1500 pending'])
    await expectBooksBalanced(desk.store)
    await desk.hears(desk.stripe.books.settle(bought.session))
    await isPaidOnce()
  })

  it('shows money that a bank does not bring as failed', async () => {
    await desk.hears(desk.stripe.books.payLater(bought.session))
    await desk.hears(desk.stripe.books.bounce(bought.session))
    expect(await status()).toBe('failed')
    expect(await held(desk.store, account.id)).toBe('0 available, 0 pending, 0 held')
    expect(await lines(desk.store, account.id)).toEqual(['top_up 1500 failed'])
  })

  it('finds by itself what became of money that was under way', async () => {
    await desk.hears(desk.stripe.books.payLater(bought.session))
    desk.stripe.books.settle(bought.session)
    await desk.passes(hour)
    await isPaidOnce()
  })

  it('ends the same for any order of the events', async () => {
    const first = desk.stripe.books.payLater(bought.session)
    const second = desk.stripe.books.settle(bought.session)
    await desk.hears([...second, ...first, ...second])
    await isPaidOnce()
  })

  itOnEach('ends the same when the news of both come at once to two processes', async () => {
    const other = await desk.another()
    const first = desk.stripe.books.payLater(bought.session)
    const [, second] = await Promise.all([
      desk.hears(first, other),
      desk.hears(desk.stripe.books.settle(bought.session)),
    ])
    expect(new Set(second)).toEqual(new Set(['received']))
    await isPaidOnce()
  })

  it.each(['pending', 'expired'] as const)(
    'stays paid where an answer is acted upon that was %s before',
    async (before) => {
      const { books } = desk.stripe
      const old =
        before === 'pending' ? books.payLater(bought.session) : books.expire(bought.session)
      const answer = holdBack(desk.world.ports.payments, 'checkout')
      const late = desk.hears(old.slice(-1))
      await answer.reached
      if (before === 'expired') {
        const session = books.sessions.get(bought.session)
        if (session) session.status = 'open'
      }
      await desk.hears(
        before === 'pending' ? books.settle(bought.session) : books.pay(bought.session),
      )
      answer.go()
      expect(await late).toEqual(['received'])
      await isPaidOnce()
    },
  )

  it.each([{ amount_total: 1 }, { amount_total: 9_000 }, { currency: 'jpy' }])(
    'gives back what is not what was asked for: %o',
    async (paid) => {
      await desk.hears(desk.stripe.books.pay(bought.session, paid))
      const { amount_total: cents = 1500, currency = 'eur' } = paid
      expect(await status()).toBe('refunded')
      expect(await held(desk.store, account.id)).toBe('nothing')
      await expectOwed(desk.store, cents, currency)
      expect(desk.logged).toContain('a payment is not what was asked for, and is refunded')
      await desk.passes(0)
      expect(await desk.refund()).toMatchObject({ status: 'done', amount_cents: cents })
      const given = [...desk.stripe.books.refunds.values()]
      expect(given.map(({ amount }) => amount)).toEqual([cents])
      await expectOwed(desk.store, 0, currency)
    },
  )

  it('gives back what is not what was asked for after it was under way as that', async () => {
    await desk.hears(desk.stripe.books.payLater(bought.session))
    const session = desk.stripe.books.sessions.get(bought.session)
    if (session) session.amount_total = 1400
    await desk.hears(desk.stripe.books.settle(bought.session))
    expect(await held(desk.store, account.id)).toBe('0 available, 0 pending, 0 held')
    expect(await lines(desk.store, account.id)).toEqual(['top_up 1500 failed'])
    await expectOwed(desk.store, 1400)
  })

  it('gives back what the wallet cannot take, since it is kept in another currency', async () => {
    const of = { wallet: account.id, amount_cents: 5, description: 'Top-up' }
    const before: Movement = {
      cause: 'before',
      currency: 'usd',
      postings: [
        { account: account.id, bucket: 'available', amount_cents: 5 },
        { account: 'provider/test', bucket: 'available', amount_cents: -5 },
      ],
      lines: [{ ...of, kind: 'top_up' }],
    }
    await desk.store.commit(await bookingOf(desk.store, [before], desk.clock.now()))
    await desk.hears(desk.stripe.books.payLater(bought.session))
    expect(await status()).toBe('pending')
    await desk.hears(desk.stripe.books.settle(bought.session))
    expect(await status()).toBe('refunded')
    expect(await held(desk.store, account.id)).toBe('5 available, 0 pending, 0 held')
    await desk.passes(0)
    expect(await desk.refund()).toMatchObject({ status: 'done', amount_cents: 1500 })
  })

  it('tells the tasks of the account that it has been credited', async () => {
    const { world } = desk
    const character = { id: 'ada', name: 'Ada' }
    await world.ask('characters.create', { character }, account.key)
    const trigger = { type: 'event', event: 'wallet.credited' }
    const task = { task_id: 'thank', name: 'Thank', prompt: 'Thanks', triggers: [trigger] }
    await world.ask('tasks.create', { char_id: 'ada', task }, account.key)
    await desk.hears(desk.stripe.books.pay(bought.session))
    const events = await desk.store.events.find({ type: 'wallet.credited' })
    expect(events.map(({ data }) => data)).toEqual([
      expect.objectContaining({
        amount_cents: 1500,
        currency: 'eur',
        kind: 'top_up',
        balance_cents: 1500,
        reference: bought.id,
      }),
    ])
  })

  it('asks Stripe to send an event again that could not be looked up', async () => {
    const events = desk.stripe.books.pay(bought.session)
    desk.stripe.misbehave('limited')
    expect(await desk.hears(events.slice(-1))).toEqual(['provider_unavailable'])
    expect(await status()).toBe('open')
    expect(await desk.hears(events.slice(-1))).toEqual(['received'])
    await isPaidOnce()
  })
})

describe.each(oneStore())('a page at Stripe on $name', (kind) => {
  const open = desksOn(kind)
  let desk: Desk
  beforeEach(async () => {
    desk = await open()
  })
  afterEach(() => desk.close())

  itOnEach('is opened once for one idempotency key', async () => {
    const { key } = await desk.world.account()
    const input = { price_id: desk.stripe.addPrice() }
    const operation = desk.world.core.catalog.find(
      ({ name }) => name === 'payments.create_checkout_session',
    )
    if (!operation) throw new Error('it is not there')
    const call = { operation, input, credential: key, idempotencyKey: 'one', address: '127.0.0.0' }
    const texts = new Set<string | undefined>()
    const first = await desk.world.core.serve({ ...call, requestId: 'test' })
    texts.add(first.answer?.text)
    texts.add((await desk.world.core.serve({ ...call, requestId: 'test' })).answer?.text)
    expect([...texts]).toEqual([expect.stringContaining('chk_')])
    expect(await desk.store.checkouts.count({})).toBe(1)
  })

  itOnEach('leaves nothing behind where Stripe is away', async () => {
    const { key } = await desk.world.account()
    const price_id = desk.stripe.addPrice()
    desk.stripe.misbehave('broken', { at: 'POST /v1/checkout/sessions', times: 9 })
    const error = await desk.world.refusal('payments.create_checkout_session', { price_id }, key)
    expect(error.code).toBe('provider_unavailable')
    expect(JSON.stringify(error)).not.toContain(desk.stripe.secretKey)
    expect(await desk.store.checkouts.count({})).toBe(0)
  })

  itOnEach('is not to be tried again where Stripe refuses it, which its text says', async () => {
    const { key } = await desk.world.account()
    const price_id = desk.stripe.addPrice()
    const openCheckout = async (): Promise<never> => {
      throw new PaymentsFailed('the amount is below what Stripe takes', 'refused')
    }
    Object.assign(desk.world.ports.payments, { openCheckout })
    const error = await desk.world.refusal('payments.create_checkout_session', { price_id }, key)
    expect(error).toMatchObject({
      code: 'provider_unavailable',
      detail: 'The payment provider refused the request.',
    })
    expect(error.hint).toMatch(/Repeating the same request does not help/)
    expect(error).not.toHaveProperty('retry_after_s')
  })

  itOnEach(
    'leads back to where a payment ends, and is for the customer of the account',
    async () => {
      const { key, id } = await desk.world.account()
      await desk.buys(key, desk.stripe.addPrice())
      const asked = desk.stripe.asked.find(({ at }) => at === 'POST /v1/checkout/sessions')
      expect(JSON.stringify(asked?.form)).toContain('http://127.0.0.1:8080/pay/done')
      expect(JSON.stringify(asked?.form)).toContain('http://127.0.0.1:8080/pay/cancelled')
      expect(JSON.stringify(asked?.form)).toContain(id)
      const portal = await desk.world.ask<{ url: string }>(
        'payments.create_portal_session',
        {},
        key,
      )
      expect(portal.url).toMatch(/^https?:/)
      expect(desk.stripe.books.customers.size).toBe(1)
    },
  )
})
