import { afterEach, beforeEach, describe, expect, it as itOnEach } from 'vitest'
import type { Order } from '#src/money/orders/order.ts'
import { expectBooksBalanced } from '#tests/support/books.ts'
import { oneStore, stores } from '#tests/support/stores.ts'
import { onFirstStore } from '#tests/support/suite/first-store.ts'
import { openShop, priceCents, type Shop } from './shop.ts'

describe.each(stores())('an order paid by x402 on $name', (kind) => {
  const { it } = onFirstStore(kind)
  let shop: Shop

  beforeEach(async () => {
    shop = await openShop(await kind.open())
  })
  afterEach(async () => {
    await expectBooksBalanced(shop.store)
    await shop.close()
  })

  const settlements = (): number => shop.chain.asked.filter(({ path }) => path === '/settle').length
  const balance = (key: string) =>
    shop.world.ask<{ available_cents: number; held_cents: number }>('wallet.balance', {}, key)
  const refusalOf = (payment: string, key?: string) =>
    shop.world.refusal('orders.create', { ...shop.place, payment }, key)

  it('is first refused, with what to sign', async () => {
    const { terms } = shop.chain
    const error = await shop.world.refusal('orders.create', shop.place)
    const resource = 'http://127.0.0.1:8080/api/public/agents/ada/tasks/poem/orders'
    expect(error).toMatchObject({
      code: 'payment_required',
      status: 'awaiting_payment',
      price_cents: priceCents,
      checkout: { status: 'open' },
      x402Version: 1,
      accepts: [
        {
          scheme: 'exact',
          network: 'base',
          maxAmountRequired: '2500000',
          payTo: terms.pay_to,
          asset: terms.asset,
          resource,
        },
      ],
      x402: {
        x402Version: 2,
        resource: { url: resource },
        accepts: [{ network: 'eip155:8453', amount: '2500000' }],
      },
    })
    expect(error.hint).toContain('PAYMENT-SIGNATURE')
  })

  it.each([1, 2] as const)('of version %i runs once it is settled', async (version) => {
    const order = await shop.order(shop.payment({ version }))
    expect(order).toMatchObject({ status: 'awaiting_payment', paid_by: 'x402', checkout: null })
    expect(order.token).toMatch(/^ort_/)
    expect(settlements()).toBe(0)
    expect(await shop.settle()).toBe(1)
    expect(await shop.read(order)).toMatchObject({ status: 'in_progress', paid_by: 'x402' })
    await shop.work()
    const read = await shop.world.ask<Order>('orders.get', {
      order_id: order.id,
      token: order.token,
    })
    expect(read).toMatchObject({ status: 'completed', output: 'A poem about rain.' })
    expect(await balance(shop.seller.key)).toMatchObject({ available_cents: priceCents })
    const books = await expectBooksBalanced(shop.store)
    expect(books.cents('provider/x402', 'available', 'usd')).toBe(-priceCents)
    expect(await shop.settle()).toBe(0)
    expect(settlements()).toBe(1)
  })

  it('counts as what a key spends in a day, of many at a time too', async () => {
    const buyer = await shop.world.account()
    const set = { key_spend_cents_a_day: 2 * priceCents + 1 }
    await shop.world.ask('account.update', set, buyer.key)
    const tried = await Promise.allSettled(
      Array.from({ length: 6 }, () => shop.order(shop.payment(), buyer.key)),
    )
    expect(tried.filter(({ status }) => status === 'fulfilled')).toHaveLength(2)
    for (const one of tried) {
      if (one.status === 'rejected') expect(one.reason).toMatchObject({ code: 'person_needed' })
    }
    const verified = () => shop.chain.asked.length
    const before = verified()
    expect((await refusalOf(shop.payment(), buyer.key)).code).toBe('person_needed')
    expect(verified()).toBe(before)
    expect(await shop.store.x402_payments.count({})).toBe(2)
  })

  it('is paid out of the chain, and not out of a wallet that holds enough', async () => {
    const buyer = await shop.world.account()
    const order = await shop.order(shop.payment(), buyer.key)
    await shop.settle()
    await shop.work()
    expect(await shop.read(order)).toMatchObject({ status: 'completed', paid_by: 'x402' })
    expect(await balance(buyer.key)).toMatchObject({ available_cents: 0, held_cents: 0 })
  })

  it('is rated for its payer, who counts once by whichever orders', async () => {
    const rate = async (signing: object, stars: number): Promise<void> => {
      const { id, token } = await shop.order(shop.payment(signing))
      await shop.settle()
      await shop.work()
      await shop.world.ask('orders.rate', { order_id: id, token, stars })
    }
    const from = '0x857b06519E91e3A54538791bDbb0E22373e36b66'
    await rate({ from }, 5)
    await rate({ from: from.toLowerCase() }, 3)
    await rate({ from: from.replace('0x85', '0x86') }, 2)
    const { char_id } = shop.place
    expect(await shop.world.ask('public.tasks', { char_id })).toMatchObject({
      items: [{ rating_summary: { average: 2.5, count: 2 } }],
    })
  })

  it('takes one payment once, of a hundred that bring it at a time', async () => {
    const payment = shop.payment()
    const tried = await Promise.allSettled(Array.from({ length: 100 }, () => shop.order(payment)))
    const taken = tried.filter(({ status }) => status === 'fulfilled')
    expect(taken).toHaveLength(1)
    for (const one of tried) {
      if (one.status === 'rejected') expect(one.reason).toMatchObject({ code: 'payment_used' })
    }
    await shop.settle()
    expect(settlements()).toBe(1)
    expect(await shop.store.runs.count({})).toBe(1)
    expect(await refusalOf(payment)).toMatchObject({ code: 'payment_used' })
  })

  it('takes it once however it is spelt', async () => {
    const nonce = `0x00${'ab'.repeat(31)}`
    const from = `0x${'ab'.repeat(20)}`
    await shop.order(shop.payment({ nonce, from }))
    const other = { nonce: String(BigInt(nonce)), from: from.replaceAll('ab', 'AB') }
    expect(await refusalOf(shop.payment({ ...other, version: 2 }))).toMatchObject({
      code: 'payment_used',
    })
  })

  it.each<[string, Parameters<Shop['payment']>[0], RegExp]>([
    ['another amount', { value: '1' }, /amount is different/],
    ['more than is asked for', { value: '2500001' }, /amount is different/],
    ['another recipient', { to: `0x${'1'.repeat(40)}` }, /another recipient/],
    ['another network', { network: 'polygon' }, /another network/],
    ['another scheme', { scheme: 'upto' }, /scheme exact/],
    ['one that has run out', { validBefore: '1700000000' }, /has expired/],
    ['an invalid signature', { signature: `0x${'bad0'.repeat(32)}00` }, /signature/],
  ])('of %s is not taken, and asked for again', async (_, signing, reason) => {
    const error = await refusalOf(shop.payment(signing))
    expect(error).toMatchObject({ code: 'payment_required', checkout: { status: 'open' } })
    expect(error.detail).toMatch(reason)
    expect(error['accepts']).toHaveLength(1)
    expect(await shop.store.x402_payments.count({})).toBe(0)
  })

  it('of a payer who holds nothing is not taken', async () => {
    const from = `0x${'0'.repeat(39)}1`
    shop.chain.poor.add(from)
    expect((await refusalOf(shop.payment({ from }))).detail).toMatch(/does not hold enough/)
  })

  it('is not kept while the facilitator is away', async () => {
    shop.chain.close()
    const error = await refusalOf(shop.payment())
    expect(error).toMatchObject({ code: 'provider_unavailable' })
    expect(await shop.store.orders.count({})).toBe(0)
  })

  it('fails, and costs nothing, where the payer has nothing left when it is settled', async () => {
    const from = `0x${'0'.repeat(39)}2`
    const order = await shop.order(shop.payment({ from }))
    shop.chain.poor.add(from)
    await shop.settle()
    expect(await shop.read(order)).toMatchObject({
      status: 'failed',
      paid_by: null,
      error: { code: 'payment_failed' },
    })
    expect(await shop.store.runs.count({})).toBe(0)
    expect(shop.alarms).toEqual([])
  })

  it.each(['dropped', 'busy'] as const)(
    'is settled again where a try was %s, and begins once',
    async (mishap) => {
      const order = await shop.order(shop.payment())
      shop.chain.mishaps.push(mishap, mishap)
      for (let tries = 0; tries < 3; tries++) {
        await shop.settle()
        await shop.clock.advance(10_000)
      }
      expect(settlements()).toBe(3)
      expect(await shop.read(order)).toMatchObject({ status: 'in_progress' })
      expect(shop.chain.paid.size).toBe(1)
    },
  )

  it('waits while the facilitator cannot be reached, and fails when the payment has run out', async () => {
    const order = await shop.order(shop.payment())
    shop.chain.close()
    await shop.settle()
    expect(await shop.read(order)).toMatchObject({ status: 'awaiting_payment' })
    await shop.clock.advance(500_000)
    await shop.settle()
    expect(await shop.read(order)).toMatchObject({ status: 'failed', paid_by: null })
    expect(shop.alarms).toEqual([])
  })

  it.each(['lost', 'vague'] as const)(
    'begins where an answer was %s, and the facilitator says it again',
    async (mishap) => {
      shop.chain.isForgiving = true
      shop.chain.mishaps.push(mishap)
      const order = await shop.order(shop.payment())
      await shop.settle()
      expect(await shop.read(order)).toMatchObject({ status: 'awaiting_payment' })
      await shop.clock.advance(10_000)
      await shop.settle()
      expect(await shop.read(order)).toMatchObject({ status: 'in_progress', paid_by: 'x402' })
    },
  )

  it.each(['lost', 'vague'] as const)(
    'stays in doubt where an answer was %s and all else is that it was used',
    async (mishap) => {
      shop.chain.mishaps.push(mishap)
      const order = await shop.order(shop.payment())
      await shop.settle()
      await shop.clock.advance(10_000)
      await shop.settle()
      await shop.clock.advance(1_000_000)
      expect(await shop.settle()).toBe(0)
      expect(await shop.read(order)).toMatchObject({ status: 'awaiting_payment' })
      expect(await shop.store.runs.count({})).toBe(0)
      expect(shop.alarms).toEqual([
        {
          message: expect.stringContaining('it is not known') as string,
          fields: expect.objectContaining({ order_id: order.id, amount_cents: 250 }) as object,
        },
      ])
      const [kept] = await shop.store.x402_payments.find({})
      expect(kept).toMatchObject({ status: 'unknown', due_at: null })
    },
  )

  it('is in doubt too where a process died in the middle of a try', async () => {
    const order = await shop.order(shop.payment())
    // As the claim leaves it, and nothing after that.
    const at = shop.clock.now().toISOString()
    await shop.store.x402_payments.update(
      { order_id: order.id },
      { $set: { due_at: at }, $inc: { attempts: 1, open_tries: 1 } },
    )
    const [kept] = await shop.store.x402_payments.find({})
    // The transfer had been sent.
    const bill = JSON.parse(kept?.bill ?? '') as {
      payload: { payload: { authorization: { nonce: string } } }
    }
    shop.chain.paid.set(bill.payload.payload.authorization.nonce, `0x${'1'.repeat(64)}`)
    await shop.settle()
    expect(await shop.store.x402_payments.get(kept?.id ?? '')).toMatchObject({ status: 'unknown' })
    expect(shop.alarms).toHaveLength(1)
  })

  it('is booked where the process died after it was settled', async () => {
    const order = await shop.order(shop.payment())
    const change = { $set: { settled_by: `0x${'1'.repeat(64)}` } }
    await shop.store.x402_payments.update({ order_id: order.id }, change)
    await shop.settle()
    expect(settlements()).toBe(0)
    expect(await shop.read(order)).toMatchObject({ status: 'in_progress', paid_by: 'x402' })
  })

  it('is settled once each by several processes at a time, and begins once', async () => {
    const orders = await Promise.all(Array.from({ length: 20 }, () => shop.order(shop.payment())))
    const goes = async (): Promise<number> => {
      let settled = 0
      for (let more = 1; more > 0; settled += more) more = await shop.settle()
      return settled
    }
    const settled = await Promise.all([goes(), goes(), goes()])
    expect(settled.reduce((sum, one) => sum + one)).toBe(20)
    expect(settlements()).toBe(20)
    expect(await shop.store.orders.count({ status: 'in_progress' })).toBe(orders.length)
    expect(await shop.store.runs.count({})).toBe(20)
  })

  itOnEach(
    'goes into the wallet of an account where the service was closed meanwhile',
    async () => {
      const buyer = await shop.world.account()
      const order = await shop.order(shop.payment(), buyer.key)
      await close()
      await shop.settle()
      expect(await shop.read(order)).toMatchObject({
        status: 'refunded',
        error: { code: 'service_closed' },
      })
      expect(await balance(buyer.key)).toMatchObject({ available_cents: priceCents })
    },
  )

  it('is set aside for the operator to give back where its payer has no account', async () => {
    const order = await shop.order(shop.payment())
    await close()
    await shop.settle()
    expect(await shop.read(order)).toMatchObject({ status: 'refunding' })
    expect(await shop.store.wallets.get(order.id)).toMatchObject({ held_cents: priceCents })
    expect(shop.alarms).toMatchObject([{ fields: { order_id: order.id, code: 'service_closed' } }])
    await shop.work()
    expect(shop.alarms).toHaveLength(1)
  })

  async function close(): Promise<void> {
    const task = { service_enabled: false }
    const { char_id, task_id } = shop.place
    await shop.world.ask('tasks.update', { char_id, task_id, task }, shop.seller.key)
  }
})

describe.each(oneStore())('a run that fails after x402 on $name', (kind) => {
  let shop: Shop

  beforeEach(async () => {
    // Without a form it has nothing to fill that in with.
    const task = { runtime: 'api', api_url: 'http://127.0.0.1:1/' }
    shop = await openShop(await kind.open(), task)
  })
  afterEach(async () => {
    await expectBooksBalanced(shop.store)
    await shop.close()
  })

  itOnEach('leaves what was paid in the wallet of an account', async () => {
    const buyer = await shop.world.account()
    const order = await shop.order(shop.payment(), buyer.key)
    await shop.settle()
    await shop.work()
    expect(await shop.read(order)).toMatchObject({ status: 'refunded', error: { code: 'failed' } })
    const wallet = await shop.world.ask('wallet.balance', {}, buyer.key)
    expect(wallet).toMatchObject({ available_cents: priceCents, held_cents: 0 })
    expect(shop.alarms).toEqual([])
  })

  itOnEach('tells the operator of what a payer without an account is owed', async () => {
    const order = await shop.order(shop.payment())
    await shop.settle()
    await shop.work()
    expect(await shop.read(order)).toMatchObject({ status: 'refunding' })
    expect(await shop.store.wallets.get(order.id)).toMatchObject({ held_cents: priceCents })
    expect(shop.alarms).toMatchObject([{ fields: { order_id: order.id, amount_cents: 250 } }])
  })
})
