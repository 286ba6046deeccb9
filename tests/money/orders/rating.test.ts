import { describe, expect, test } from 'vitest'
import type { Order } from '#src/money/orders/order.ts'
import { cleanComment } from '#src/money/orders/rate.ts'
import {
  marketOn,
  order,
  orderThatIs,
  payAndTell,
  shopIn,
  topUp,
  type Shop,
} from '#tests/support/orders.ts'
import { oneStore } from '#tests/support/stores.ts'
import type { World } from '#tests/support/world.ts'

describe('a comment', () => {
  test.each([
    ['Fine.\r\n\nThank you. ', 'Fine.\n\nThank you.'],
    ['Fine. \n  Thank you.', 'Fine.\n  Thank you.'],
    ['\u202eevil\u0000\u200b text\u{e0041}', 'evil text'],
    [' \n\u2028 ', null],
    [undefined, null],
    ['❤️ 你好', '❤️ 你好'],
  ])('is kept as a reader sees it: %j', (sent, kept) => {
    expect(cleanComment(sent)).toBe(kept)
  })
})

describe.each(oneStore())('ratings on $name', (kind) => {
  let world: World
  marketOn(kind, (market) => {
    world = market.world
  })

  const delivered = async (shop: Shop): Promise<Order> => {
    const { order: made } = await order(world, shop)
    await payAndTell(world, made.checkout?.id ?? '')
    await orderThatIs(world, made, 'completed')
    return made
  }
  const rate = ({ id, token }: Order, stars: number, more: object = {}) => ({
    order_id: id,
    token,
    stars,
    ...more,
  })
  const summary = async ({ service }: Shop): Promise<unknown> => {
    const { items } = await world.ask<{ items: { rating_summary: unknown }[] }>('public.tasks', {
      char_id: service.char_id,
    })
    return items[0]?.rating_summary
  }

  test('of many at once are all counted, and the average is exact', async () => {
    const shop = await shopIn(world, { price_cents: 100 })
    const stars = [5, 4, 4, 1, 2, 5, 5]
    const made = await Promise.all(stars.map(() => delivered(shop)))
    await Promise.all(made.map((one, i) => world.ask('orders.rate', rate(one, stars[i] ?? 1))))
    // 26 / 7
    expect(await summary(shop)).toEqual({ average: 3.71, count: 7 })
  })

  test('of one order count once, however many come at once', async () => {
    const shop = await shopIn(world, { price_cents: 100 })
    const made = await delivered(shop)
    const all = await Promise.allSettled(
      [1, 2, 3, 4, 5].map((stars) => world.ask('orders.rate', rate(made, stars))),
    )
    const done = all.filter(({ status }) => status === 'fulfilled')
    expect(done).toHaveLength(1)
    expect(await summary(shop)).toMatchObject({ count: 1 })
    expect(await world.refusal('orders.rate', rate(made, 3))).toMatchObject({
      code: 'already_rated',
    })
  })

  test('leave the revision of the task alone, and its owner’s change keeps them', async () => {
    const shop = await shopIn(world, { price_cents: 100 })
    const { service, seller } = shop
    const made = await delivered(shop)
    const before = await world.ask<{ revision: number }>('tasks.get', service, seller.key)
    await world.ask('orders.rate', rate(made, 4, { comment: 'Fine.' }))
    const after = await world.ask('tasks.get', service, seller.key)
    expect(after).toMatchObject({
      revision: before.revision,
      rating_summary: { average: 4, count: 1 },
    })
    expect(after).not.toHaveProperty('rating_sum')
    const rating_summary = { average: 5, count: 1000 }
    const task = { public_title: 'A portrait', rating_summary }
    const changed = await world.ask('tasks.update', { ...service, task }, seller.key)
    expect(changed).toMatchObject({
      rating_summary: { average: 4, count: 1 },
      warnings: [{ code: 'member_ignored', pointer: '/rating_summary' }],
    })
    await world.ask('orders.rate', rate(await delivered(shop), 1))
    expect(await summary(shop)).toEqual({ average: 2.5, count: 2 })
  })

  test('of while the owner changes the task are not lost', async () => {
    const shop = await shopIn(world, { price_cents: 100 })
    const made = await Promise.all(Array.from({ length: 6 }, () => delivered(shop)))
    const { service, seller } = shop
    await Promise.all([
      ...made.map((one) => world.ask('orders.rate', rate(one, 3))),
      ...made.map((_, i) =>
        world.ask('tasks.update', { ...service, task: { cta_label: `${i}` } }, seller.key),
      ),
    ])
    expect(await summary(shop)).toEqual({ average: 3, count: 6 })
  })

  test('are not given to a task that has taken the place of the one that was rated', async () => {
    const shop = await shopIn(world, { price_cents: 100 })
    const { service, seller } = shop
    const made = await delivered(shop)
    await world.ask('tasks.delete', service, seller.key)
    const task = { ...service, name: 'Another', service_enabled: true, price_cents: 1 }
    await world.ask('tasks.create', { char_id: service.char_id, task }, seller.key)
    expect(await world.ask('orders.rate', rate(made, 1))).toMatchObject({ rating: { stars: 1 } })
    expect(await summary(shop)).toBeNull()
  })

  test('are of what was delivered, and not of what was only paid for', async () => {
    const shop = await shopIn(world, { price_cents: 100, runtime: 'elsewhere' })
    const { order: made } = await order(world, shop)
    await payAndTell(world, made.checkout?.id ?? '')
    await orderThatIs(world, made, 'in_progress')
    const refused = await world.refusal('orders.rate', rate(made, 5))
    expect(refused).toMatchObject({ code: 'order_not_completed' })
    expect(await summary(shop)).toBeNull()
  })

  test('come from the payer: not from strangers, and not from the seller', async () => {
    const shop = await shopIn(world, { price_cents: 100 })
    const made = await delivered(shop)
    const stranger = await world.account()
    const { token: _, ...without } = rate(made, 1)
    expect((await world.refusal('orders.rate', without, stranger.key)).code).toBe('order_not_found')
    const own = await world.refusal('orders.rate', rate(made, 5), shop.seller.key)
    expect(own.code).toBe('forbidden')
    await topUp(world, shop.seller)
    const { order: toItself } = await order(world, shop, { key: shop.seller.key })
    await orderThatIs(world, toItself, 'completed')
    expect((await world.refusal('orders.rate', rate(toItself, 5))).code).toBe('forbidden')
  })
})
