import { newId } from '#src/core/ids.ts'
import { timestamp } from '#src/core/time.ts'
import type { Store, Write } from '#src/ports/store.ts'
import type { Posting } from './ledger.ts'
import { checkMovement, walletsOf, type Line, type Movement } from './movement.ts'
import { charKind, countedCents, type StoredTransaction } from './transaction.ts'
import { buckets, canHold, emptyWallet, type StoredWallet } from './wallet.ts'

/** A wallet does not hold the money to be taken from it, or holds another currency. */
export class InsufficientFunds extends Error {
  override readonly name = 'InsufficientFunds'
}

/**
 * The writes that enter movements in the ledger, in the wallets and in their lines, one after the
 * other. Each wallet is bound to what it held when this was decided: `Unmet` or `DuplicateKey` of the
 * commit in `wallets` means that it must be decided again (`isOvertaken`), and `DuplicateKey` in
 * `ledger` that a cause has been entered before.
 * @throws InsufficientFunds
 * @throws RangeError if the books would not balance
 */
export async function bookingOf(
  { wallets }: Pick<Store, 'wallets'>,
  movements: readonly Movement[],
  now: Date,
): Promise<Write[]> {
  for (const movement of movements) checkMovement(movement)
  const ids = [...new Set(movements.flatMap((movement) => [...walletsOf(movement)]))]
  const before = await Promise.all(ids.map(async (id) => [id, await wallets.get(id)] as const))
  const held = new Map<string, StoredWallet>()
  for (const [id, wallet] of before) if (wallet) held.set(id, wallet)
  const at = timestamp(now)
  const writes = movements.flatMap((movement) => entered(movement, held, at))
  for (const [id, known] of before) {
    const wallet = held.get(id)
    if (wallet) writes.push(bound(known, wallet))
  }
  return writes
}

/** The writes of one movement without those of the wallets, which are changed in memory. */
function entered(movement: Movement, wallets: Map<string, StoredWallet>, at: string): Write[] {
  const { cause, currency, postings, lines, settles = [] } = movement
  for (const id of walletsOf(movement)) {
    const own = postings.filter(({ account }) => account === id)
    const before = wallets.get(id) ?? emptyWallet(id, currency)
    // Where only a line ends, the wallet may already hold another currency.
    const after =
      own.length === 0 ? { ...before, updated_at: at } : posted(before, own, currency, at)
    wallets.set(id, after)
  }
  return [
    { in: 'ledger', insert: { id: cause, at, currency, postings: [...postings] } },
    ...settles.map(({ id, wallet, from, to }): Write => {
      const line = { id, wallet, status: from }
      return { in: 'wallet_transactions', update: line, change: { $set: { status: to } } }
    }),
    ...linesOf(lines, movement, wallets, at),
  ]
}

/** A wallet after its postings of one movement. */
function posted(
  wallet: StoredWallet,
  postings: readonly Posting[],
  currency: string,
  at: string,
): StoredWallet {
  if (!canHold(wallet, currency)) {
    throw new InsufficientFunds(`the wallet ${wallet.id} is not kept in ${currency}`)
  }
  const after = { ...wallet, currency, updated_at: at }
  for (const { bucket, amount_cents } of postings) after[`${bucket}_cents`] += amount_cents
  for (const bucket of buckets) {
    const cents = after[`${bucket}_cents`]
    if (cents < 0) throw new InsufficientFunds(`the wallet ${wallet.id} does not hold that much`)
    if (!Number.isSafeInteger(cents)) throw new RangeError(`${wallet.id} would hold too much`)
  }
  return after
}

/** The lines of a movement, numbered on; each says what its wallet had available after it. */
function linesOf(
  lines: readonly Line[],
  { cause, currency }: Movement,
  wallets: Map<string, StoredWallet>,
  at: string,
): Write[] {
  const stored = lines.map((line): StoredTransaction => {
    const wallet = wallets.get(line.wallet) ?? emptyWallet(line.wallet, currency)
    const nth = wallet.lines + 1
    wallets.set(wallet.id, { ...wallet, lines: nth })
    const charId = line.char_id ?? null
    return {
      id: line.id ?? newId('txn'),
      kind: line.kind,
      amount_cents: line.amount_cents,
      currency,
      balance_after_cents: 0,
      status: line.status ?? 'posted',
      description: line.description,
      char_id: charId,
      task_id: line.task_id ?? null,
      run_id: line.run_id ?? null,
      reference: line.reference ?? null,
      created_at: at,
      wallet: wallet.id,
      entry: cause,
      nth,
      char_kind: charId === null ? null : charKind(charId, line.kind),
    }
  })
  // From the last one back: the balance after all of them is known.
  const left = new Map<string, number>()
  for (const line of stored.toReversed()) {
    const balance = left.get(line.wallet) ?? wallets.get(line.wallet)?.available_cents ?? 0
    line.balance_after_cents = balance
    left.set(line.wallet, balance - countedCents(line))
  }
  return stored.map((insert) => ({ in: 'wallet_transactions', insert }))
}

function bound(before: StoredWallet | undefined, wallet: StoredWallet): Write {
  const revision = (before?.revision ?? 0) + 1
  const after = { ...wallet, revision }
  if (!before) return { in: 'wallets', insert: after }
  const { id, ...members } = after
  return {
    in: 'wallets',
    update: { id, revision: before.revision },
    change: { $set: members },
  }
}
