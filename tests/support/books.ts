import { expect } from 'vitest'
import type { Filter } from '#src/ports/filter.ts'
import type { Collection, Sort, Store } from '#src/ports/store.ts'
import { refundsAccount, type LedgerEntry } from '#src/money/wallet/ledger.ts'
import { countedCents, type StoredTransaction } from '#src/money/wallet/transaction.ts'
import { buckets, isWallet, type Bucket, type StoredWallet } from '#src/money/wallet/wallet.ts'

const pageSize = 500

/** What the ledger says, added up over all of it. */
export interface Books {
  entries: number
  lines: number
  /** What a part of an account holds; 0 where nothing was ever posted to it. */
  cents(account: string, bucket: Bucket, currency: string): number
}

/** What the postings to a part of an account say that it holds. */
interface Sum {
  account: string
  bucket: Bucket
  currency: string
  cents: number
}

/** Everything of a collection, page by page. */
async function* all<T extends { id: string }>(collection: Collection<T>): AsyncGenerator<T> {
  // Every stored type has an id; the generic sort does not know that.
  const sort = { id: 1 } as Sort<T>
  let page = await collection.find({}, { sort, limit: pageSize })
  for (;;) {
    yield* page
    const last = page.at(-1)
    if (!last || page.length < pageSize) return
    page = await collection.find(after<T>(last.id), { sort, limit: pageSize })
  }
}

function after<T extends { id: string }>(id: string): Filter<T> {
  return { id: { $gt: id } }
}

class Audit {
  readonly faults: string[] = []
  readonly entries = new Map<string, LedgerEntry>()
  readonly lines = new Map<string, StoredTransaction[]>()
  readonly sums = new Map<string, Sum>()

  cents(account: string, bucket: Bucket, currency: string): number {
    return this.sums.get([account, bucket, currency].join(' '))?.cents ?? 0
  }

  post(entry: LedgerEntry): void {
    this.entries.set(entry.id, entry)
    let total = 0
    for (const { account, bucket, amount_cents } of entry.postings) {
      if (!Number.isSafeInteger(amount_cents)) this.faults.push(`${entry.id}: no whole cents`)
      const cents = this.cents(account, bucket, entry.currency) + amount_cents
      const sum = { account, bucket, currency: entry.currency, cents }
      this.sums.set([account, bucket, entry.currency].join(' '), sum)
      total += amount_cents
    }
    if (total !== 0) this.faults.push(`${entry.id} sums to ${total}`)
  }

  line(line: StoredTransaction): void {
    const own = this.lines.get(line.wallet) ?? []
    own.push(line)
    this.lines.set(line.wallet, own)
    const entry = this.entries.get(line.entry)
    if (!entry) this.faults.push(`the line ${line.id} is of no entry: ${line.entry}`)
    if (entry && entry.currency !== line.currency) this.faults.push(`${line.id}: ${line.currency}`)
    if (!Number.isSafeInteger(line.amount_cents)) this.faults.push(`${line.id}: no whole cents`)
  }

  wallet(wallet: StoredWallet): void {
    const { id, currency } = wallet
    for (const bucket of buckets) {
      const held = wallet[`${bucket}_cents`]
      const sum = this.cents(id, bucket, currency)
      if (held !== sum) this.faults.push(`${id} has ${bucket} ${held}, its postings say ${sum}`)
      if (held < 0) this.faults.push(`${id} has ${bucket} ${held}`)
    }
    const lines = (this.lines.get(id) ?? []).toSorted((a, b) => a.nth - b.nth)
    this.lines.delete(id)
    const counted = lines.reduce((sum, line) => sum + countedCents(line), 0)
    if (counted !== wallet.available_cents) {
      this.faults.push(`${id} has ${wallet.available_cents}, its lines say ${counted}`)
    }
    const numbers = lines.map(({ nth }) => nth)
    const wanted = Array.from({ length: wallet.lines }, (_, place) => place + 1)
    if (numbers.join() !== wanted.join()) this.faults.push(`${id} has lines ${numbers.join()}`)
    this.#balances(lines)
  }

  /** What was left after each line; not known where a line began to count later than it was entered. */
  #balances(lines: readonly StoredTransaction[]): void {
    if (lines.some((line) => this.#wasPending(line))) return
    let balance = 0
    for (const line of lines) {
      balance += countedCents(line)
      if (line.balance_after_cents === balance) continue
      const { id, kind, balance_after_cents } = line
      this.faults.push(`the ${kind} ${id} left ${balance}, and says ${balance_after_cents}`)
    }
  }

  #wasPending({ entry, wallet }: StoredTransaction): boolean {
    const { postings = [] } = this.entries.get(entry) ?? {}
    return postings.some(({ account, bucket }) => account === wallet && bucket === 'pending')
  }

  rest(wallets: ReadonlyMap<string, StoredWallet>): void {
    for (const id of this.lines.keys()) this.faults.push(`lines of no wallet: ${id}`)
    for (const { account, bucket, currency, cents } of this.sums.values()) {
      const wallet = wallets.get(account)
      if (isWallet(account) && !wallet) this.faults.push(`there is no wallet ${account}`)
      // It may change its currency while it is empty.
      if (wallet && wallet.currency !== currency && cents !== 0) {
        this.faults.push(`${account} has ${bucket} ${cents} ${currency}, and ${wallet.currency}`)
      }
      if (account === refundsAccount && cents < 0) {
        this.faults.push(`more was given back than was owed: ${cents}`)
      }
    }
  }
}

/**
 * Adds up all that was ever entered, of a store at rest: every entry sums to zero, every wallet holds
 * the sum of its postings and what its lines say, and nothing is below zero.
 */
export async function expectBooksBalanced(store: Store): Promise<Books> {
  const audit = new Audit()
  const wallets = new Map<string, StoredWallet>()
  let lines = 0
  for await (const entry of all(store.ledger)) audit.post(entry)
  for await (const line of all(store.wallet_transactions)) {
    audit.line(line)
    lines += 1
  }
  for await (const wallet of all(store.wallets)) {
    wallets.set(wallet.id, wallet)
    audit.wallet(wallet)
  }
  audit.rest(wallets)
  expect(audit.faults).toEqual([])
  const cents = audit.cents.bind(audit)
  return { entries: audit.entries.size, lines, cents }
}
