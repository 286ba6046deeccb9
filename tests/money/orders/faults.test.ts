import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { testPrices } from '#adapters/payments/test/prices.ts'
import { openTestPayments } from '#adapters/payments/test/provider.ts'
import { systemClock } from '#adapters/clock/system.ts'
import { settleDueOrders } from '#src/money/orders/settle.ts'
import { PaymentsFailed, type Payments } from '#src/ports/payments.ts'
import type { Store } from '#src/ports/store.ts'
import { startWork } from '#src/work/work.ts'
import { expectBooksBalanced } from '#tests/support/books.ts'
import {
  order,
  orderThatIs,
  payAndTell,
  settleAll,
  shopIn,
  topUp,
  walletOf,
} from '#tests/support/orders.ts'
import { stores } from '#tests/support/stores.ts'
import { until } from '#tests/support/until.ts'
import { openWorld, silent } from '#tests/support/world.ts'

const priced = { price_cents: 300 }

describe.each(stores())('orders amid faults on $name', (kind) => {
  let store: Store
  let own: Payments
  beforeEach(async () => {
    store = await kind.open()
    const publicUrl = () => 'http://127.0.0.1:8080'
    const terms = { store, clock: systemClock, prices: testPrices, currency: 'usd', publicUrl }
    own = openTestPayments(terms)
  })
  afterEach(async () => {
    await expectBooksBalanced(store)
    await store.close()
  })

  test('a provider that is away keeps nothing, and the same call goes through later', async () => {
    let isAway = true
    const openCheckout: Payments['openCheckout'] = async (terms) => {
      if (isAway) throw new PaymentsFailed('no answer', 'unknown')
      return own.openCheckout(terms)
    }
    const world = openWorld(store, { payments: { ...own, openCheckout } })
    const shop = await shopIn(world, priced)
    const idempotencyKey = 'the-same-call-again'
    const first = await order(world, shop, { idempotencyKey })
    expect(first.error).toMatchObject({ code: 'provider_unavailable' })
    expect(await store.orders.count({})).toBe(0)
    expect(await store.checkouts.count({})).toBe(0)
    isAway = false
    const second = await order(world, shop, { idempotencyKey })
    expect(second.error).toMatchObject({ code: 'payment_required' })
  })

  test('what costs nothing asks no provider', async () => {
    const away = async (): Promise<never> => {
      throw new PaymentsFailed('no answer', 'unknown')
    }
    const world = openWorld(store, { payments: { ...own, price: away, currency: away } })
    const shop = await shopIn(world)
    expect((await order(world, shop)).error).toBeUndefined()
    const { service } = await shopIn(world, priced)
    const { items } = await world.ask<{ items: unknown[] }>('public.tasks', {
      char_id: service.char_id,
    })
    expect(items).toMatchObject([{ price_cents: 300, currency: null }])
  })

  test.each([
    ['amount', { amount_cents: 299 }],
    ['currency', { currency: 'eur' }],
  ])('another %s than was asked for runs nothing, and goes back', async (_, other) => {
    const checkout: Payments['checkout'] = async (session) => {
      const state = await own.checkout(session)
      return state?.status === 'paid' ? { ...state, ...other } : state
    }
    const world = openWorld(store, { payments: { ...own, checkout } })
    const shop = await shopIn(world, priced)
    const { order: made } = await order(world, shop)
    await payAndTell(world, made.checkout?.id ?? '')
    const back = await orderThatIs(world, made, 'refunded')
    expect(back).toMatchObject({ run_id: null, error: { code: 'price_mismatch' } })
    expect(await store.runs.count({})).toBe(0)
    expect(await store.refunds.find({})).toMatchObject([{ ...other, status: 'done' }])
  })

  test('two processes settle an order once', async () => {
    const world = openWorld(store)
    const other = openWorld(store)
    const work = startWork(world.ports, ['runner'], 2)
    const buyer = await world.account()
    await topUp(world, buyer, 2)
    const shop = await shopIn(world, { price_cents: 100 })
    const all = await Promise.all(
      Array.from({ length: 10 }, () => order(world, shop, { key: buyer.key })),
    )
    for (const { order: made } of all) {
      expect(made.paid_by).toBe('wallet')
      await orderThatIs({ ...world, ports: other.ports }, made, 'completed')
    }
    await Promise.all([settleAll(world), settleAll(other)])
    expect(await walletOf(world, buyer.id)).toEqual({ available: 0, held: 0 })
    expect(await walletOf(world, shop.seller.id)).toEqual({ available: 1000, held: 0 })
    await work.stop()
  })

  test('the process that comes second finds nothing to do, and has no fault to tell of', async () => {
    const faults: unknown[] = []
    const log = { ...silent, error: (...all: unknown[]) => void faults.push(all) }
    const world = openWorld(store, { log })
    const work = startWork(world.ports, ['runner'], 1)
    const buyer = await world.account()
    await topUp(world, buyer)
    const shop = await shopIn(world, priced)
    const { order: made } = await order(world, shop, { key: buyer.key })
    await until(async () => (await store.orders.get(made.id))?.status === 'completed')
    await work.stop()
    // Another process commits just the same, a moment before this one.
    const commit: Store['commit'] = async (writes) => {
      await store.commit(writes)
      await store.commit(writes)
    }
    expect(await settleDueOrders({ ...world.ports, store: { ...store, commit } })).toBe(0)
    expect(faults).toEqual([])
    expect(await walletOf(world, shop.seller.id)).toEqual({ available: 300, held: 0 })
  })

  test('earnings are told to tasks that wait for them', async () => {
    const world = openWorld(store)
    const work = startWork(world.ports, ['runner', 'scheduler', 'upkeep'], 2)
    const buyer = await world.account()
    await topUp(world, buyer)
    const shop = await shopIn(world, priced)
    const event = { type: 'event', config: { event: 'wallet.credited' } }
    const thanks = { task_id: 'thanks', name: 'Thanks', runtime: 'template', prompt: '{{input}}' }
    const task = { ...thanks, triggers: [event] }
    await world.ask('tasks.create', { char_id: shop.service.char_id, task }, shop.seller.key)
    const { order: made } = await order(world, shop, { key: buyer.key })
    await orderThatIs(world, made, 'completed')
    const heard = { task_id: 'thanks', status: 'completed' } as const
    await until(async () => (await store.runs.count(heard)) === 1)
    const [run] = await store.runs.find(heard)
    const output = run?.output
    expect(output).toContain(made.id)
    expect(output).toContain('"kind":"earning"')
    await work.stop()
  })
})
