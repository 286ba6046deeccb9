import { emitted } from '#src/events/emit.ts'
import type { Store, Write } from '#src/ports/store.ts'
import type { Transaction } from '../wallet/transaction.ts'

/** Money that an account can now spend. */
export interface Credit extends Pick<Transaction, 'amount_cents' | 'currency' | 'reference'> {
  /** The account, which is also the id of its wallet. */
  wallet: string
  kind: 'top_up' | 'earning'
  /** The agent that earned it, whose hooks are told too. */
  char_id?: string | null
  app_id?: string | null
  task_id?: string | null
}

/**
 * The writes that tell the account of money that it got: none where nothing listens.
 * @param booking the writes of the money's booking, which say what the wallet then holds
 */
export function credited(
  store: Store,
  credit: Credit,
  booking: readonly Write[],
  now: Date,
): Promise<Write[]> {
  const { wallet, char_id = null, app_id = null, task_id = null, ...told } = credit
  const data = { ...told, char_id, task_id, balance_cents: availableIn(wallet, booking) }
  const subject = { ownerId: wallet, charId: char_id, appId: app_id }
  return emitted(store, { type: 'wallet.credited', ...subject, data }, now)
}

/** What a wallet has available once the writes are done; null where they do not change it. */
function availableIn(wallet: string, writes: readonly Write[]): number | null {
  for (const write of writes) {
    if (write.in !== 'wallets') continue
    if ('insert' in write && write.insert.id === wallet) return write.insert.available_cents
    if ('change' in write && write.update.id === wallet) {
      return write.change.$set?.available_cents ?? null
    }
  }
  return null
}
