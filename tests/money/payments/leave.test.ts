import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { closeAccounts } from '#src/departures/account.ts'
import { timestamp } from '#src/core/time.ts'
import { expectBooksBalanced } from '#tests/support/books.ts'
import { stores } from '#tests/support/stores.ts'
import { desksOn, held, type Desk } from './desk.ts'

describe.each(stores())('a subscription to an agent that goes, on $name', (kind) => {
  const open = desksOn(kind)
  let desk: Desk
  let seller: { key: string; id: string }
  let subscription: string

  beforeEach(async () => {
    desk = await open()
    const { world, stripe } = desk
    seller = await world.account()
    await world.ask('characters.create', { character: { id: 'ada', name: 'Ada' } }, seller.key)
    const price = stripe.addPrice({ amount: 700, interval: 'month', charId: 'ada' })
    const bought = await desk.buys((await world.account()).key, price)
    await desk.hears(stripe.books.pay(bought.session))
    ;[subscription = ''] = stripe.books.subscriptions.keys()
    expect(await statuses()).toEqual(['active', 'active'])
  })
  afterEach(async () => {
    await expectBooksBalanced(desk.store)
    await desk.close()
  })

  /** With us, and with the provider. */
  const statuses = async (): Promise<(string | undefined)[]> => [
    (await desk.store.subscriptions.get(subscription))?.status,
    desk.stripe.books.subscriptions.get(subscription)?.status,
  ]

  it('ends with the provider once the agent is deleted', async () => {
    await desk.world.ask('characters.delete', { char_id: 'ada' }, seller.key)
    await desk.passes(0)
    expect(await statuses()).toEqual(['ended', 'canceled'])
  })

  it('ends when the provider is there again that was away when the agent was deleted', async () => {
    await desk.world.ask('characters.delete', { char_id: 'ada' }, seller.key)
    desk.stripe.misbehave('unauthenticated')
    await desk.passes(0)
    expect(await statuses()).toEqual(['active', 'active'])
    await desk.passes(3_600_000)
    expect(await statuses()).toEqual(['ended', 'canceled'])
  })

  it('earns nothing for another account that takes the id', async () => {
    await desk.world.ask('characters.delete', { char_id: 'ada' }, seller.key)
    const other = await desk.world.account()
    const character = { id: 'ada', name: 'Another' }
    await desk.world.ask('characters.create', { character }, other.key)
    const [, events] = desk.stripe.books.renew(subscription)
    await desk.hears(events)
    expect(await held(desk.store, other.id)).toBe('nothing')
    expect(await held(desk.store, seller.id)).toBe('700 available, 0 pending, 0 held')
    expect(await statuses()).toEqual(['ended', 'canceled'])
  })

  it('ends once the account of the agent is closed', async () => {
    const now = timestamp(desk.clock.now())
    const closed = { closed_at: now, closing_due_at: now }
    await desk.store.accounts.update({ id: seller.id }, { $set: closed })
    await closeAccounts(desk.world.ports, desk.clock.now())
    expect(await statuses()).toEqual(['ended', 'canceled'])
  })
})
