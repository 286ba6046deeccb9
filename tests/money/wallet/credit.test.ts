import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { credited } from '#src/money/payments/credit.ts'
import type { Store } from '#src/ports/store.ts'
import { bookingOf } from '#src/money/wallet/booking-writes.ts'
import type { Movement } from '#src/money/wallet/movement.ts'
import { stores } from '#tests/support/stores.ts'
import { openWorld } from '#tests/support/world.ts'
import { topUp } from './movements.ts'

describe.each(stores())('what is told of a credit on $name', (kind) => {
  let store: Store
  let wallet: string
  let other: string

  beforeEach(async () => {
    store = await kind.open()
    const world = openWorld(store)
    const { key, id } = await world.account()
    wallet = id
    other = (await world.account()).id
    const triggers = [{ type: 'event', event: 'wallet.credited' }]
    const task = { task_id: 'thank', name: 'Thank', prompt: 'Thanks', triggers }
    const character = { id: 'ada', name: 'Ada', heart: { tasks: [task] } }
    await world.ask('characters.create', { character }, key)
  })
  afterEach(() => store.close())

  /** What the wallet has available by what is told, once these are booked. */
  const toldOf = async (...movements: Movement[]): Promise<unknown[]> => {
    const now = new Date()
    const booking = await bookingOf(store, movements, now)
    const credit = { wallet, amount_cents: 5, currency: 'eur', reference: null } as const
    const writes = await credited(store, { ...credit, kind: 'top_up' }, booking, now)
    await store.commit([...booking, ...writes])
    const events = await store.events.find({ owner_id: wallet }, { sort: { id: 1 } })
    return events.map(({ data }) => data.balance_cents)
  }

  it('names what the wallet holds then, and not what another one does that is booked with it', async () => {
    expect(await toldOf(topUp(other, 7, 'a'), topUp(wallet, 5, 'b'))).toEqual([5])
    expect(await toldOf(topUp(other, 7, 'c'), topUp(wallet, 5, 'd'))).toEqual([5, 10])
    expect(await toldOf(topUp(wallet, 5, 'e'), topUp(other, 7, 'f'))).toEqual([5, 10, 15])
  })

  it('names nothing where the wallet does not change', async () => {
    expect(await toldOf(topUp(other, 7, 'a'))).toEqual([null])
    expect(await toldOf(topUp(other, 7, 'b'))).toEqual([null, null])
  })
})
