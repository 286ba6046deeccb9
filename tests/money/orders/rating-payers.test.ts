import { describe, expect, test } from 'vitest'
import type { Order } from '#src/money/orders/order.ts'
import { signedInPerson } from '#tests/accounts/people/persons.ts'
import {
  marketOn,
  order,
  orderThatIs,
  payAndTell,
  settleAll,
  shopIn,
  topUp,
  type Shop,
  type Party,
} from '#tests/support/orders.ts'
import { oneStore } from '#tests/support/stores.ts'
import type { World } from '#tests/support/world.ts'

describe.each(oneStore())('ratings of one payer on $name', (kind) => {
  let world: World
  marketOn(kind, (market) => {
    world = market.world
  })

  /** A delivered order: paid by the wallet of the buyer, or at a checkout without an account. */
  const delivered = async (shop: Shop, buyer?: Party): Promise<Order> => {
    const { order: made } = await order(world, shop, buyer && { key: buyer.key })
    if (made.checkout) await payAndTell(world, made.checkout.id)
    await orderThatIs(world, made, 'completed')
    return made
  }
  const rate = ({ id, token }: Order, stars: number) =>
    world.ask('orders.rate', { order_id: id, token, stars })
  const refused = async ({ id, token }: Order, key?: string) =>
    (await world.refusal('orders.rate', { order_id: id, token, stars: 5 }, key)).code
  const summary = async ({ service }: Shop): Promise<unknown> => {
    const { items } = await world.ask<{ items: { rating_summary: unknown }[] }>('public.tasks', {
      char_id: service.char_id,
    })
    return items[0]?.rating_summary
  }
  const rich = async (): Promise<Party> => {
    const buyer = await world.account()
    await topUp(world, buyer)
    return buyer
  }
  const claimedBy = (holder_id: string, { id }: Party) =>
    world.ports.store.accounts.update({ id }, { $set: { holder_id } })

  test('weigh as one, however often they pay themselves up', async () => {
    const shop = await shopIn(world, { price_cents: 1 })
    const puppet = await rich()
    for (let i = 0; i < 6; i++) await rate(await delivered(shop, puppet), 5)
    expect(await summary(shop)).toEqual({ average: 5, count: 1 })
    await rate(await delivered(shop), 1)
    expect(await summary(shop)).toEqual({ average: 3, count: 2 })
  })

  test('count as the latest says', async () => {
    const shop = await shopIn(world, { price_cents: 1 })
    const buyer = await rich()
    const [first, second] = [await delivered(shop, buyer), await delivered(shop, buyer)]
    await rate(second, 5)
    await rate(first, 2)
    expect(await summary(shop)).toEqual({ average: 2, count: 1 })
    for (const { id, token } of [first, second]) {
      const read = await world.ask<Order>('orders.get', { order_id: id, token })
      expect(read.rating?.stars).toBe(id === first.id ? 2 : 5)
    }
  })

  test('at once are one, and the sum is exact', async () => {
    const shop = await shopIn(world, { price_cents: 1 })
    const buyer = await rich()
    const made: Order[] = []
    for (let i = 0; i < 5; i++) made.push(await delivered(shop, buyer))
    await Promise.all([rate(await delivered(shop), 4), ...made.map((one, i) => rate(one, i + 1))])
    const counting = await world.ports.store.orders.find({
      id: { $in: made.map(({ id }) => id) },
      rated_by: { $exists: true },
    })
    expect(counting).toHaveLength(1)
    const stars = counting[0]?.rating?.stars ?? 0
    expect(await summary(shop)).toEqual({ average: (4 + stars) / 2, count: 2 })
  })

  test('do not count where all that they pay with was earned from each other', async () => {
    const shop = await shopIn(world, { price_cents: 1 })
    const friends = await shopIn(world, { price_cents: 100 })
    await delivered(friends, await rich())
    await settleAll(world)
    const made = await delivered(shop, friends.seller)
    expect(made).toMatchObject({ paid_by: 'wallet' })
    await rate(made, 5)
    const { rating } = await world.ask<Order>('orders.get', {
      order_id: made.id,
      token: made.token,
    })
    expect(rating).toMatchObject({ stars: 5 })
    expect(await summary(shop)).toBeNull()
    await topUp(world, friends.seller)
    await rate(await delivered(shop, friends.seller), 4)
    expect(await summary(shop)).toEqual({ average: 4, count: 1 })
  })

  test('are of one person, by whichever account they pay', async () => {
    const shop = await shopIn(world, { price_cents: 1 })
    const person = await signedInPerson(world.ports)
    const [one, two] = [await rich(), await rich()]
    await rate(await delivered(shop, one), 5)
    await rate(await delivered(shop, two), 5)
    expect(await summary(shop)).toMatchObject({ count: 2 })
    await claimedBy(person.id, one)
    await rate(await delivered(shop, one), 3)
    expect(await summary(shop)).toEqual({ average: 4, count: 2 })
    const third = await rich()
    await claimedBy(person.id, third)
    await rate(await delivered(shop, third), 1)
    expect(await summary(shop)).toEqual({ average: 3, count: 2 })
  })

  test('are refused where the person who sells has paid, or rates', async () => {
    const shop = await shopIn(world, { price_cents: 1 })
    const person = await signedInPerson(world.ports)
    const buyer = await rich()
    const [own, others] = [await delivered(shop, buyer), await delivered(shop)]
    await claimedBy(person.id, shop.seller)
    await claimedBy(person.id, buyer)
    expect(await refused(own)).toBe('forbidden')
    expect(await refused(others, buyer.key)).toBe('forbidden')
    const session = { token: person.token, accountId: undefined }
    const bySession = { order_id: others.id, token: others.token, stars: 5 }
    expect((await world.refusal('orders.rate', bySession, session)).code).toBe('forbidden')
    expect(await summary(shop)).toBeNull()
    await rate(others, 4)
    expect(await summary(shop)).toEqual({ average: 4, count: 1 })
  })
})
