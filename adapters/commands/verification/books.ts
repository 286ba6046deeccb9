import { buckets, isWallet, type StoredWallet } from '#src/money/wallet/wallet.ts'
import type { LedgerEntry } from '#src/money/wallet/ledger.ts'
import type { Store } from '#src/ports/store.ts'
import { batchesOf, collectionIn } from '../copy/batches.ts'
import type { Fault, Verifying } from './fault.ts'

/** A wallet that servers change is looked at again so often, until it stays the same for a whole round. */
const roundsAtMost = 3

/** Entries of the ledger that do not sum to zero, and wallets that hold something else than was posted to them. */
export async function* brokenBooks(verifying: Verifying): AsyncGenerator<Fault> {
  let open: ReadonlySet<string> | undefined
  for (let round = 0; round < roundsAtMost && open?.size !== 0; round++) {
    const before = await revisionsOf(verifying.store)
    const sums = new Map<string, number>()
    for await (const entry of entriesOf(verifying)) {
      const rest = entry.postings.reduce((sum, { amount_cents }) => sum + amount_cents, 0)
      if (rest !== 0 && round === 0) {
        const fault = `its postings sum to ${rest} cents`
        yield { at: `ledger ${entry.id}`, fault }
      }
      for (const { account, bucket, amount_cents } of entry.postings) {
        if (!isWallet(account)) continue
        const place = `${account} ${bucket}`
        sums.set(place, (sums.get(place) ?? 0) + amount_cents)
      }
    }
    const moved = new Set<string>()
    for await (const wallet of walletsOf(verifying.store)) {
      if (open && !open.has(wallet.id)) continue
      if (before.get(wallet.id) !== wallet.revision) moved.add(wallet.id)
      else yield* faultsOf(wallet, sums)
    }
    open = moved
  }
}

function* faultsOf(wallet: StoredWallet, sums: ReadonlyMap<string, number>): Generator<Fault> {
  for (const bucket of buckets) {
    const [held, posted] = [wallet[`${bucket}_cents`], sums.get(`${wallet.id} ${bucket}`) ?? 0]
    if (held === posted) continue
    const fault = `${bucket} is ${held} cents, and ${posted} were posted to it`
    yield { at: `wallets ${wallet.id}`, fault }
  }
}

async function revisionsOf(store: Store): Promise<Map<string, number>> {
  const revisions = new Map<string, number>()
  for await (const { id, revision } of walletsOf(store)) revisions.set(id, revision)
  return revisions
}

async function* walletsOf(store: Store): AsyncGenerator<StoredWallet> {
  for await (const batch of batchesOf(collectionIn(store, 'wallets'))) {
    // What is in the collection of wallets.
    yield* batch as StoredWallet[]
  }
}

async function* entriesOf({ store, looked }: Verifying): AsyncGenerator<LedgerEntry> {
  for await (const batch of batchesOf(collectionIn(store, 'ledger'))) {
    // What is in the ledger.
    yield* batch as LedgerEntry[]
    looked(batch.length)
  }
}
