import { retryUnmet } from '#src/core/revision.ts'
import { inTurn } from '#src/core/turns/in-turn.ts'
import { DuplicateKey, type Store, type Write } from '#src/ports/store.ts'

/**
 * Reads, decides and commits a booking while others book in the same wallets: in this process one
 * after the other, and again where another process was quicker. The attempt reads all that it decides
 * on, each time, and must not ask for the turn of a wallet itself.
 * @param wallets ids of all wallets that the movements change
 * @throws what the attempt throws: InsufficientFunds, `DuplicateKey` in `ledger` for a cause that was
 *   entered before; Refusal `write_conflict` when others do not stop
 */
export function inWalletTurns<T>(
  wallets: readonly string[],
  attempt: () => Promise<T>,
): Promise<T> {
  // All ask in one order, so that no two wait for each other.
  return [...new Set(wallets)].toSorted().reduceRight<() => Promise<T>>(
    (work, wallet) => () => inTurn(`wallet ${wallet}`, work),
    () => retryUnmet(attempt),
  )()
}

/**
 * Commits what `decide` gives, in the wallets' turns. It is called again where another process was
 * quicker, so it reads what it decides on itself; no writes mean that there is nothing to do.
 * @returns false where a cause had been entered before, so that nothing was done
 * @throws InsufficientFunds, and what else `decide` and the commit throw
 */
export function booked(
  { store }: { store: Store },
  wallets: readonly string[],
  decide: () => Promise<readonly Write[]>,
): Promise<boolean> {
  return inWalletTurns(wallets, async () => {
    const writes = await decide()
    if (writes.length > 0) await store.commit(writes)
    return true
  }).catch((cause: unknown) => {
    if (wasEntered(cause)) return false
    throw cause
  })
}

/** Whether a commit failed because its cause had been entered in the ledger before. */
export function wasEntered(cause: unknown): boolean {
  return cause instanceof DuplicateKey && cause.in === 'ledger'
}
