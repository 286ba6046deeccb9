import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { openTestPayments } from '#adapters/payments/test/provider.ts'
import { paySession } from '#adapters/payments/test/sessions.ts'
import { endSubscription, type Terms } from '#adapters/payments/test/subscriptions.ts'
import { closeAccounts } from '#src/departures/account.ts'
import { handled } from '#src/money/payments/handle.ts'
import type { Price } from '#src/ports/payments.ts'
import type { Store } from '#src/ports/store.ts'
import { paymentsDue } from '#src/work/payments.ts'
import { expectBooksBalanced } from '#tests/support/books.ts'
import { fakeClock, type FakeClock } from '#tests/support/fake-clock.ts'
import { stores } from '#tests/support/stores.ts'
import { until } from '#tests/support/until.ts'
import { openWorld, type World } from '#tests/support/world.ts'
import { held } from './desk.ts'

const day = 86_400_000
const price = { description: null, currency: 'usd', char_id: null, interval: null } as const
const prices: readonly Price[] = [
  { ...price, id: 'credits', name: 'Credits', amount_cents: 500, kind: 'one_time' },
  {
    ...price,
    id: 'of_ada',
    name: 'Ada',
    amount_cents: 700,
    kind: 'recurring',
    interval: 'month',
    char_id: 'ada',
  },
]

describe.each(stores())('the built-in provider on $name', (kind) => {
  let store: Store
  let clock: FakeClock
  let world: World
  let terms: Terms
  let seller: { key: string; id: string }
  let payer: { key: string; id: string }

  beforeEach(async () => {
    store = await kind.open()
    clock = fakeClock()
    terms = { store, clock, tell: (event) => handled(world.ports, event) }
    const publicUrl = (): string => 'http://127.0.0.1:8080'
    const payments = openTestPayments({ ...terms, prices, currency: 'usd', publicUrl })
    world = openWorld(store, { clock, payments })
    seller = await world.account()
    payer = await world.account()
    const visibility = { profile_visibility: 'public', ability_access: { feed: 'public_paid' } }
    const character = { id: 'ada', name: 'Ada', visibility }
    await world.ask('characters.create', { character }, seller.key)
  })
  afterEach(async () => {
    await expectBooksBalanced(store)
    await store.close()
  })

  const bought = async (price_id: string): Promise<string> => {
    const of = { price_id }
    const { id } = await world.ask<{ id: string }>(
      'payments.create_checkout_session',
      of,
      payer.key,
    )
    return (await store.checkouts.get(id))?.session ?? ''
  }
  const passes = async (milliseconds: number): Promise<void> => {
    clock.set(clock.now().getTime() + milliseconds)
    while ((await paymentsDue(world.ports, clock.now())) > 0);
  }

  /** Waits, since no one else waits for the events of invoices. */
  const sellerHas = (cents: number): Promise<void> =>
    until(async () => (await held(store, seller.id)) === `${cents} available, 0 pending, 0 held`)

  it('fills the wallet at once when its page is paid, and once when it is paid twice', async () => {
    const session = await bought('credits')
    await Promise.all([paySession(terms, session), paySession(terms, session)])
    expect(await held(store, payer.id)).toBe('500 available, 0 pending, 0 held')
    await passes(day)
    expect(await held(store, payer.id)).toBe('500 available, 0 pending, 0 held')
  })

  it('fills the wallet although the process died before it told', async () => {
    await paySession({ store, clock }, await bought('credits'))
    expect(await held(store, payer.id)).toBe('nothing')
    await passes(10_000)
    expect(await held(store, payer.id)).toBe('500 available, 0 pending, 0 held')
  })

  it('opens what is for subscribers until the subscription is ended, and pays the seller', async () => {
    const reads = async (): Promise<number> =>
      world.ask<{ items: [] }>('posts.list', { char_id: 'ada' }, payer.key).then(
        ({ items }) => items.length,
        () => -1,
      )
    expect(await reads()).toBe(-1)
    const session = await bought('of_ada')
    await paySession(terms, session)
    expect(await reads()).toBe(0)
    await sellerHas(700)
    const [subscription] = await store.subscriptions.find({})
    await endSubscription(terms, subscription?.id ?? '')
    expect(await reads()).toBe(-1)
    await passes(60 * day)
    await sellerHas(700)
  })

  it('takes nothing more for an account that is closed, whenever it subscribed', async () => {
    const late = await bought('of_ada')
    await paySession(terms, await bought('of_ada'))
    await sellerHas(700)
    const at = clock.now().toISOString()
    await store.accounts.update({ id: payer.id }, { $set: { closed_at: at, closing_due_at: at } })
    await closeAccounts(world.ports, clock.now())
    expect(await store.subscriptions.find({})).toMatchObject([{ status: 'ended' }])
    // Its page was opened before.
    await paySession(terms, late)
    await passes(60 * day)
    await sellerHas(1400)
    expect(await store.subscriptions.count({ status: 'ended' })).toBe(2)
    const kept = await store.test_payments.find({ kind: 'subscription' })
    expect(kept).toMatchObject([{ status: 'ended' }, { status: 'ended' }])
  })

  it('is paid again every month, without a visit to its pages', async () => {
    await paySession(terms, await bought('of_ada'))
    for (let i = 0; i < 12; i++) await passes(8 * day)
    await sellerHas(2800)
  })
})
