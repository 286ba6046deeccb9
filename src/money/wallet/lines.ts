import { openCursor, sealCursor, type Page, type RowPage } from '#src/core/page.ts'
import type { Filter } from '#src/ports/filter.ts'
import type { Store } from '#src/ports/store.ts'
import { charKind, type StoredTransaction, type Transaction } from './transaction.ts'

/** The lines of a wallet to list. */
export interface Narrowed {
  kind?: Transaction['kind'] | undefined
  char_id?: string | undefined
}

/**
 * A page of the lines of a wallet, newest first. Lines added meanwhile come before the first page, and
 * shift nothing.
 * @throws Refusal `cursor_invalid`
 */
export async function linesOfWallet(
  { wallet_transactions }: Pick<Store, 'wallet_transactions'>,
  wallet: string,
  { kind, char_id }: Narrowed,
  { limit, cursor }: Page,
): Promise<RowPage> {
  const list = `transactions ${wallet} ${JSON.stringify([kind, char_id])}`
  const order = { list, by: 'nth', direction: -1 } as const
  const narrow = { wallet, ...narrowed({ kind, char_id }) }
  const before = cursor === undefined ? undefined : openCursor(order, cursor)[0]
  const filter = before === undefined ? narrow : { ...narrow, nth: { $lt: before } }
  const rows = await wallet_transactions.text(filter, { sort: { nth: -1 }, limit: limit + 1 })
  if (rows.length <= limit) return { rows, next: null }
  const shown = rows.slice(0, limit)
  const { id = '' } = shown.at(-1) ?? {}
  // It is hidden, so the text does not contain it.
  const [found] = await wallet_transactions.pick(['nth'], { id }, { limit: 1 })
  return { rows: shown, next: sealCursor(order, [found?.[0] ?? 0, id]) }
}

/** The filter that has an index, for every query. */
function narrowed({ kind, char_id }: Narrowed): Filter<StoredTransaction> {
  if (kind !== undefined && char_id !== undefined) return { char_kind: charKind(char_id, kind) }
  return { ...(kind !== undefined && { kind }), ...(char_id !== undefined && { char_id }) }
}
