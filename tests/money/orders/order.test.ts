import { describe, expect, test } from 'vitest'
import type { Store } from '#src/ports/store.ts'
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
} from '#tests/support/orders.ts'
import { oneStore } from '#tests/support/stores.ts'
import type { World } from '#tests/support/world.ts'

const priced = { price_cents: 300 }

describe.each(oneStore())('orders on $name', (kind) => {
  let store: Store
  let world: World
  marketOn(kind, (market) => {
    ;({ store, world } = market)
  })

  const line = (wallet: string, kind: 'charge' | 'earning') =>
    store.wallet_transactions.find({ wallet, kind })

  test('a free order runs at once, and the holder of its token gets the result', async () => {
    const shop = await shopIn(world, { price_cents: 0 })
    const { order: made, error } = await order(world, shop, { form: { style: 'ink' } })
    expect(error).toBeUndefined()
    expect(made).toMatchObject({ status: 'in_progress', title: 'Portrait', price_cents: null })
    expect(made.token).toMatch(/^ort_/)
    const done = await orderThatIs(world, made, 'completed')
    expect(done).toMatchObject({ output: 'Drawn: {"style":"ink"}', paid_by: null, error: null })
    expect(done.token).toBeUndefined()
    expect(JSON.stringify(await store.orders.get(made.id))).not.toContain(made.token)
  })

  test('the words of the seller are marked for the buyer, and not where an account orders of itself', async () => {
    const shop = await shopIn(world, { price_cents: 0 })
    const { order: made } = await order(world, shop, { form: { style: 'ink' } })
    const marks = { untrusted: true, source: { kind: 'order', char_id: shop.service.char_id } }
    expect(made).toMatchObject(marks)
    expect(await orderThatIs(world, made, 'completed')).toMatchObject(marks)
    const { order: own } = await order(world, shop, { key: shop.seller.key })
    expect(own).not.toHaveProperty('untrusted')
    expect(await orderThatIs(world, own, 'completed')).not.toHaveProperty('untrusted')
  })

  test('the wallet of a key pays: the price is held, and is the seller’s once it is delivered', async () => {
    const shop = await shopIn(world, priced)
    const buyer = await world.account()
    await topUp(world, buyer)
    const { order: made, error } = await order(world, shop, { key: buyer.key })
    expect(error).toBeUndefined()
    expect(made).toMatchObject({ paid_by: 'wallet', price_cents: 300, currency: 'usd' })
    await orderThatIs(world, made, 'completed')
    await settleAll(world)
    expect(await walletOf(world, buyer.id)).toEqual({ available: 200, held: 0 })
    expect(await walletOf(world, shop.seller.id)).toEqual({ available: 300, held: 0 })
    expect(await line(buyer.id, 'charge')).toMatchObject([
      { amount_cents: -300, reference: made.id, run_id: made.run_id, status: 'posted' },
    ])
    expect(await line(shop.seller.id, 'earning')).toMatchObject([{ amount_cents: 300 }])
  })

  test('a scoped key pays from the wallet of its account', async () => {
    const shop = await shopIn(world, priced)
    const buyer = await world.account()
    await topUp(world, buyer)
    const character = { id: `agent-of-${buyer.id.replace('_', '-')}`, name: 'Ada' }
    await world.ask('characters.create', { character }, buyer.key)
    const scoped = { name: 'Ada', scope_char_id: character.id }
    const { key } = await world.ask<{ key: string }>('api_keys.create', scoped, buyer.key)
    const { order: made } = await order(world, shop, { key })
    expect(made).toMatchObject({ paid_by: 'wallet' })
    await orderThatIs(world, made, 'completed')
    const seen = await world.ask('orders.get', { order_id: made.id }, key)
    expect(seen).toMatchObject({ status: 'completed' })
  })

  test('a buyer without account pays at a checkout, and the payment starts the run', async () => {
    const shop = await shopIn(world, priced)
    const { order: made, error } = await order(world, shop, { form: { style: 'ink' } })
    expect(error).toMatchObject({ code: 'payment_required', status: 'awaiting_payment' })
    expect(made).toMatchObject({ run_id: null, checkout: { status: 'open' }, price_cents: 300 })
    const checkout_id = made.checkout?.id ?? ''
    const unpaid = await order(world, shop, { checkout_id })
    expect(unpaid.error).toMatchObject({ code: 'payment_required', id: made.id })
    expect(unpaid.order.token).toBeUndefined()
    await pay(world, checkout_id)
    // Asked again, the order stands as the provider says, event or none.
    const paid = await order(world, shop, { checkout_id })
    expect(paid.error).toBeUndefined()
    const checkout = { status: 'paid' }
    expect(paid.order).toMatchObject({ id: made.id, paid_by: 'checkout', checkout })
    expect(paid.order.token).toBeUndefined()
    const done = await orderThatIs(world, made, 'completed')
    expect(done).toMatchObject({ output: 'Drawn: {"style":"ink"}', checkout: { status: 'paid' } })
    await settleAll(world)
    expect(await walletOf(world, shop.seller.id)).toEqual({ available: 300, held: 0 })
    expect(await walletOf(world, made.id)).toEqual({ available: 0, held: 0 })
    // Its id proves nothing: what was delivered is for the holder of the token.
    const stranger = await order(world, shop, { checkout_id })
    expect(stranger.order).toMatchObject({ status: 'completed', output: null, artifacts: [] })
  })

  test('a key whose wallet holds too little pays at a checkout, through its wallet', async () => {
    const shop = await shopIn(world, { price_cents: 700 })
    const buyer = await world.account()
    await topUp(world, buyer)
    const { order: made, error } = await order(world, shop, { key: buyer.key })
    expect(error?.code).toBe('payment_required')
    await payAndTell(world, made.checkout?.id ?? '')
    await orderThatIs(world, made, 'completed')
    await settleAll(world)
    expect(await walletOf(world, buyer.id)).toEqual({ available: 500, held: 0 })
    expect(await walletOf(world, shop.seller.id)).toEqual({ available: 700, held: 0 })
  })

  test('the price of the provider is what is asked for', async () => {
    const shop = await shopIn(world, { payment_price_id: 'top_up_20' })
    const { order: made, error } = await order(world, shop)
    expect(error?.code).toBe('payment_required')
    expect(made).toMatchObject({ price_cents: 2000, currency: 'usd' })
    await payAndTell(world, made.checkout?.id ?? '')
    await orderThatIs(world, made, 'completed')
  })

  test('a repeated call with the same idempotency key gives the same order and token', async () => {
    const shop = await shopIn(world, priced)
    const idempotencyKey = 'one-key-for-one-order'
    const first = await order(world, shop, { idempotencyKey })
    const again = await order(world, shop, { idempotencyKey })
    expect(again).toEqual(first)
    expect(first.error?.code).toBe('payment_required')
    expect(await store.checkouts.count({ order_id: first.order.id })).toBe(1)
    const text = JSON.stringify(await store.idempotency.find({}))
    expect(text).not.toContain(first.order.token)
  })

  test('of 100 at once for the last euro one is paid by the wallet, and 99 are to be paid', async () => {
    const shop = await shopIn(world, { price_cents: 500 })
    const buyer = await world.account()
    await topUp(world, buyer)
    const all = await Promise.all(
      Array.from({ length: 100 }, () => order(world, shop, { key: buyer.key })),
    )
    const paid = all.filter(({ error }) => !error)
    expect(paid).toHaveLength(1)
    const refused = all.filter(({ error }) => error?.code === 'payment_required')
    expect(refused).toHaveLength(99)
    expect(await walletOf(world, buyer.id)).toMatchObject({ available: 0 })
    for (const { order: one } of paid) await orderThatIs(world, one, 'completed')
    expect(await store.runs.count({ char_id: shop.service.char_id })).toBe(1)
  })

  test('what the seller calls it is shown as one line of plain text, no longer than a name', async () => {
    const public_title = `Por\u202etrait\n\u200b now ${'x'.repeat(5000)}`
    const shop = await shopIn(world, { ...priced, public_title })
    const { order: made } = await order(world, shop)
    expect(made.title).toMatch(/^Portrait now x{187}$/)
    const blank = await shopIn(world, { ...priced, public_title: '\u200b \u2066' })
    expect((await order(world, blank)).order.title).toBe('Portrait')
  })

  test('a payment that is told of many times runs once', async () => {
    const shop = await shopIn(world, priced)
    const { order: made } = await order(world, shop)
    const checkout_id = made.checkout?.id ?? ''
    await pay(world, checkout_id)
    await Promise.all(Array.from({ length: 8 }, () => order(world, shop, { checkout_id })))
    await payAndTell(world, checkout_id)
    await orderThatIs(world, made, 'completed')
    expect(await store.runs.count({ char_id: shop.service.char_id })).toBe(1)
    await settleAll(world)
    expect(await walletOf(world, shop.seller.id)).toEqual({ available: 300, held: 0 })
  })

  test('fields that were left empty say nothing where the prompt names them', async () => {
    const fields = [
      { key: 'style', required: true },
      { key: 'words', type: 'textarea' },
      { key: 'framed', type: 'checkbox' },
      { key: 'size', type: 'number' },
      { key: 'colours', type: 'multiselect', options: ['red'] },
    ]
    const prompt = '{{style}}|{{words}}|{{framed}}|{{size}}|{{colours}}'
    const shop = await shopIn(world, { form_schema: { fields }, prompt })
    const { order: made } = await order(world, shop, { form: { style: 'ink', words: null } })
    expect(await orderThatIs(world, made, 'completed')).toMatchObject({
      output: 'ink||false|null|[]',
    })
  })
})
