import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { paySession } from '#adapters/payments/test/sessions.ts'
import type { Order } from '#src/money/orders/order.ts'
import { settleCheckout } from '#src/money/payments/settle-checkout.ts'
import type { Payments } from '#src/ports/payments.ts'
import type { Store } from '#src/ports/store.ts'
import { expectBooksBalanced } from '#tests/support/books.ts'
import { fakeClock, type FakeClock } from '#tests/support/fake-clock.ts'
import {
  marketOn,
  order,
  orderThatIs,
  pay,
  payAndTell,
  settleAll,
  shopIn,
  topUp,
  walletOf,
  type Shop,
  type Party,
} from '#tests/support/orders.ts'
import { oneStore } from '#tests/support/stores.ts'
import { until } from '#tests/support/until.ts'
import { openWorld, noQuotas, type World } from '#tests/support/world.ts'

const price_cents = 300
/** Nothing gives the prompt what it names. */
const failing = { price_cents, prompt: '{{missing}}' }
/** Its runs wait for an agent. */
const leased = { price_cents, runtime: 'prompt' }
const gate = { requires_approval: true }

describe.each(oneStore())('refunds of orders on $name', (kind) => {
  let store: Store
  let world: World
  let buyer: Party
  marketOn(kind, (market) => {
    ;({ store, world } = market)
  })
  beforeEach(async () => {
    buyer = await world.account()
    await topUp(world, buyer)
  })

  /** A paid order: by the wallet of the buyer, or at a checkout without an account. */
  const paid = async (shop: Shop, by: 'wallet' | 'checkout'): Promise<Order> => {
    const key = by === 'wallet' ? { key: buyer.key } : {}
    const { order: made } = await order(world, shop, key)
    if (by === 'checkout') await payAndTell(world, made.checkout?.id ?? '')
    return made
  }

  const ways = ['wallet', 'checkout'] as const

  const expectBack = async (made: Order, shop: Shop, by: (typeof ways)[number]): Promise<void> => {
    expect(await walletOf(world, buyer.id)).toEqual({ available: 500, held: 0 })
    expect(await walletOf(world, shop.seller.id)).toEqual({ available: 0, held: 0 })
    expect(await walletOf(world, made.id)).toEqual({ available: 0, held: 0 })
    const refunds = await store.refunds.find({ order_id: made.id })
    const expected = { status: 'done', amount_cents: price_cents }
    expect(refunds).toMatchObject(by === 'wallet' ? [] : [expected])
    const own = await store.wallet_transactions.find({ reference: made.id })
    const wallet = by === 'wallet' ? buyer.id : made.id
    const kinds = by === 'wallet' ? ['hold', 'release'] : ['hold', 'refund', 'release']
    const ofPayer = own.filter((line) => line.wallet === wallet)
    expect(ofPayer.map((line) => line.kind).toSorted()).toEqual(kinds)
    expect(new Set(own.map(({ status }) => status))).toEqual(new Set(['posted']))
  }

  test.each(ways)('a run that fails gives back what was paid by the %s', async (by) => {
    const shop = await shopIn(world, failing)
    const made = await paid(shop, by)
    const back = await orderThatIs(world, made, 'refunded')
    // What went wrong inside is told to the seller alone.
    expect(back).toMatchObject({ error: { code: 'failed' }, output: null, artifacts: [] })
    expect(JSON.stringify(back)).not.toContain('missing')
    expect(back.checkout?.status).toBe(by === 'checkout' ? 'refunded' : undefined)
    await expectBack(made, shop, by)
  })

  test('a run that fails and cost nothing has failed', async () => {
    const shop = await shopIn(world, { ...failing, price_cents: null })
    const { order: made } = await order(world, shop)
    expect(await orderThatIs(world, made, 'failed')).toMatchObject({ error: { code: 'failed' } })
  })

  const waitingApproval = async (shop: Shop): Promise<string> => {
    let id: string | null = null
    const waiting = { char_id: shop.service.char_id, status: 'waiting_approval' } as const
    await until(async () => {
      const [run] = await store.runs.find(waiting)
      id = run?.approval_id ?? null
      return id !== null
    })
    return id ?? ''
  }

  const decide = async (shop: Shop, decision: 'approve' | 'reject'): Promise<void> => {
    const approval_id = await waitingApproval(shop)
    await world.ask('approvals.decide', { approval_id, decision }, shop.seller.key)
  }

  test.each(['abandon', 'notify_only'])(
    'an approval turned down (%s) gives it back',
    async (how) => {
      const shop = await shopIn(world, { price_cents, approval_gate: { ...gate, on_reject: how } })
      const made = await paid(shop, 'checkout')
      await decide(shop, 'reject')
      const back = await orderThatIs(world, made, 'refunded')
      expect(back.error).toMatchObject({ code: 'not_approved' })
      await expectBack(made, shop, 'checkout')
    },
  )

  test('an order that was approved is delivered by the run that goes on', async () => {
    const shop = await shopIn(world, { price_cents, approval_gate: gate })
    const made = await paid(shop, 'wallet')
    const before = await world.ask<Order>('orders.get', { order_id: made.id }, buyer.key)
    await decide(shop, 'approve')
    const done = await orderThatIs(world, made, 'completed')
    expect(done.output).toContain('Drawn')
    expect(done.run_id).not.toBe(before.run_id)
    await settleAll(world)
    expect(await walletOf(world, shop.seller.id)).toEqual({ available: price_cents, held: 0 })
  })

  test.each(ways)('a cancelled run gives back what was paid by the %s', async (by) => {
    const shop = await shopIn(world, leased)
    const made = await paid(shop, by)
    const [run] = await store.runs.find({ char_id: shop.service.char_id })
    await world.ask('runs.cancel', { run_id: run?.id }, shop.seller.key)
    const back = await orderThatIs(world, made, 'refunded')
    expect(back.error).toMatchObject({ code: 'cancelled' })
    await expectBack(made, shop, by)
  })

  test('a deleted agent leaves its orders, and what was paid for them goes back', async () => {
    const shop = await shopIn(world, leased)
    const made = await paid(shop, 'wallet')
    const unpaid = await order(world, shop)
    await world.ask('characters.delete', { char_id: shop.service.char_id }, shop.seller.key)
    await orderThatIs(world, made, 'refunded')
    await payAndTell(world, unpaid.order.checkout?.id ?? '')
    const late = await orderThatIs(world, unpaid.order, 'refunded')
    expect(late).toMatchObject({ error: { code: 'service_closed' }, run_id: null })
  })

  const closings: [string, (shop: Shop) => Promise<unknown>][] = [
    ['deleted', ({ seller, service }) => world.ask('tasks.delete', service, seller.key)],
    [
      'switched off',
      ({ seller, service }) =>
        world.ask('tasks.update', { ...service, task: { enabled: false } }, seller.key),
    ],
    [
      'no longer public',
      ({ seller, service }) =>
        world.ask('tasks.update', { ...service, task: { public: false } }, seller.key),
    ],
  ]
  test.each(closings)(
    'a task that is %s before it is paid gives it back at once',
    async (_, close) => {
      const shop = await shopIn(world, { price_cents })
      const { order: made } = await order(world, shop)
      await close(shop)
      await payAndTell(world, made.checkout?.id ?? '')
      const back = await orderThatIs(world, made, 'refunded')
      expect(back).toMatchObject({ error: { code: 'service_closed' }, run_id: null })
      expect(await store.runs.count({ char_id: shop.service.char_id })).toBe(0)
      expect(await walletOf(world, made.id)).toEqual({ available: 0, held: 0 })
    },
  )

  test('an agent that leases the run of an order delivers it', async () => {
    const shop = await shopIn(world, leased)
    const made = await paid(shop, 'checkout')
    const { char_id } = shop.service
    const lease = await world.ask<{ run: { id: string }; lease_token: string }>(
      'runs.lease',
      { char_id },
      shop.seller.key,
    )
    const { lease_token } = lease
    const artifacts = [{ name: 'portrait.txt', content: ':-)' }]
    const result = { run_id: lease.run.id, lease_token, output: 'A portrait', artifacts }
    await world.ask('runs.complete', result, shop.seller.key)
    const done = await orderThatIs(world, made, 'completed')
    expect(done).toMatchObject({ output: 'A portrait', artifacts, run_id: lease.run.id })
    await settleAll(world)
    expect(await walletOf(world, shop.seller.id)).toEqual({ available: price_cents, held: 0 })
  })

  test('what an ordered run sets off itself ends no order', async () => {
    const shop = await shopIn(world, { price_cents, runtime: 'workflow', workflow_entry: 'sketch' })
    const { char_id } = shop.service
    const step = { task_id: 'sketch', name: 'Sketch', runtime: 'template', prompt: 'A sketch' }
    await world.ask('tasks.create', { char_id, task: { ...step, order: 1 } }, shop.seller.key)
    const made = await paid(shop, 'wallet')
    const done = await orderThatIs(world, made, 'completed')
    expect(done).toMatchObject({ output: 'A sketch', run_id: made.run_id })
  })
})

describe.each(oneStore())('orders that are left unfinished on $name', (kind) => {
  let store: Store
  let clock: FakeClock
  beforeEach(async () => {
    store = await kind.open()
    clock = fakeClock()
  })
  afterEach(async () => {
    await expectBooksBalanced(store)
    await store.close()
  })

  test('expire with their checkout, and can be paid no more', async () => {
    const world = openWorld(store, { clock })
    const shop = await shopIn(world, { price_cents })
    const { order: made } = await order(world, shop)
    await clock.advance(24 * 3_600_000)
    await settleAll(world)
    const seen = await world.ask('orders.get', { order_id: made.id, token: made.token })
    expect(seen).toMatchObject({ status: 'expired', checkout: { status: 'expired' } })
    await pay(world, made.checkout?.id ?? '')
    const late = await order(world, shop, { checkout_id: made.checkout?.id ?? '' })
    expect(late.error).toMatchObject({ code: 'payment_required', status: 'expired' })
    await clock.advance(8 * 24 * 3_600_000)
    await settleAll(world)
    const { id: order_id, token } = made
    expect((await world.refusal('orders.get', { order_id, token })).code).toBe('order_not_found')
    expect(await store.checkouts.count({})).toBe(0)
  })

  test('are refunded where they are paid so late that the service is gone', async () => {
    let isPaid = false
    const own = openWorld(store, { clock }).ports.payments
    const checkout: Payments['checkout'] = async (session) => {
      if (!isPaid) return { status: 'expired' }
      await paySession({ store, clock }, session)
      return own.checkout(session)
    }
    const world = openWorld(store, { clock, payments: { ...own, checkout } })
    const shop = await shopIn(world, { price_cents })
    const { order: made } = await order(world, shop)
    const checkout_id = made.checkout?.id ?? ''
    expect((await order(world, shop, { checkout_id })).error).toMatchObject({ status: 'expired' })
    await world.ask('tasks.delete', shop.service, shop.seller.key)
    isPaid = true
    await settleCheckout(world.ports, checkout_id)
    await settleAll(world)
    await clock.advance(8 * 24 * 3_600_000)
    await settleAll(world)
    const { id: order_id, token } = made
    const seen = await world.ask('orders.get', { order_id, token })
    expect(seen).toMatchObject({ status: 'refunded', error: { code: 'service_closed' } })
  })

  test('are refunded where their run has vanished, and looked after where its end was missed', async () => {
    const world = openWorld(store, { clock })
    const buyer = await world.account()
    await topUp(world, buyer)
    const shop = await shopIn(world, { price_cents: 200, runtime: 'prompt' })
    const [gone, missed] = [
      await order(world, shop, { key: buyer.key }),
      await order(world, shop, { key: buyer.key }),
    ]
    await store.runs.delete({ id: gone.order.run_id ?? '' })
    const change = { status: 'completed', output: 'Done', waits_for: null, due_at: null } as const
    await store.runs.update({ id: missed.order.run_id ?? '' }, { $set: change })
    await clock.advance(3_600_001)
    await settleAll(world)
    const { key } = buyer
    const seen = (made: typeof gone) => world.ask('orders.get', { order_id: made.order.id }, key)
    expect(await seen(gone)).toMatchObject({ status: 'refunded', error: { code: 'run_lost' } })
    expect(await seen(missed)).toMatchObject({ status: 'completed', output: 'Done' })
    expect(await walletOf(world, buyer.id)).toEqual({ available: 300, held: 0 })
    expect(await walletOf(world, shop.seller.id)).toEqual({ available: 200, held: 0 })
  })

  test('stay under way for as long as their run does', async () => {
    const world = openWorld(store, { clock })
    const shop = await shopIn(world, { runtime: 'prompt' })
    const { order: made } = await order(world, shop)
    await clock.advance(5 * 3_600_000)
    await settleAll(world)
    const seen = await world.ask('orders.get', { order_id: made.id, token: made.token })
    expect(seen).toMatchObject({ status: 'in_progress' })
  })

  test('are not begun where the seller has no run left, whether that is known before or after', async () => {
    const quotas = {
      claimed: { ...noQuotas.claimed, runs_a_day: 2 },
      unclaimed: { ...noQuotas.unclaimed, runs_a_day: 2 },
    }
    const world = openWorld(store, { clock, quotas })
    const buyer = await world.account()
    await topUp(world, buyer)
    const shop = await shopIn(world, { price_cents, runtime: 'prompt' })
    const before = await order(world, shop)
    const first = await order(world, shop, { key: buyer.key })
    expect(first.error).toBeUndefined()
    await world.ask('tasks.run', shop.service, shop.seller.key)
    const refused = await order(world, shop, { key: buyer.key })
    expect(refused.error).toMatchObject({ code: 'quota_exceeded' })
    const anonymous = await order(world, shop)
    expect(anonymous.error).toMatchObject({ code: 'quota_exceeded' })
    expect(anonymous.error).not.toHaveProperty('checkout')
    await payAndTell(world, before.order.checkout?.id ?? '')
    await settleAll(world)
    const { id: order_id, token } = before.order
    const late = await world.ask('orders.get', { order_id, token })
    expect(late).toMatchObject({ status: 'refunded', error: { code: 'quota_exceeded' } })
  })

  test('are begun beyond the queue of the seller where they are paid, and not where they are free', async () => {
    const full = { ...noQuotas.unclaimed, queued_runs: 1 }
    const world = openWorld(store, { clock, quotas: { claimed: full, unclaimed: full } })
    const buyer = await world.account()
    await topUp(world, buyer)
    const shop = await shopIn(world, { price_cents, runtime: 'oracle' })
    await world.ask('tasks.run', shop.service, shop.seller.key)
    const { order: paid } = await order(world, shop, { key: buyer.key })
    expect(paid.status).toBe('in_progress')
    const { order: waiting } = await order(world, shop)
    await payAndTell(world, waiting.checkout?.id ?? '')
    const { id: order_id, token } = waiting
    expect(await world.ask('orders.get', { order_id, token })).toMatchObject({
      status: 'in_progress',
    })
    const { char_id } = shop.service
    const gift = { task_id: 'gift', name: 'Gift', runtime: 'oracle', service_enabled: true }
    await world.ask('tasks.create', { char_id, task: gift }, shop.seller.key)
    // Strangers have a share of their own, which is one run at least.
    const free = { service: { char_id, task_id: 'gift' } }
    expect((await order(world, free)).order.status).toBe('in_progress')
    expect((await order(world, free)).error).toMatchObject({ code: 'quota_exceeded' })
  })
})
