import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { Unavailable, type Store } from '#src/ports/store.ts'
import { booked, inWalletTurns } from '#src/money/wallet/book.ts'
import { bookingOf, InsufficientFunds } from '#src/money/wallet/booking-writes.ts'
import { linesOfWallet, type Narrowed } from '#src/money/wallet/lines.ts'
import type { Transaction } from '#src/money/wallet/transaction.ts'
import { expectBooksBalanced } from '#tests/support/books.ts'
import { stores, type Place } from '#tests/support/stores.ts'
import * as moves from './movements.ts'

const [ada, bob] = ['acc_ada', 'acc_bob']

describe.each(stores())('at the wallets on $name', (kind) => {
  let place: Place
  /** Two connections to one database, as two processes have. */
  let both: Store[]
  let store: Store

  beforeEach(async () => {
    place = await kind.place()
    store = await place.open()
    both = [store, await place.open()]
  })
  afterEach(async () => {
    for (const one of both) await one.close()
    await place.remove()
  })

  /** Books at once, by both, and tells what became of each. */
  const atOnce = async (
    count: number,
    one: (store: Store, nth: number) => Promise<unknown>,
  ): Promise<Map<string, number>> => {
    const work = Array.from({ length: count }, (_, nth) => one(both[nth % 2] ?? store, nth))
    const names = (await Promise.allSettled(work)).map((each) =>
      each.status === 'fulfilled' ? String(each.value) : (each.reason as Error).name,
    )
    return new Map([...Map.groupBy(names, (name) => name)].map(([name, all]) => [name, all.length]))
  }

  /** As another process would, which knows nothing of the turns of this one. */
  const bookedAlone = async (where: Store, nth: number): Promise<boolean> => {
    const cause = `order/${nth}`
    for (;;) {
      const writes = await bookingOf(where, [moves.hold(ada, 100, cause)], new Date())
      const done = await where.commit(writes).catch((fault: unknown) => fault)
      if (done === undefined) return true
      // A busy machine may be too slow to tell whether it was done. The ledger does.
      if (done instanceof Unavailable) {
        if ((await where.ledger.get(cause)) !== undefined) return true
      } else if ((done as { in?: string }).in !== 'wallets') throw done
    }
  }

  it.each(['in turns', 'as processes that know nothing of each other'])(
    'the last euro is spent once of a hundred times at once, %s',
    async (how) => {
      await moves.book(store, moves.topUp(ada, 100, 'paid'))
      const spent = await atOnce(100, (where, nth) =>
        how === 'in turns'
          ? moves.book(where, moves.hold(ada, 100, `order/${nth}`))
          : bookedAlone(where, nth),
      )
      expect(Object.fromEntries(spent)).toEqual({ true: 1, InsufficientFunds: 99 })
      expect(await store.wallets.get(ada)).toMatchObject({ available_cents: 0, held_cents: 100 })
      const books = await expectBooksBalanced(store)
      expect(books).toMatchObject({ entries: 2, lines: 2 })
    },
  )

  it('all come through that there is money for, and lines tell in which order', async () => {
    await moves.book(store, moves.topUp(ada, 30, 'paid'))
    const spent = await atOnce(40, (where, nth) =>
      moves.book(where, moves.hold(ada, 1, `order/${nth}`)),
    )
    expect(Object.fromEntries(spent)).toEqual({ true: 30, InsufficientFunds: 10 })
    const { rows } = await linesOfWallet(store, ada, { kind: 'hold' }, { limit: 100 })
    // Stored by the booking.
    const left = rows.map(({ text }) => (JSON.parse(text) as Transaction).balance_after_cents)
    expect(left).toEqual(Array.from({ length: 30 }, (_, nth) => nth))
    await expectBooksBalanced(store)
  })

  it('a cause that both bring at once is entered once, in a wallet that was not there', async () => {
    const topUp = moves.topUp(ada, 100, 'evt_1')
    const entered = await atOnce(40, (where) => moves.book(where, topUp))
    expect(Object.fromEntries(entered)).toEqual({ true: 1, false: 39 })
    const books = await expectBooksBalanced(store)
    expect(books.cents(ada, 'available', 'eur')).toBe(100)
  })

  it('two accounts pay each other at once, and neither waits for ever', async () => {
    for (const id of [ada, bob]) {
      await moves.book(store, moves.topUp(id, 50, `${id}/paid`), moves.hold(id, 50, `${id}/order`))
    }
    const paid = await atOnce(60, (where, nth) => {
      const [from, to] = nth % 4 < 2 ? [ada, bob] : [bob, ada]
      return moves.book(where, moves.charge(from, to, 1, `run/${nth}`))
    })
    expect(Object.fromEntries(paid)).toEqual({ true: 60 })
    expect(await store.wallets.get(ada)).toMatchObject({ available_cents: 30, held_cents: 20 })
    await expectBooksBalanced(store)
  })

  it('what is decided in turn is decided on what the one before left', async () => {
    await moves.book(store, moves.topUp(ada, 10, 'paid'))
    let decided = 0
    const spend = (nth: number): Promise<boolean> =>
      booked({ store }, [ada], () => {
        decided += 1
        return bookingOf(store, [moves.hold(ada, 1, `order/${nth}`)], new Date())
      })
    await Promise.all(Array.from({ length: 10 }, (_, nth) => spend(nth)))
    // None was overtaken: they only waited.
    expect(decided).toBe(10)
  })

  it('a turn that fails is followed by the next one', async () => {
    const order: string[] = []
    const failing = inWalletTurns([bob, ada, ada], () => {
      order.push('first')
      return Promise.reject(new InsufficientFunds('nothing there'))
    })
    const next = inWalletTurns([ada, bob], () => Promise.resolve(order.push('second')))
    await expect(failing).rejects.toBeInstanceOf(InsufficientFunds)
    expect(await next).toBe(2)
    expect(order).toEqual(['first', 'second'])
    expect(await booked({ store }, [ada], () => Promise.resolve([]))).toBe(true)
  })

  const page = async (narrow: Narrowed, cursor?: string) => {
    const { rows, next } = await linesOfWallet(both[1] ?? store, ada, narrow, { limit: 3, cursor })
    return { ids: rows.map(({ id }) => id), next }
  }

  it.each<Narrowed>([{}, { kind: 'top_up' }, { char_id: 'x' }, { kind: 'top_up', char_id: 'x' }])(
    'pages for %o show each line once while others are added',
    async (narrow) => {
      const add = (nth: number): Promise<boolean> => {
        const { lines, ...movement } = moves.topUp(ada, 1, `evt_${nth}`)
        const char_id = nth % 2 === 0 ? 'x' : null
        return moves.book(store, { ...movement, lines: lines.map((one) => ({ ...one, char_id })) })
      }
      for (let nth = 0; nth < 16; nth++) await add(nth)
      await moves.book(store, moves.topUp(bob, 1, 'of another'), moves.hold(ada, 1, 'an order'))
      const every = await linesOfWallet(store, ada, narrow, { limit: 100 })
      const wanted = every.rows.map(({ id }) => id)
      expect(wanted).toHaveLength({ '': 17, kind: 16, char_id: 8, 'kind,char_id': 8 }[keys(narrow)])
      const seen: string[] = []
      let cursor: string | undefined
      for (let nth = 16; ; nth++) {
        const { ids, next } = await page(narrow, cursor)
        seen.push(...ids)
        if (next === null) break
        cursor = next
        await add(nth)
      }
      expect(seen).toEqual(wanted)
    },
  )

  it('lines without an agent belong to none, also where an agent is called null', async () => {
    await moves.book(store, moves.topUp(ada, 1, 'evt_1'))
    expect((await page({ char_id: 'null' })).ids).toEqual([])
    expect((await page({ kind: 'top_up', char_id: 'null' })).ids).toEqual([])
  })

  it('a cursor is of its own filters and of its own wallet', async () => {
    for (let nth = 0; nth < 5; nth++) await moves.book(store, moves.topUp(ada, 1, `evt_${nth}`))
    const { next } = await page({})
    const refused = { code: 'cursor_invalid' }
    await expect(page({ kind: 'top_up' }, next ?? '')).rejects.toMatchObject(refused)
    await expect(page({ char_id: 'x' }, next ?? '')).rejects.toMatchObject(refused)
    const other = linesOfWallet(store, bob, {}, { limit: 3, cursor: next ?? '' })
    await expect(other).rejects.toMatchObject(refused)
    expect((await page({}, next ?? '')).next).toBeNull()
  })
})

const keys = (narrow: Narrowed): '' | 'kind' | 'char_id' | 'kind,char_id' =>
  // The four that are asked for.
  Object.keys(narrow).join() as ReturnType<typeof keys>
