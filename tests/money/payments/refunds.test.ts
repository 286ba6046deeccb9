import { afterEach, beforeEach, describe, expect, it as itOnEach } from 'vitest'
import { settleRefund } from '#src/money/payments/pay-back.ts'
import { refundOf } from '#src/money/payments/queue-refund.ts'
import { PaymentsFailed } from '#src/ports/payments.ts'
import { bookingOf } from '#src/money/wallet/booking-writes.ts'
import { paymentsDue } from '#src/work/payments.ts'
import { expectBooksBalanced } from '#tests/support/books.ts'
import { stores } from '#tests/support/stores.ts'
import { onFirstStore } from '#tests/support/suite/first-store.ts'
import type { StripeFault } from '#tests/support/stripe-server.ts'
import { desksOn, expectOwed, held, lines, type Desk } from './desk.ts'

const at = 'POST /v1/refunds'
const hour = 3_600_000

describe.each(stores())('a refund by Stripe on $name', (kind) => {
  const { it } = onFirstStore(kind)
  const open = desksOn(kind)
  let desk: Desk
  let account: { key: string; id: string }
  let checkoutId: string

  /** What was paid in is owed back. */
  beforeEach(async () => {
    desk = await open()
    account = await desk.world.account()
    const bought = await desk.buys(account.key, desk.stripe.addPrice({ amount: 900 }))
    await desk.hears(desk.stripe.books.pay(bought.session))
    checkoutId = bought.id
    await owes()
  })
  afterEach(async () => {
    await expectBooksBalanced(desk.store)
    await desk.close()
  })

  const owes = async (cents = 900): Promise<void> => {
    const { payment } = await desk.checkout(checkoutId)
    const of = { payment: payment ?? '', amount_cents: cents, currency: 'eur', wallet: account.id }
    const about = { order_id: null, checkout_id: checkoutId, description: 'Given back' }
    const now = desk.clock.now()
    const refund = refundOf({ ...of, ...about, reference: checkoutId }, now)
    const posting = { account: account.id, bucket: 'available', amount_cents: -cents } as const
    const movement = { cause: 'test', currency: 'eur', postings: [posting, refund.posting] }
    const booking = await bookingOf(desk.store, [{ ...movement, lines: [refund.line] }], now)
    await desk.store.commit([...booking, refund.write])
  }
  const given = (): number[] => [...desk.stripe.books.refunds.values()].map(({ amount }) => amount)
  const isGivenBackOnce = async (): Promise<void> => {
    expect(await desk.refund()).toMatchObject({ status: 'done', due_at: null })
    expect(given()).toEqual([900])
    expect(await held(desk.store, account.id)).toBe('0 available, 0 pending, 0 held')
    expect(await lines(desk.store, account.id)).toEqual(['top_up 900 posted', 'refund -900 posted'])
    expect((await desk.checkout(checkoutId)).status).toBe('refunded')
    await expectOwed(desk.store, 0)
  }

  it('is owed until Stripe has done it', async () => {
    expect(await lines(desk.store, account.id)).toEqual([
      'top_up 900 posted',
      'refund -900 pending',
    ])
    await expectOwed(desk.store, 900)
    await desk.passes(0)
    await isGivenBackOnce()
    const [asked] = desk.stripe.asked.filter((one) => one.at === at)
    expect(asked?.headers['idempotency-key']).toBe((await desk.refund()).id)
  })

  it('is done though the wallet that it came through holds another currency since', async () => {
    const { store, clock, stripe } = desk
    const dollars = { account: account.id, bucket: 'available', amount_cents: 5 } as const
    const from = { account: 'provider/test', bucket: 'available', amount_cents: -5 } as const
    const line = { wallet: account.id, kind: 'top_up', amount_cents: 5, description: 'x' } as const
    const movement = { cause: 'dollars', currency: 'usd', postings: [from, dollars], lines: [line] }
    await store.commit(await bookingOf(store, [movement], clock.now()))
    await desk.passes(0)
    expect(await desk.refund()).toMatchObject({ status: 'done', due_at: null })
    expect([...stripe.books.refunds]).toHaveLength(1)
    expect(await store.wallets.get(account.id)).toMatchObject({
      currency: 'usd',
      available_cents: 5,
    })
    expect((await desk.checkout(checkoutId)).status).toBe('refunded')
    await expectOwed(store, 0)
  })

  itOnEach('is done once by two processes that find it at the same time', async () => {
    const other = await desk.another()
    const now = desk.clock.now()
    await Promise.all(
      [desk.world, other, desk.world, other].map(({ ports }) => paymentsDue(ports, now)),
    )
    await isGivenBackOnce()
    expect(desk.stripe.asked.filter((one) => one.at === at)).toHaveLength(1)
  })

  it.each<StripeFault>(['cut', 'halved', 'done_broken', 'garbage'])(
    'is unknown after Stripe gave the money back and did not say so (%s), and then known',
    async (fault) => {
      desk.stripe.misbehave(fault, { at, times: 2 })
      await desk.passes(0)
      expect(await desk.refund()).toMatchObject({ status: 'unknown' })
      expect(await lines(desk.store, account.id)).toEqual([
        'top_up 900 posted',
        'refund -900 unknown',
      ])
      await expectOwed(desk.store, 900)
      await desk.passes(hour)
      await desk.passes(hour)
      await isGivenBackOnce()
    },
  )

  it('is found again although it became known only after Stripe had forgotten the key', async () => {
    desk.stripe.misbehave('done_broken', { at })
    await desk.passes(0)
    expect(await desk.refund()).toMatchObject({ status: 'unknown' })
    await desk.passes(48 * hour)
    await isGivenBackOnce()
  })

  it.each<StripeFault>(['broken', 'limited', 'unauthenticated', 'no_balance'])(
    'is tried again, later and later, until Stripe does it (%s)',
    async (fault) => {
      desk.stripe.misbehave(fault, { at, times: 3 })
      await desk.passes(0)
      expect(given()).toEqual([])
      await expectOwed(desk.store, 900)
      for (let i = 0; i < 3; i++) await desk.passes(48 * hour)
      await isGivenBackOnce()
    },
  )

  itOnEach('is done once though the process dies after Stripe has done it', async () => {
    const { payments } = desk.world.ports
    const own = payments.refund.bind(payments)
    const dying: typeof own = async (...asked) => {
      Object.assign(payments, { refund: own })
      await own(...asked)
      throw new Error('the process has died')
    }
    Object.assign(payments, { refund: dying })
    await desk.passes(0)
    expect(await desk.refund()).toMatchObject({ status: 'queued' })
    await desk.passes(hour)
    await isGivenBackOnce()
  })

  it('waits for a bank, and ends with the event', async () => {
    desk.stripe.books.refundsAre = 'pending'
    await desk.passes(0)
    const { refund, status } = await desk.refund()
    expect(status).toBe('pending')
    expect(await lines(desk.store, account.id)).toEqual([
      'top_up 900 posted',
      'refund -900 pending',
    ])
    await expectOwed(desk.store, 900)
    const events = desk.stripe.books.endRefund(refund ?? '', 'succeeded')
    const other = await desk.another()
    await Promise.all([desk.hears([...events, ...events]), desk.hears(events, other)])
    await isGivenBackOnce()
  })

  it('waits for a bank, also where an earlier try or a later check fails', async () => {
    desk.stripe.books.refundsAre = 'pending'
    await desk.passes(0)
    const { id, refund } = await desk.refund()
    await settleRefund(desk.world.ports, id, 'unknown')
    const { payments } = desk.world.ports
    const own = payments.refundState.bind(payments)
    Object.assign(payments, {
      refundState: async () => {
        Object.assign(payments, { refundState: own })
        throw new PaymentsFailed('not now', 'refused')
      },
    })
    await desk.passes(hour)
    expect(await desk.refund()).toMatchObject({ status: 'pending', refund })
    desk.stripe.books.endRefund(refund ?? '', 'succeeded')
    await desk.passes(hour)
    await isGivenBackOnce()
  })

  it('waits for a bank, and finds its end although the event was lost', async () => {
    desk.stripe.books.refundsAre = 'pending'
    await desk.passes(0)
    desk.stripe.books.endRefund((await desk.refund()).refund ?? '', 'succeeded')
    await desk.passes(hour)
    await isGivenBackOnce()
    expect(desk.stripe.asked.filter((one) => one.at === at)).toHaveLength(1)
  })

  it.each(['failed', 'pending'] as const)(
    'comes into the wallet of the account where it fails for good (%s at first)',
    async (first) => {
      desk.stripe.books.refundsAre = first
      await desk.passes(0)
      const { refund } = await desk.refund()
      if (first === 'pending') {
        await desk.hears(desk.stripe.books.endRefund(refund ?? '', 'failed'))
      }
      expect(await desk.refund()).toMatchObject({ status: 'failed', due_at: null })
      expect(await held(desk.store, account.id)).toBe('900 available, 0 pending, 0 held')
      expect(await lines(desk.store, account.id)).toEqual([
        'top_up 900 posted',
        'refund -900 failed',
        'adjustment 900 posted',
      ])
      await expectOwed(desk.store, 0)
      await desk.passes(48 * hour)
      await desk.hears(desk.stripe.books.endRefund(refund ?? '', 'failed'))
      expect(await held(desk.store, account.id)).toBe('900 available, 0 pending, 0 held')
    },
  )

  it('tells the operator where what was done has come back', async () => {
    await desk.passes(0)
    const { refund } = await desk.refund()
    await desk.hears(desk.stripe.books.endRefund(refund ?? '', 'failed'))
    expect(desk.logged).toContain('a refund that was done has come back: the payer is still owed')
    expect(await held(desk.store, account.id)).toBe('0 available, 0 pending, 0 held')
  })

  it('does not hold up another one that is due by its fault', async () => {
    const bought = await desk.buys(account.key, desk.stripe.addPrice({ amount: 70 }))
    desk.stripe.books.pay(bought.session)
    const { refunds } = desk.store
    const { id } = await desk.refund()
    const own = desk.world.ports.payments.refund.bind(desk.world.ports.payments)
    Object.assign(desk.world.ports.payments, {
      refund: async () => {
        throw new TypeError('an unexpected fault')
      },
    })
    await desk.passes(10_000)
    expect(desk.logged).toContain('a refund could not be handled')
    expect((await desk.checkout(bought.id)).status).toBe('paid')
    Object.assign(desk.world.ports.payments, { refund: own })
    await desk.passes(hour)
    expect(await refunds.get(id)).toMatchObject({ status: 'done' })
  })

  it('stays owed to a buyer without an account where it fails for good', async () => {
    const { id } = await desk.refund()
    await desk.store.refunds.update({ id }, { $set: { transaction: null, wallet: 'ord_unowned' } })
    desk.stripe.books.refundsAre = 'failed'
    await desk.passes(0)
    expect(await desk.refund()).toMatchObject({ status: 'failed', due_at: null })
    await expectOwed(desk.store, 900)
    expect(desk.logged).toContain(
      'a refund was refused: the payer is owed what has no wallet to go to',
    )
  })
})
