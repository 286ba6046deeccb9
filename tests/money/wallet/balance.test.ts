import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { PaymentsFailed } from '#src/ports/payments.ts'
import type { OpenedStore } from '#adapters/store/opened.ts'
import { stores } from '#tests/support/stores.ts'
import { openWorld } from '#tests/support/world.ts'
import { book, topUp } from './movements.ts'

describe.each(stores())('the balance on $name', (kind) => {
  let store: OpenedStore

  beforeEach(async () => {
    store = await kind.open()
  })
  afterEach(() => store.close())

  it('of a wallet that is there needs no provider; of another it says that none answers', async () => {
    const { payments } = openWorld(store).ports
    const silent = new PaymentsFailed('sk_test_secret is refused', 'not_done')
    const world = openWorld(store, {
      payments: { ...payments, currency: () => Promise.reject(silent) },
    })
    const { key, id } = await world.account()
    const refused = await world.refusal('wallet.balance', {}, key)
    expect(refused).toMatchObject({ code: 'unavailable', retry_after_s: 30 })
    expect(JSON.stringify(refused)).not.toContain('secret')
    await book(store, topUp(id, 70, 'paid'))
    const balance = await world.ask('wallet.balance', {}, key)
    expect(balance).toMatchObject({ currency: 'eur', available_cents: 70 })
  })
})
