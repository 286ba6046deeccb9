import { afterEach, beforeEach, describe, expect, it as itOnEach } from 'vitest'
import { Unavailable } from '#src/ports/store.ts'
import { paymentsDue } from '#src/work/payments.ts'
import { startWork } from '#src/work/work.ts'
import { expectBooksBalanced } from '#tests/support/books.ts'
import { order, shopIn } from '#tests/support/orders.ts'
import { stores } from '#tests/support/stores.ts'
import { onFirstStore } from '#tests/support/suite/first-store.ts'
import { until } from '#tests/support/until.ts'
import { desksOn, held, type Desk } from './desk.ts'

describe.each(stores())('what goes on with payments on $name', (kind) => {
  const { it } = onFirstStore(kind)
  const open = desksOn(kind)
  let desk: Desk
  let account: { key: string; id: string }
  beforeEach(async () => {
    desk = await open()
    account = await desk.world.account()
  })
  afterEach(async () => {
    await expectBooksBalanced(desk.store)
    await desk.close()
  })

  const paid = async (count: number): Promise<void> => {
    const price = desk.stripe.addPrice({ amount: 100 })
    for (let i = 0; i < count; i++) {
      desk.stripe.books.pay((await desk.buys(account.key, price)).session)
    }
  }

  it('is started with upkeep, and finds what is due while time goes by', async () => {
    await paid(1)
    const work = startWork(desk.world.ports, ['upkeep'], 1)
    await until(async () => {
      await desk.clock.advance(1000)
      return (await held(desk.store, account.id)).startsWith('100 ')
    })
    await work.stop()
  })

  it('can be woken, so that it does not wait for its next tick', async () => {
    await paid(1)
    const work = startWork(desk.world.ports, ['upkeep'], 1)
    desk.clock.set(desk.clock.now().getTime() + 10_000)
    await until(async () => {
      desk.world.ports.wake.payments()
      return (await held(desk.store, account.id)).startsWith('100 ')
    })
    await work.stop()
  })

  it('settles orders, which need no provider, while the provider gives no answer', async () => {
    await paid(1)
    const { store, world, clock } = desk
    const silence = Promise.withResolvers<undefined>()
    const asked = Promise.withResolvers<void>()
    Object.assign(world.ports.payments, {
      checkout: () => {
        asked.resolve()
        return silence.promise
      },
    })
    const shop = await shopIn(world, { price_cents: 50 })
    const { id } = (await order(world, shop)).order
    const work = startWork(world.ports, ['upkeep'], 1)
    clock.set(clock.now().getTime() + 10_000)
    world.ports.wake.payments()
    await asked.promise
    const due_at = clock.now().toISOString()
    await store.orders.update({ id }, { $set: { status: 'expired', due_at } })
    await until(async () => {
      await clock.advance(1000)
      return (await store.orders.get(id)) === undefined
    }).finally(() => silence.resolve(undefined))
    await work.stop()
  })

  itOnEach('does many things that are due, of two processes each of them once', async () => {
    const other = await desk.another()
    await paid(80)
    desk.clock.set(desk.clock.now().getTime() + 10_000)
    const now = desk.clock.now()
    const counts = await Promise.all(
      [desk.world, other].map(async ({ ports }) => {
        let done = 0
        for (let more = 1; more > 0; done += more) more = await paymentsDue(ports, now)
        return done
      }),
    )
    expect(counts.reduce((sum, one) => sum + one)).toBe(80)
    expect(await held(desk.store, account.id)).toBe('8000 available, 0 pending, 0 held')
    // More than are looked for at once, each in transactions of its own.
  })

  itOnEach('is not tried again at once while the store is away', async () => {
    await paid(1)
    desk.clock.set(desk.clock.now().getTime() + 10_000)
    const { checkouts } = desk.store
    const own = checkouts.update.bind(checkouts)
    Object.assign(checkouts, {
      update: async () => {
        throw new Unavailable('it is away')
      },
    })
    await expect(paymentsDue(desk.world.ports, desk.clock.now())).rejects.toThrow(Unavailable)
    Object.assign(checkouts, { update: own })
    await desk.passes(0)
    expect(await held(desk.store, account.id)).toBe('100 available, 0 pending, 0 held')
  })
})
