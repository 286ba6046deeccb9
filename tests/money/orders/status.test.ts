import { describe, expect, test } from 'vitest'
import {
  marketOn,
  order,
  orderThatIs,
  payAndTell,
  settleAll,
  shopIn,
  walletOf,
  type Shop,
} from '#tests/support/orders.ts'
import { oneStore } from '#tests/support/stores.ts'
import type { World } from '#tests/support/world.ts'

const price_cents = 300

describe.each(oneStore())('an order named by its checkout on $name', (kind) => {
  let world: World
  marketOn(kind, (market) => {
    world = market.world
  })

  /** An order that is to be paid, and what names it. */
  const unpaid = async (shop: Shop, more: { key?: string; form?: object } = {}) => {
    const { order: made } = await order(world, shop, more)
    return { made, checkout_id: made.checkout?.id ?? '' }
  }
  const code = async (shop: Pick<Shop, 'service'>, named: object): Promise<string | undefined> =>
    (await order(world, shop, named)).error?.code

  test('shows what was delivered to the account that ordered, and to no one else', async () => {
    const shop = await shopIn(world, { price_cents, prompt: 'Drawn' })
    const [buyer, stranger] = [await world.account(), await world.account()]
    const { made, checkout_id } = await unpaid(shop, { key: buyer.key })
    await payAndTell(world, checkout_id)
    await orderThatIs(world, made, 'completed')
    const seen = async (key?: string) =>
      (await order(world, shop, { checkout_id, ...(key !== undefined && { key }) })).order
    expect(await seen(buyer.key)).toMatchObject({ status: 'completed', output: 'Drawn' })
    for (const key of [stranger.key, shop.seller.key, undefined]) {
      expect(await seen(key)).toMatchObject({ id: made.id, status: 'completed', output: null })
    }
  })

  test('is none of another task, and none of another agent', async () => {
    const [shop, other] = [
      await shopIn(world, { price_cents }),
      await shopIn(world, { price_cents }),
    ]
    const { char_id } = shop.service
    const task = { task_id: 'poem', name: 'Poem', runtime: 'template', prompt: 'x', price_cents }
    const offered = { ...task, service_enabled: true }
    await world.ask('tasks.create', { char_id, task: offered }, shop.seller.key)
    const { checkout_id } = await unpaid(shop)
    const poem = { service: { char_id, task_id: 'poem' } }
    expect(await code(poem, { checkout_id })).toBe('checkout_mismatch')
    expect(await code(other, { checkout_id })).toBe('checkout_mismatch')
    expect(await code(shop, { checkout_id })).toBe('payment_required')
  })

  test('is the one with its form, whether or not empty members are sent with it', async () => {
    const shop = await shopIn(world, { price_cents })
    const form = { style: 'ink', words: null }
    const { checkout_id } = await unpaid(shop, { form })
    for (const same of [form, { style: 'ink' }, { style: 'ink', size: null }, {}]) {
      expect(await code(shop, { checkout_id, form: same })).toBe('payment_required')
    }
    expect(await code(shop, { checkout_id, form: { style: 'oil' } })).toBe('checkout_mismatch')
    expect(await code(shop, { checkout_id, form: { words: null } })).toBe('checkout_mismatch')
  })

  test('does not exist where a wallet was filled there, with any form', async () => {
    const shop = await shopIn(world, { price_cents })
    const { key, id } = await world.account()
    const top_up = { price_id: 'top_up_5' }
    const bought = await world.ask<{ id: string }>('payments.create_checkout_session', top_up, key)
    await payAndTell(world, bought.id)
    for (const form of [{}, { style: 'ink' }]) {
      expect(await code(shop, { key, form, checkout_id: bought.id })).toBe('checkout_mismatch')
    }
    await settleAll(world)
    expect(await walletOf(world, id)).toEqual({ available: 500, held: 0 })
  })
})
