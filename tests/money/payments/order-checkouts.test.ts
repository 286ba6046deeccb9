import { afterEach, beforeEach, describe, expect, it as itOnEach } from 'vitest'
import type { Order } from '#src/money/orders/order.ts'
import type { StoredCheckout } from '#src/money/payments/checkout.ts'
import { startWork, type Work } from '#src/work/work.ts'
import { expectBooksBalanced } from '#tests/support/books.ts'
import { order, orderThatIs, shopIn, type Shop } from '#tests/support/orders.ts'
import { stores } from '#tests/support/stores.ts'
import { onFirstStore } from '#tests/support/suite/first-store.ts'
import { desksOn, expectOwed, held, type Desk } from './desk.ts'

const hour = 3_600_000

describe.each(stores())('an order that is paid by Stripe on $name', (kind) => {
  const { it } = onFirstStore(kind)
  const open = desksOn(kind)
  let desk: Desk
  let work: Work
  let shop: Shop
  let made: Order
  let bought: StoredCheckout

  const ordered = async (task: object = {}): Promise<void> => {
    shop = await shopIn(desk.world, { price_cents: 300, ...task })
    made = (await order(desk.world, shop)).order
    bought = await desk.checkout(made.checkout?.id ?? '')
  }
  beforeEach(async () => {
    desk = await open()
    work = startWork(desk.world.ports, ['runner'], 2)
    await ordered()
  })
  afterEach(async () => {
    await work.stop()
    await expectBooksBalanced(desk.store)
    await desk.close()
  })

  const isRunOnce = async (): Promise<void> => {
    // Time stands still, so that no worker finds what another process has queued.
    desk.world.ports.wake.runs(1)
    await orderThatIs(desk.world, made, 'completed')
    await desk.passes(0)
    expect(await desk.store.runs.count({ char_id: shop.service.char_id })).toBe(1)
    expect(await held(desk.store, shop.seller.id)).toBe('300 available, 0 pending, 0 held')
    expect(await held(desk.store, made.id)).toBe('0 available, 0 pending, 0 held')
    expect([...desk.stripe.books.refunds]).toEqual([])
  }
  const isRefunded = async (cents = 300, currency = 'eur'): Promise<void> => {
    await orderThatIs(desk.world, made, 'refunded')
    const given = [...desk.stripe.books.refunds.values()]
    expect(given.map(({ amount }) => amount)).toEqual([cents])
    expect(await held(desk.store, shop.seller.id)).toBe('nothing')
    expect((await desk.checkout(bought.id)).status).toBe('refunded')
    await expectOwed(desk.store, 0, currency)
  }

  itOnEach('runs once, though two processes hear of it again and again', async () => {
    const other = await desk.another()
    const events = desk.stripe.books.pay(bought.session)
    const answers = await Promise.all([
      desk.hears([...events, ...events]),
      desk.hears([...events, ...events], other),
    ])
    expect(new Set(answers.flat())).toEqual(new Set(['received']))
    await isRunOnce()
  })

  it('is rated for the card that paid it, which counts once by whichever orders', async () => {
    const { books } = desk.stripe
    const rate = async (card: string | null, stars: number): Promise<void> => {
      made = (await order(desk.world, shop)).order
      bought = await desk.checkout(made.checkout?.id ?? '')
      books.card = card
      await desk.hears(books.pay(bought.session))
      desk.world.ports.wake.runs(1)
      await orderThatIs(desk.world, made, 'completed')
      const input = { order_id: made.id, token: made.token, stars }
      const rated = await desk.world.ask<object>('orders.rate', input)
      expect(JSON.stringify(rated)).not.toContain('fingerprint')
    }
    await rate('fingerprint-1', 5)
    await rate('fingerprint-1', 3)
    await rate('fingerprint-2', 1)
    await rate(null, 4)
    const { char_id } = shop.service
    expect(await desk.world.ask('public.tasks', { char_id })).toMatchObject({
      items: [{ rating_summary: { average: 2.67, count: 3 } }],
    })
  })

  it('runs although the event was lost', async () => {
    desk.stripe.books.pay(bought.session)
    await desk.passes(10_000)
    await isRunOnce()
  })

  it('waits for a bank, and runs when the money has come', async () => {
    await desk.hears(desk.stripe.books.payLater(bought.session))
    expect(await orderThatIs(desk.world, made, 'awaiting_payment')).toMatchObject({
      checkout: { status: 'pending' },
    })
    expect(await desk.store.runs.count({})).toBe(0)
    await desk.hears(desk.stripe.books.settle(bought.session))
    await isRunOnce()
  })

  it('waits for a bank, and runs when it is asked for after the money has arrived', async () => {
    await desk.hears(desk.stripe.books.payLater(bought.session))
    desk.stripe.books.settle(bought.session)
    const { order: asked } = await order(desk.world, shop, { checkout_id: bought.id })
    expect(asked).toMatchObject({ id: made.id, checkout: { status: 'paid' } })
    await isRunOnce()
  })

  it('has expired when the bank does not bring the money', async () => {
    await desk.hears(desk.stripe.books.payLater(bought.session))
    await desk.hears(desk.stripe.books.bounce(bought.session))
    await orderThatIs(desk.world, made, 'expired')
    expect((await desk.checkout(bought.id)).status).toBe('failed')
  })

  it('has expired with its page, although no event said so', async () => {
    await desk.passes(24 * hour)
    await orderThatIs(desk.world, made, 'expired')
    expect((await desk.checkout(bought.id)).status).toBe('expired')
  })

  it('is told of as expired though Stripe is away', async () => {
    await desk.passes(24 * hour)
    desk.stripe.misbehave('unauthenticated')
    const { error } = await order(desk.world, shop, { checkout_id: bought.id })
    expect(error).toMatchObject({ code: 'payment_required', id: made.id, status: 'expired' })
  })

  it.each([{ amount_total: 1 }, { amount_total: 5000 }, { currency: 'jpy' }])(
    'does not run for anything else than its price: %o',
    async (paid) => {
      await desk.hears(desk.stripe.books.pay(bought.session, paid))
      await isRefunded(paid.amount_total, paid.currency)
      expect(await desk.store.runs.count({})).toBe(0)
    },
  )

  it('is refunded where the service is closed before it is paid', async () => {
    const { char_id, task_id } = shop.service
    const closed = { char_id, task_id, task: { service_enabled: false } }
    await desk.world.ask('tasks.update', closed, shop.seller.key)
    await desk.hears(desk.stripe.books.pay(bought.session))
    await isRefunded()
  })

  it('is refunded once where its run fails, though Stripe does not say that it did it', async () => {
    await ordered({ prompt: 'Drawn: {{missing}}' })
    await desk.hears(desk.stripe.books.pay(bought.session))
    desk.stripe.misbehave('done_broken', { at: 'POST /v1/refunds' })
    await orderThatIs(desk.world, made, 'refunding')
    await desk.passes(0)
    expect(await desk.refund()).toMatchObject({ status: 'unknown', order_id: made.id })
    await desk.passes(hour)
    await isRefunded()
  })

  it('is refunded where the order no longer exists', async () => {
    await desk.store.orders.delete({ id: made.id })
    await desk.hears(desk.stripe.books.pay(bought.session))
    await desk.passes(0)
    expect(await desk.refund()).toMatchObject({ status: 'done', amount_cents: 300 })
    await expectOwed(desk.store, 0)
  })
})
