import * as z from 'zod'

export const Balance = z
  .object({
    currency: z.string().describe('ISO 4217, in lower case.'),
    available_cents: z.int(),
    pending_cents: z.int().describe('Under way from a payer whose bank takes its time.'),
    held_cents: z
      .int()
      .describe(
        'Set aside for orders under way: charged once they are delivered, otherwise released.',
      ),
    updated_at: z.string().nullable(),
  })
  .meta({ id: 'Balance' })
/** What a wallet holds. */
export type Balance = z.infer<typeof Balance>

/** The parts of a wallet. */
export const buckets = ['available', 'pending', 'held'] as const
/** One of them. */
export type Bucket = (typeof buckets)[number]

/**
 * The content of a wallet, as the sum of all postings to it: of an account under the account's id, of
 * a payer without one under the id of the order.
 */
export interface StoredWallet {
  id: string
  currency: string
  available_cents: number
  pending_cents: number
  held_cents: number
  /** Counts the changes: a booking names the one that it was decided on. */
  revision: number
  /** How many lines it has: the number of the newest. */
  lines: number
  updated_at: string
}

/** A wallet without any payment so far. */
export function emptyWallet(id: string, currency: string): StoredWallet {
  const nothing = { available_cents: 0, pending_cents: 0, held_cents: 0 }
  return { id, currency, ...nothing, revision: 0, lines: 0, updated_at: '' }
}

/** A wallet as shown; all zeros if nothing was ever paid into it. */
export function balanceOf(wallet: StoredWallet | undefined, currency: string): Balance {
  const { available_cents, pending_cents, held_cents } = wallet ?? emptyWallet('', currency)
  return {
    currency: wallet?.currency ?? currency,
    available_cents,
    pending_cents,
    held_cents,
    updated_at: wallet?.updated_at ?? null,
  }
}

/** Whether money of that currency may enter the wallet: an empty one may change its currency. */
export function canHold(wallet: StoredWallet, currency: string): boolean {
  return wallet.currency === currency || buckets.every((bucket) => wallet[`${bucket}_cents`] === 0)
}

/** Whether an account of the ledger is a wallet: of an account, or of an order. */
export function isWallet(account: string): boolean {
  return /^(acc|ord)_/.test(account)
}
