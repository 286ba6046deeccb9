import { afterEach, beforeEach, describe, expect, it as itOnEach } from 'vitest'
import type { SentSession } from '#src/core/admission/session.ts'
import type { Approval } from '#src/runs/approvals/approval.ts'
import type { OpenedStore } from '#adapters/store/opened.ts'
import type { Run } from '#src/runs/run.ts'
import { runner, type Runner } from '#src/work/runner.ts'
import { fakeClock, type FakeClock } from '#tests/support/fake-clock.ts'
import { settleCheckout } from '#src/money/payments/settle-checkout.ts'
import { payAndTell } from '#tests/support/orders.ts'
import { book, topUp } from '#tests/money/wallet/movements.ts'
import { stores, type Place } from '#tests/support/stores.ts'
import { onFirstStore } from '#tests/support/suite/first-store.ts'
import { openWorld, type World } from '#tests/support/world.ts'
import { signedInPerson } from './people/persons.ts'

describe.each(stores())('what an account leaves to persons on $name', (kind) => {
  const { it } = onFirstStore(kind)
  let place: Place
  let store: OpenedStore
  let clock: FakeClock
  let world: World
  let worker: Runner
  let owner: { key: string; id: string }
  let session: SentSession
  let holder: string

  beforeEach(async () => {
    place = await kind.place()
    store = await place.open()
    clock = fakeClock()
    world = openWorld(store, { clock })
    worker = runner(world.ports, 2)
    world.ports.wake.connect('runs', (count) => worker.wake(count))
    owner = await world.account()
    const person = await signedInPerson(world.ports)
    holder = person.id
    await store.accounts.update({ id: owner.id }, { $set: { holder_id: holder } })
    session = { token: person.token, accountId: owner.id }
    for (const id of ['ada', 'bob']) {
      await world.ask('characters.create', { character: { id, name: id } }, owner.key)
    }
  })
  afterEach(async () => {
    await worker.stop()
    await store.close()
    await place.remove()
  })

  const asked = async (gate: object = {}): Promise<string> => {
    const approval_gate = { requires_approval: true, ...gate }
    const task = { task_id: 't', name: 'T', runtime: 'template', prompt: 'Hi', approval_gate }
    await world.ask('tasks.create', { char_id: 'ada', task }, owner.key)
    const call = { char_id: 'ada', task_id: 't', wait_seconds: 60 }
    return (await world.ask<Run>('tasks.run', call, owner.key)).approval_id ?? ''
  }
  const set = (input: object, by: string | SentSession = owner.key) =>
    world.ask('account.update', input, by)
  const decide = (approval_id: string, more: object = {}, by: string | SentSession = session) =>
    world.ask<Approval>('approvals.decide', { approval_id, decision: 'approve', ...more }, by)

  it('are approvals that say that they ask a person, and one decides', async () => {
    await set({ approvals_need_person: true })
    const approval_id = await asked()
    const kept = await world.ask<Approval>('approvals.get', { approval_id }, owner.key)
    expect(kept).toMatchObject({ require_person: true, state: 'pending' })
    expect(await decide(approval_id)).toMatchObject({ state: 'approved' })
  })

  it('are approvals of more agents than there are persons, each answered for by one', async () => {
    await set({ approvals_need_person: true })
    const approval_id = await asked({ approvers: ['ada', 'bob'], min_approvals: 2 })
    const by = { approval_id, decision: 'approve', as_char_id: 'ada' }
    const refused = await world.refusal('approvals.decide', by, owner.key)
    expect(refused.code).toBe('person_needed')
    await decide(approval_id, { as_char_id: 'ada' })
    expect(await decide(approval_id, { as_char_id: 'bob' })).toMatchObject({ state: 'approved' })
  })

  it('are votes on the approvals of other accounts too', async () => {
    const other = await world.account()
    await world.ask('characters.create', { character: { id: 'eve', name: 'eve' } }, other.key)
    const edge = { char_id: 'eve', friend_id: 'ada', permissions: ['approve'] }
    await world.ask('friends.request', edge, other.key)
    await world.ask('friends.accept', { char_id: 'ada', friend_id: 'eve' }, owner.key)
    const approval_id = await asked({ approvers: ['eve'] })
    await set({ approvals_need_person: true }, other.key)
    const vote = { approval_id, decision: 'approve' }
    expect((await world.refusal('approvals.decide', vote, other.key)).code).toBe('person_needed')
  })

  it('is taken back only by a person who holds the account now', async () => {
    await set({ approvals_need_person: true })
    const off = { approvals_need_person: false }
    expect((await world.refusal('account.update', off, owner.key)).code).toBe('person_needed')
    await store.accounts.update({ id: owner.id }, { $set: { holder_id: 'usr_other' } })
    expect((await world.refusal('account.update', off, session)).code).toBe('forbidden')
    await store.accounts.update({ id: owner.id }, { $set: { holder_id: holder } })
    expect(await set(off, session)).toMatchObject(off)
    expect(await decide(await asked(), {}, owner.key)).toMatchObject({ state: 'approved' })
  })

  it('is never loosened by a key that repeats an older figure while a person lowers it', async () => {
    await set({ key_spend_cents_a_day: 500 })
    const calls = Array.from({ length: 10 }, (_, i) =>
      i % 2 === 0
        ? set({ key_spend_cents_a_day: 100 - i }, session)
        : set({ key_spend_cents_a_day: 500 }).catch(() => undefined),
    )
    await Promise.all(calls)
    const { key_spend_cents_a_day } = (await store.accounts.get(owner.id)) ?? {}
    expect(key_spend_cents_a_day).toBeLessThanOrEqual(100)
  })

  describe('of its wallet', () => {
    const service = {
      runtime: 'template',
      prompt: 'Drawn',
      service_enabled: true,
      price_cents: 300,
    }

    beforeEach(async () => {
      const seller = await world.account()
      const visibility = { profile_visibility: 'public' }
      await world.ask(
        'characters.create',
        { character: { id: 'sel', name: 'S', visibility } },
        seller.key,
      )
      await world.ask(
        'tasks.create',
        { char_id: 'sel', task: { task_id: 's', name: 'S', ...service } },
        seller.key,
      )
      const currency = await world.ports.payments.currency()
      await book(store, { ...topUp(owner.id, 10_000, 'top-up'), currency })
      await set({ key_spend_cents_a_day: 700 })
    })

    const order = (in_: World, by: string | SentSession = owner.key): Promise<unknown> =>
      in_.ask('orders.create', { char_id: 'sel', task_id: 's' }, by)
    const available = async () => (await store.wallets.get(owner.id))?.available_cents

    it('is what keys pay at checkouts too, from when they are paid', async () => {
      const poor = await world.account()
      await set({ key_spend_cents_a_day: 700 }, poor.key)
      const refused = () =>
        world.refusal('orders.create', { char_id: 'sel', task_id: 's' }, poor.key)
      const pages = [await refused(), await refused(), await refused()]
      expect(pages.map(({ code }) => code)).toEqual(pages.map(() => 'payment_required'))
      const paid = async (page: object | undefined) => {
        const { checkout } = page as { checkout: { id: string } }
        await payAndTell(world, checkout.id)
        await settleCheckout(world.ports, checkout.id)
        return (await store.accounts.get(poor.id))?.key_spend?.cents
      }
      expect(await paid(pages[0])).toBe(300)
      expect(await paid(pages[1])).toBe(600)
      expect(await refused()).toMatchObject({
        code: 'person_needed',
        detail: expect.stringContaining('have spent 600 today: this costs 300'),
      })
      // What a page was opened for before is paid all the same, and counted.
      expect(await paid(pages[2])).toBe(900)
      const person = await signedInPerson(world.ports)
      await store.accounts.update({ id: poor.id }, { $set: { holder_id: person.id } })
      const by = { token: person.token, accountId: poor.id }
      const own = await world.refusal('orders.create', { char_id: 'sel', task_id: 's' }, by)
      expect(own.code).toBe('payment_required')
      expect(await paid(own)).toBe(900)
    })

    it('is what keys subscribe to, and not what fills the wallet', async () => {
      const buy = (price_id: string) =>
        world.ask<{ id: string }>('payments.create_checkout_session', { price_id }, owner.key)
      await set({ key_spend_cents_a_day: 0 })
      await payAndTell(world, (await buy('top_up_5')).id)
      expect(await available()).toBe(10_500)
      const monthly = { price_id: 'supporter_monthly' }
      const refused = await world.refusal('payments.create_checkout_session', monthly, owner.key)
      expect(refused.code).toBe('person_needed')
      await set({ key_spend_cents_a_day: 1000 }, session)
      await payAndTell(world, (await buy('supporter_monthly')).id)
      expect((await store.accounts.get(owner.id))?.key_spend?.cents).toBe(900)
    })

    itOnEach(
      'is what keys order beyond a figure a day, also where two processes order at once',
      async () => {
        const other = await place.open()
        try {
          const elsewhere = openWorld(other, { clock })
          const calls = Array.from({ length: 8 }, (_, i) => order(i % 2 === 0 ? world : elsewhere))
          const done = await Promise.allSettled(calls)
          expect(done.filter(({ status }) => status === 'fulfilled')).toHaveLength(2)
        } finally {
          await other.close()
        }
        expect(await available()).toBe(9400)
        await order(world, session)
        expect(await available()).toBe(9100)
        await clock.advance(86_400_000)
        await order(world)
        expect(await available()).toBe(8800)
      },
    )
  })
})
