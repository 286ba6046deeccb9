import { describe, expect, it } from 'vitest'
import type { Store } from '#src/ports/store.ts'
import { expectBooksBalanced } from '#tests/support/books.ts'
import { stores } from '#tests/support/stores.ts'
import * as moves from './movements.ts'

const [ada, bob] = ['acc_ada', 'acc_bob']

const wrongs: [string, (store: Store) => Promise<unknown>][] = [
  [
    'an entry that does not sum to zero',
    (store) => store.ledger.update({ id: 'done' }, { $push: { postings: { amount_cents: 1 } } }),
  ],
  ['an entry that is gone', (store) => store.ledger.delete({ id: 'paid' })],
  ['a wallet that holds more', (store) => store.wallets.update({ id: bob }, more('available'))],
  ['a wallet that holds less', (store) => store.wallets.update({ id: ada }, more('held', -1))],
  ['a wallet that is gone', (store) => store.wallets.delete({ id: bob })],
  [
    'a wallet of another currency',
    (store) => store.wallets.update({ id: ada }, { $set: { currency: 'usd' } }),
  ],
  ['a line that is gone', (store) => store.wallet_transactions.delete({ kind: 'charge' })],
  [
    'a line of no entry',
    (store) => store.wallet_transactions.update({ kind: 'hold' }, { $set: { entry: 'none' } }),
  ],
  [
    'a line that says that something else was left',
    (store) =>
      store.wallet_transactions.update({ kind: 'hold' }, { $set: { balance_after_cents: 1 } }),
  ],
  [
    'a line that is posted and did not come',
    (store) =>
      store.wallet_transactions.update({ id: 'txn_coming' }, { $set: { status: 'posted' } }),
  ],
  [
    'a number that two lines have',
    (store) => store.wallet_transactions.update({ kind: 'hold' }, { $set: { nth: 1 } }),
  ],
  [
    'more given back than was owed',
    (store) => moves.book(store, moves.refundDone({ wallet: ada, cents: 1, id: 'txn_refund' })),
  ],
]

function more(part: 'available' | 'held', cents = 1) {
  return { $inc: { [`${part}_cents`]: cents } }
}

describe.each(stores().slice(0, 1))('the sum over everything', (kind) => {
  it.each([['nothing at all', () => Promise.resolve()] as const, ...wrongs])(
    'finds %s',
    async (what, wrong) => {
      const store = await kind.open()
      try {
        await moves.book(store, moves.topUp(ada, 500, 'paid'), moves.hold(ada, 300, 'ordered'))
        await moves.book(store, moves.charge(ada, bob, 100, 'done'))
        await moves.book(store, moves.underWay({ wallet: 'acc_eve', cents: 7, id: 'txn_coming' }))
        await moves.book(store, moves.refundBegun({ wallet: ada, cents: 1, id: 'txn_refund' }))
        const refund = moves.refundDone({ wallet: ada, cents: 1, id: 'txn_refund' })
        await moves.book(store, { ...refund, cause: 'given back' })
        await store.wallet_transactions.update({ id: 'txn_refund' }, pending)
        await wrong(store)
        const sum = expectBooksBalanced(store)
        if (what === 'nothing at all') await sum
        else await expect(sum).rejects.toThrow(/toEqual|deeply equal/)
      } finally {
        await store.close()
      }
    },
  )
})

/** So that it can be settled again. */
const pending = { $set: { status: 'pending' } } as const
