import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { holdingsOf } from '#src/accounts/people/holdings.ts'
import { holdingsOf as shown } from '#protocol/web/holdings.ts'
import type { Store } from '#src/ports/store.ts'
import type { StoredTransaction } from '#src/money/wallet/transaction.ts'
import { emptyWallet } from '#src/money/wallet/wallet.ts'
import { stores } from '#tests/support/stores.ts'
import { openWorld, type World } from '#tests/support/world.ts'

const at = '2026-01-01T00:00:00.000Z'

describe.each(stores())('what an account has, on $name', (kind) => {
  let store: Store
  let world: World
  beforeAll(async () => {
    store = await kind.open()
    world = openWorld(store)
  })
  afterAll(() => store.close())

  const enter = (wallet: string, nth: number, line: Partial<StoredTransaction>) => {
    const id = `txn_${wallet}_${nth}`
    const one: StoredTransaction = {
      id,
      wallet,
      nth,
      entry: id,
      kind: 'charge',
      amount_cents: -250,
      currency: 'eur',
      balance_after_cents: 0,
      status: 'posted',
      description: '',
      char_id: null,
      task_id: null,
      run_id: null,
      reference: null,
      char_kind: null,
      created_at: at,
      ...line,
    }
    return store.wallet_transactions.insert(one)
  }

  it('is nothing but its key at first', async () => {
    const { id } = await world.account()
    const nothing = { newest: [], count: 0 }
    const holdings = {
      agents: nothing,
      apps: nothing,
      runs: { count: 0, more: false },
      keys: 1,
      wallet: null,
    }
    expect(await holdingsOf(store, id)).toEqual(holdings)
  })

  it('is counted, and named newest first, and nothing of others is', async () => {
    const { id, key } = await world.account()
    const other = await world.account()
    await world.ask('characters.create', { character: { name: 'Of another' } }, other.key)
    const first = await world.ask<{ id: string }>(
      'characters.create',
      { character: { name: 'First' } },
      key,
    )
    await store.characters.update({ id: first.id }, { $set: { created_at: at } })
    const second = await world.ask<{ id: string }>(
      'characters.create',
      { character: { name: 'Second' } },
      key,
    )
    const made = await world.ask<{ id: string }>('api_keys.create', { name: 'Another' }, key)
    expect(await holdingsOf(store, id)).toMatchObject({
      agents: {
        count: 2,
        newest: [
          { id: second.id, name: 'Second' },
          { id: first.id, name: 'First' },
        ],
      },
      keys: 2,
    })
    await world.ask('api_keys.revoke', { key_id: made.id }, key)
    expect(await holdingsOf(store, id)).toMatchObject({ keys: 1 })
  })

  it('is what the wallet holds, and what it was charged', async () => {
    const { id } = await world.account()
    const held = { available_cents: 1250, held_cents: 300, pending_cents: 50 }
    await store.wallets.insert({ ...emptyWallet(id, 'eur'), ...held })
    await enter(id, 1, { kind: 'top_up', amount_cents: 5000 })
    await enter(id, 2, {})
    await enter(id, 3, { kind: 'hold' })
    await enter(id, 4, { amount_cents: -500 })
    const holdings = await holdingsOf(store, id)
    expect(holdings.wallet).toEqual({
      currency: 'eur',
      available_cents: 1250,
      bound_cents: 350,
      spent_cents: 750,
      spentMore: false,
    })
    const { text } = shown(holdings)
    expect(text.replace(/\s+/g, ' ')).toMatch(
      /In the wallet<\/dt> <dd>€12\.50<[^]*on its way<\/dt> <dd>€3\.50<[^]*Spent<\/dt> <dd>€7\.50<\/dd>/,
    )
  })
})
