import * as fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, it as itOnEach } from 'vitest'
import { stores } from '#tests/support/stores.ts'
import { onFirstStore } from '#tests/support/suite/first-store.ts'
import { expectBooksBalanced } from '#tests/support/books.ts'
import { desksOn, held, holdBack, lines, type Desk } from './desk.ts'

const day = 86_400_000

const earnedBefore = {
  kind: 'earning',
  amount_cents: 1,
  currency: 'usd',
  balance_after_cents: 1,
  status: 'posted',
  description: 'Of before',
  char_id: null,
  task_id: null,
  run_id: null,
  reference: null,
  entry: 'before',
  nth: 1,
  char_kind: null,
} as const

describe.each(stores())('a subscription by Stripe on $name', (kind) => {
  const { it } = onFirstStore(kind)
  const open = desksOn(kind)
  let desk: Desk
  let seller: { key: string; id: string }
  let reader: { key: string; id: string }
  let price: string

  beforeEach(async () => {
    desk = await open()
    const { world, stripe } = desk
    seller = await world.account()
    reader = await world.account()
    const visibility = { profile_visibility: 'public', ability_access: { feed: 'public_paid' } }
    const character = { id: 'ada', name: 'Ada', visibility }
    await world.ask('characters.create', { character }, seller.key)
    await world.ask('feed.post', { char_id: 'ada', content: 'For subscribers' }, seller.key)
    price = stripe.addPrice({ amount: 700, interval: 'month', charId: 'ada' })
  })
  afterEach(async () => {
    await expectBooksBalanced(desk.store)
    await desk.close()
  })

  const reads = async (): Promise<string> => {
    try {
      const { items } = await desk.world.ask<{ items: { content: string }[] }>(
        'posts.list',
        { char_id: 'ada' },
        reader.key,
      )
      return items.map(({ content }) => content).join()
    } catch (cause) {
      return (cause as { code: string }).code
    }
  }
  const subscribed = async (): Promise<string> => {
    const bought = await desk.buys(reader.key, price)
    await desk.hears(desk.stripe.books.pay(bought.session))
    expect((await desk.checkout(bought.id)).status).toBe('paid')
    const [subscription = ''] = desk.stripe.books.subscriptions.keys()
    return subscription
  }

  it('opens what is for subscribers, and closes it when it has ended', async () => {
    expect(await reads()).toBe('forbidden')
    const id = await subscribed()
    expect(await reads()).toBe('For subscribers')
    expect(await desk.store.subscriptions.get(id)).toMatchObject({
      account_id: reader.id,
      char_id: 'ada',
      status: 'active',
    })
    await desk.hears(desk.stripe.books.changeSubscription(id, { status: 'canceled' }))
    expect(await reads()).toBe('forbidden')
  })

  it('is earned by the owner of the agent, once for each invoice', async () => {
    const id = await subscribed()
    const first = desk.stripe.books.events
    await desk.hears(first)
    expect(await held(desk.store, seller.id)).toBe('700 available, 0 pending, 0 held')
    const [, events] = desk.stripe.books.renew(id)
    await Promise.all([desk.hears(events), desk.hears(events, await desk.another())])
    expect(await held(desk.store, seller.id)).toBe('1400 available, 0 pending, 0 held')
    expect(await lines(desk.store, seller.id)).toEqual(['earning 700 posted', 'earning 700 posted'])
    expect(await held(desk.store, reader.id)).toBe('nothing')
    const [line] = await desk.store.wallet_transactions.find({ wallet: seller.id })
    expect(line).toMatchObject({
      char_id: 'ada',
      reference: expect.stringMatching(/^in_/) as string,
    })
  })

  it('pays no one for an unpaid invoice', async () => {
    const id = await subscribed()
    const [, events] = desk.stripe.books.renew(id, 'subscription_cycle', 'open')
    await desk.hears(events)
    expect(await held(desk.store, seller.id)).toBe('700 available, 0 pending, 0 held')
  })

  it('is kept for the platform where the agent has been deleted since', async () => {
    const id = await subscribed()
    await desk.world.ask('characters.delete', { char_id: 'ada' }, seller.key)
    const [, events] = desk.stripe.books.renew(id)
    await desk.hears([...events, ...events])
    expect(await held(desk.store, seller.id)).toBe('700 available, 0 pending, 0 held')
    const books = await expectBooksBalanced(desk.store)
    expect(books.cents('platform', 'available', 'eur')).toBe(700)
    expect(desk.logged).toContain('a subscription pays an agent that no longer exists')
  })

  it('is kept for the platform where it is paid in another currency', async () => {
    const id = await subscribed()
    const [invoice, events] = desk.stripe.books.renew(id)
    const paid = desk.stripe.books.invoices.get(invoice)
    if (paid) paid.currency = 'usd'
    await desk.hears(events)
    expect(await held(desk.store, seller.id)).toBe('700 available, 0 pending, 0 held')
    const books = await expectBooksBalanced(desk.store)
    expect(books.cents('platform', 'available', 'usd')).toBe(700)
  })

  it('is let in by the first look although all events were lost', async () => {
    const bought = await desk.buys(reader.key, price)
    desk.stripe.books.pay(bought.session)
    await desk.passes(10_000)
    expect(await reads()).toBe('For subscribers')
  })

  it('is let in by its invoice although nothing else was heard', async () => {
    const bought = await desk.buys(reader.key, price)
    const events = desk.stripe.books.pay(bought.session)
    await desk.hears(events.filter(({ type }) => type === 'invoice.paid'))
    expect(await reads()).toBe('For subscribers')
  })

  itOnEach(
    'has its page paid, though older news of it are written down at the same time',
    async () => {
      const bought = await desk.buys(reader.key, price)
      const [first] = desk.stripe.books.payLater(bought.session).slice(-1)
      const other = await desk.another()
      const { store } = desk.world.ports
      const own = store.commit.bind(store)
      const reached = Promise.withResolvers<void>()
      const gone = Promise.withResolvers<void>()
      const once: typeof own = async (writes) => {
        Object.assign(store, { commit: own })
        reached.resolve()
        await gone.promise
        return own(writes)
      }
      Object.assign(store, { commit: once })
      const late = desk.hears(first ? [first] : [])
      await reached.promise
      await desk.hears(desk.stripe.books.settle(bought.session), other)
      gone.resolve()
      expect(await late).toEqual(['received'])
      expect((await desk.checkout(bought.id)).status).toBe('paid')
    },
  )

  it('is checked when its time is over, so that an end whose event was lost is found', async () => {
    const id = await subscribed()
    desk.stripe.books.changeSubscription(id, { status: 'canceled' })
    await desk.passes(29 * day)
    expect(await reads()).toBe('For subscribers')
    await desk.passes(2 * day)
    expect(await reads()).toBe('forbidden')
  })

  it('stays what it was while Stripe cannot be asked, and is asked again', async () => {
    const id = await subscribed()
    desk.stripe.books.changeSubscription(id, { status: 'canceled' })
    desk.stripe.misbehave('unauthenticated')
    await desk.passes(31 * day)
    expect(await reads()).toBe('For subscribers')
    expect(desk.logged).toContain('the payment provider did not report a state')
    await desk.passes(3_600_000)
    expect(await reads()).toBe('forbidden')
  })

  it('is earned although the news of no invoice ever came, once', async () => {
    const bought = await desk.buys(reader.key, price)
    desk.stripe.books.pay(bought.session)
    await desk.passes(10_000)
    expect(await held(desk.store, seller.id)).toBe('700 available, 0 pending, 0 held')
    const [id = ''] = desk.stripe.books.subscriptions.keys()
    // This server was away for longer than Stripe sends its news again.
    for (let months = 0; months < 3; months++) desk.stripe.books.renew(id)
    desk.stripe.books.renew(id, 'subscription_cycle', 'open')
    await desk.passes(31 * day)
    expect(await held(desk.store, seller.id)).toBe('2800 available, 0 pending, 0 held')
    await desk.hears(desk.stripe.books.events)
    expect(await held(desk.store, seller.id)).toBe('2800 available, 0 pending, 0 held')
  })

  it('is kept for the platform where the wallet of the owner is in another currency', async () => {
    const { store, logged } = desk
    const wallet = { available_cents: 1, pending_cents: 0, held_cents: 0, revision: 1, lines: 1 }
    const at = desk.clock.now().toISOString()
    const dollars = { ...wallet, id: seller.id, currency: 'usd', updated_at: at }
    const line = { ...earnedBefore, id: 'txn_before', created_at: at, wallet: seller.id }
    const provider = { account: 'provider/test', bucket: 'available', amount_cents: -1 } as const
    const owner = { account: seller.id, bucket: 'available', amount_cents: 1 } as const
    const entry = { id: 'before', at, currency: 'usd', postings: [provider, owner] }
    await store.commit([
      { in: 'wallets', insert: dollars },
      { in: 'wallet_transactions', insert: line },
      { in: 'ledger', insert: entry },
    ])
    const bought = await desk.buys(reader.key, price)
    const heard = await desk.hears(desk.stripe.books.pay(bought.session))
    expect(new Set(heard)).toEqual(new Set(['received']))
    const books = await expectBooksBalanced(store)
    expect(books.cents('platform', 'available', 'eur')).toBe(700)
    expect(logged).toContain('a subscription is paid in another currency than wallets are kept in')
  })

  it('ends with its paid time where the provider knows nothing of it any more', async () => {
    const id = await subscribed()
    desk.stripe.books.subscriptions.delete(id)
    await desk.passes(29 * day)
    expect(await reads()).toBe('For subscribers')
    await desk.passes(2 * day)
    expect(await reads()).toBe('forbidden')
    expect((await desk.store.subscriptions.get(id))?.due_at).toBeNull()
  })

  it('is left alone where it belongs to another seller of the same Stripe account', async () => {
    const foreign = desk.stripe.addPrice({ interval: 'month' })
    const id = desk.stripe.books.addSubscription({ customer: 'cus_of_another', price: foreign })
    const [, events] = desk.stripe.books.renew(id)
    expect(new Set(await desk.hears(events))).toEqual(new Set(['received']))
    expect(await desk.store.subscriptions.count({})).toBe(0)
    expect(await desk.store.ledger.count({})).toBe(0)
  })

  it('ends the same for any order and number of events, at any number of processes', async () => {
    const other = await desk.another()
    const id = await subscribed()
    desk.stripe.books.renew(id)
    desk.stripe.books.changeSubscription(id, { status: 'past_due' })
    desk.stripe.books.renew(id)
    desk.stripe.books.changeSubscription(id, { status: 'canceled' })
    const all = desk.stripe.books.events
    const some = fc.array(fc.record({ nth: fc.nat(all.length - 1), isOther: fc.boolean() }), {
      maxLength: 12,
    })
    await fc.assert(
      fc.asyncProperty(some, async (heard) => {
        await Promise.all(
          heard.flatMap(({ nth, isOther }) => {
            const event = all[nth]
            return event ? [desk.hears([event], isOther ? other : desk.world)] : []
          }),
        )
      }),
      { numRuns: 10 },
    )
    await desk.hears(all)
    expect(await reads()).toBe('forbidden')
    expect(await held(desk.store, seller.id)).toBe('2100 available, 0 pending, 0 held')
  })

  it('is ended in the end, though the news of its beginning are worked on when it ends', async () => {
    const id = await subscribed()
    const answer = holdBack(desk.world.ports.payments, 'subscription')
    const [created] = desk.stripe.books.events.filter(
      ({ type }) => type === 'customer.subscription.created',
    )
    const late = desk.hears(created ? [created] : [])
    await answer.reached
    await desk.hears(desk.stripe.books.changeSubscription(id, { status: 'canceled' }))
    answer.go()
    expect(await late).toEqual(['received'])
    expect(await reads()).toBe('forbidden')
  })
})
