import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { Store } from '#src/ports/store.ts'
import { bookingOf, InsufficientFunds } from '#src/money/wallet/booking-writes.ts'
import { linesOfWallet } from '#src/money/wallet/lines.ts'
import type { Movement } from '#src/money/wallet/movement.ts'
import type { Transaction } from '#src/money/wallet/transaction.ts'
import { expectBooksBalanced } from '#tests/support/books.ts'
import { stores } from '#tests/support/stores.ts'
import * as moves from './movements.ts'

const [ada, bob] = ['acc_ada', 'acc_bob']

describe.each(stores())('a booking on $name', (kind) => {
  let store: Store

  beforeEach(async () => {
    store = await kind.open()
  })
  afterEach(() => store.close())

  const book = (...movements: Movement[]): Promise<boolean> => moves.book(store, ...movements)
  const held = async (id: string): Promise<readonly number[]> => {
    const wallet = await store.wallets.get(id)
    return wallet ? [wallet.available_cents, wallet.pending_cents, wallet.held_cents] : []
  }
  const shown = async (id: string): Promise<readonly (readonly unknown[])[]> => {
    const { rows } = await linesOfWallet(store, id, {}, { limit: 100 })
    // Stored by the booking.
    const lines = rows.map(({ text }) => JSON.parse(text) as Transaction)
    return lines.map((one) => [one.kind, one.amount_cents, one.balance_after_cents, one.status])
  }
  /** What it is refused with; nothing of it was done. */
  const refused = async (...movements: Movement[]): Promise<unknown> => {
    const before = await Promise.all([store.ledger.count({}), store.wallets.find({})])
    const cause = await book(...movements).catch((error: unknown) => error)
    expect(await Promise.all([store.ledger.count({}), store.wallets.find({})])).toEqual(before)
    await expectBooksBalanced(store)
    return cause
  }

  it('moves money from the payer over what is held to the seller', async () => {
    await book(moves.topUp(ada, 500, 'paid'), moves.hold(ada, 300, 'ordered'))
    expect(await held(ada)).toEqual([200, 0, 300])
    await book(moves.charge(ada, bob, 300, 'done'))
    expect(await held(ada)).toEqual([200, 0, 0])
    expect(await held(bob)).toEqual([300, 0, 0])
    expect(await shown(ada)).toEqual([
      ['charge', -300, 200, 'posted'],
      ['release', 300, 500, 'posted'],
      ['hold', -300, 200, 'posted'],
      ['top_up', 500, 500, 'posted'],
    ])
    expect(await shown(bob)).toEqual([['earning', 300, 300, 'posted']])
    const books = await expectBooksBalanced(store)
    expect(books).toMatchObject({ entries: 3, lines: 5 })
    expect(books.cents('provider/test', 'available', 'eur')).toBe(-500)
    const ids = (await store.wallet_transactions.find({})).map(({ id }) => id)
    expect(ids).toEqual(ids.map(() => expect.stringMatching(/^txn_[0-9a-f]{32}$/) as string))
  })

  it('of many lines of one wallet in one commit says what was left after each', async () => {
    const sale = moves.charge(ada, ada, 20, 'to oneself')
    await book(moves.topUp(ada, 50, 'a'), moves.hold(ada, 20, 'b'), sale, moves.topUp(ada, 1, 'c'))
    expect(await shown(ada)).toEqual([
      ['top_up', 1, 51, 'posted'],
      ['earning', 20, 50, 'posted'],
      ['charge', -20, 30, 'posted'],
      ['release', 20, 50, 'posted'],
      ['hold', -20, 30, 'posted'],
      ['top_up', 50, 50, 'posted'],
    ])
    await expectBooksBalanced(store)
  })

  it('counts money that is under way once it has come', async () => {
    const [one, other] = ['txn_1', 'txn_2'].map((id) => ({ wallet: ada, cents: 70, id }))
    if (!one || !other) throw new Error('two were made')
    await book(moves.underWay(one))
    await book(moves.underWay(other))
    expect(await held(ada)).toEqual([0, 140, 0])
    expect(await refused(moves.hold(ada, 1, 'early'))).toBeInstanceOf(InsufficientFunds)
    await book(moves.arrived(one))
    await book(moves.lost(other))
    expect(await held(ada)).toEqual([70, 0, 0])
    expect(await shown(ada)).toEqual([
      ['top_up', 70, 0, 'failed'],
      ['top_up', 70, 0, 'posted'],
    ])
    await expectBooksBalanced(store)
  })

  it('does not count money that is under way in what was left after it', async () => {
    const coming = moves.underWay({ wallet: ada, cents: 70, id: 'txn_1' })
    const paid = moves.topUp(ada, 30, 'paid')
    const postings = [...coming.postings, ...paid.postings]
    await book({
      ...paid,
      postings,
      lines: [
        ...coming.lines,
        ...paid.lines,
        ...coming.lines.map((line) => ({ ...line, id: 'txn_2' })),
      ],
    })
    expect(await shown(ada)).toEqual([
      ['top_up', 70, 30, 'pending'],
      ['top_up', 30, 30, 'posted'],
      ['top_up', 70, 0, 'pending'],
    ])
    await expectBooksBalanced(store)
  })

  it('counts a refund from when it was begun, and brings it back should it fail', async () => {
    const one = { wallet: ada, cents: 40, id: 'txn_1' }
    const other = { ...one, id: 'txn_2' }
    await book(moves.topUp(ada, 80, 'paid'), moves.hold(ada, 80, 'ordered'))
    await book(moves.refundBegun(one))
    await book(moves.refundBegun(other))
    expect(await held(ada)).toEqual([0, 0, 0])
    const owed = await expectBooksBalanced(store)
    expect(owed.cents('refunds', 'available', 'eur')).toBe(80)
    await book(moves.refundDone(one))
    await book(moves.refundFailed(other))
    expect(await held(ada)).toEqual([40, 0, 0])
    expect((await shown(ada)).slice(0, 5)).toEqual([
      ['adjustment', 40, 40, 'posted'],
      ['refund', -40, 0, 'failed'],
      ['release', 40, 40, 'posted'],
      ['refund', -40, 0, 'posted'],
      ['release', 40, 40, 'posted'],
    ])
    const books = await expectBooksBalanced(store)
    expect(books.cents('refunds', 'available', 'eur')).toBe(0)
  })

  it('takes nothing that is not there, not even for a moment', async () => {
    expect(await refused(moves.hold(ada, 1, 'of nothing'))).toBeInstanceOf(InsufficientFunds)
    await book(moves.topUp(ada, 10, 'paid'))
    expect(await refused(moves.hold(ada, 11, 'more'))).toBeInstanceOf(InsufficientFunds)
    const late = [moves.hold(ada, 11, 'first'), moves.topUp(ada, 1, 'then')]
    expect(await refused(...late)).toBeInstanceOf(InsufficientFunds)
    expect(await refused(moves.release(ada, 1, 'not held'))).toBeInstanceOf(InsufficientFunds)
    await book(...late.toReversed())
    expect(await held(ada)).toEqual([0, 0, 11])
  })

  it('enters a cause once, for any wallet', async () => {
    expect(await book(moves.topUp(ada, 10, 'evt_1'))).toBe(true)
    expect(await book(moves.topUp(ada, 10, 'evt_1'))).toBe(false)
    expect(await book(moves.topUp(bob, 10, 'evt_1'))).toBe(false)
    expect(await book(moves.topUp(bob, 5, 'evt_2'), moves.topUp(bob, 10, 'evt_1'))).toBe(false)
    const twice = Array.from({ length: 20 }, () => book(moves.topUp(ada, 10, 'evt_3')))
    expect((await Promise.all(twice)).filter(Boolean)).toEqual([true])
    expect(await held(ada)).toEqual([20, 0, 0])
    expect(await held(bob)).toEqual([])
    await expectBooksBalanced(store)
  })

  it('is bound to what each wallet held when it was decided, after any number of others', async () => {
    for (let nth = 1; nth <= 5; nth++) {
      await book(moves.topUp(ada, 10, `evt_${nth}`))
      const [first, second] = [
        await bookingOf(store, [moves.hold(ada, 10, `one/${nth}`)], new Date()),
        await bookingOf(store, [moves.hold(ada, 10, `other/${nth}`)], new Date()),
      ]
      await store.commit(first)
      await expect(store.commit(second)).rejects.toMatchObject({ in: 'wallets' })
      expect(await store.wallets.get(ada)).toMatchObject({ revision: 2 * nth })
    }
    expect(await held(ada)).toEqual([0, 0, 50])
    await expectBooksBalanced(store)
  })

  it('with a line that is there by now fails, and is not taken for one that was entered', async () => {
    const one = moves.underWay({ wallet: ada, cents: 70, id: 'txn_1' })
    await book(one)
    const again = book({ ...one, cause: 'again' })
    await expect(again).rejects.toMatchObject({ in: 'wallet_transactions' })
    expect(await held(ada)).toEqual([0, 70, 0])
    await expectBooksBalanced(store)
  })

  it('settles a line once', async () => {
    const one = { wallet: ada, cents: 70, id: 'txn_1' }
    await book(moves.underWay(one))
    await book(moves.arrived(one))
    await book(moves.underWay({ ...one, id: 'txn_2' }))
    const again = { ...moves.arrived(one), cause: 'again' }
    const writes = await bookingOf(store, [again], new Date())
    await expect(store.commit(writes)).rejects.toMatchObject({ in: 'wallet_transactions' })
    expect(await held(ada)).toEqual([70, 70, 0])
    await expectBooksBalanced(store)
  })

  it('keeps a wallet in one currency, until it is empty', async () => {
    const dollars = (movement: Movement): Movement => ({ ...movement, currency: 'usd' })
    await book(moves.topUp(ada, 10, 'euros'))
    expect(await refused(dollars(moves.topUp(ada, 10, 'dollars')))).toBeInstanceOf(
      InsufficientFunds,
    )
    expect(await refused(dollars(moves.hold(ada, 10, 'spent')))).toBeInstanceOf(InsufficientFunds)
    await book(moves.hold(ada, 10, 'all'))
    expect(await refused(dollars(moves.topUp(ada, 1, 'held')))).toBeInstanceOf(InsufficientFunds)
    await book(moves.charge(ada, bob, 10, 'delivered'))
    await book(dollars(moves.topUp(ada, 3, 'dollars')))
    expect(await store.wallets.get(ada)).toMatchObject({ currency: 'usd', available_cents: 3 })
    await expectBooksBalanced(store)
  })

  it.each([0.5, Number.NaN, Infinity, 2 ** 53, -(2 ** 53), 1e21])(
    'of %s cents is a mistake, and nothing is entered',
    async (cents) => {
      await book(moves.topUp(ada, 10, 'paid'))
      expect(await refused(moves.topUp(ada, cents, 'wrong'))).toBeInstanceOf(RangeError)
      expect(await refused(moves.hold(ada, cents, 'wrong'))).toBeInstanceOf(RangeError)
    },
  )

  it('of more than can be counted is a mistake, and nothing is entered', async () => {
    await book(moves.topUp(ada, Number.MAX_SAFE_INTEGER, 'all there is'))
    expect(await refused(moves.topUp(ada, 1, 'and one more'))).toBeInstanceOf(RangeError)
  })

  it.each<[string, (right: Movement) => Movement]>([
    ['does not sum to zero', (one) => ({ ...one, postings: one.postings.slice(1) })],
    ['shows nothing of it', (one) => ({ ...one, lines: [] })],
    ['shows too much', (one) => ({ ...one, lines: [...one.lines, ...one.lines] })],
    [
      'names an account that there is not',
      (one) => ({ ...one, postings: one.postings.map((each) => ({ ...each, account: 'ada' })) }),
    ],
    [
      'shows what is under way as there',
      (one) => ({ ...one, postings: moves.underWay({ wallet: ada, cents: 10, id: 'x' }).postings }),
    ],
  ])('that %s is a mistake, and nothing is entered', async (_, wrong) => {
    expect(await refused(wrong(moves.topUp(ada, 10, 'wrong')))).toBeInstanceOf(RangeError)
    expect(await store.ledger.count({})).toBe(0)
  })
})
