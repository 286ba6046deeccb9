import * as z from 'zod'
import type { Store } from '#src/ports/store.ts'
import { countedCents, type Transaction } from './transaction.ts'

/** So many of the newest lines are added up. */
const linesAtMost = 1000
/** What is set aside has neither gone out nor come in when it is available again: it stays in the wallet. */
const within: ReadonlySet<unknown> = new Set<Transaction['kind']>(['hold', 'release'])

export const MoneySince = z
  .object({
    currency: z.string(),
    available_cents: z.int(),
    in_cents: z.int(),
    out_cents: z.int().describe('What went out, as a positive number.'),
    more: z.boolean().describe('Whether there are more lines than were added up.'),
  })
  .meta({ id: 'OverviewMoney' })
/** What a wallet holds, and what came in and went out since a time. */
export type MoneySince = z.infer<typeof MoneySince>

/** The same of an account; null where it has no wallet. */
export async function moneySince(
  { wallets, wallet_transactions }: Pick<Store, 'wallets' | 'wallet_transactions'>,
  accountId: string,
  since: string,
): Promise<MoneySince | null> {
  const wallet = await wallets.get(accountId)
  if (!wallet) return null
  const rows = await wallet_transactions.pick(
    ['amount_cents', 'status', 'created_at', 'kind'],
    { wallet: accountId },
    { sort: { nth: -1 }, limit: linesAtMost + 1 },
  )
  const late = rows.slice(0, linesAtMost).filter(([, , at]) => String(at) >= since)
  const moved = late.filter(([, , , kind]) => !within.has(kind))
  const amounts = moved.map(([amount, status]) =>
    // As it was stored.
    countedCents({ amount_cents: Number(amount), status: status as Transaction['status'] }),
  )
  const sum = (some: readonly number[]): number => some.reduce((all, one) => all + one, 0)
  return {
    currency: wallet.currency,
    available_cents: wallet.available_cents,
    in_cents: sum(amounts.filter((cents) => cents > 0)),
    out_cents: -sum(amounts.filter((cents) => cents < 0)),
    more: rows.length > linesAtMost && late.length === linesAtMost,
  }
}
