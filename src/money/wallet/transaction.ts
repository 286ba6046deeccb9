import * as z from 'zod'

export const transactionKinds = [
  'top_up',
  'charge',
  'earning',
  'hold',
  'release',
  'refund',
  'payout',
  'adjustment',
] as const

export const transactionStatuses = ['pending', 'posted', 'failed', 'reversed', 'unknown'] as const

export const Transaction = z
  .object({
    id: z.string(),
    kind: z.enum(transactionKinds),
    amount_cents: z
      .int()
      .describe('The change of available_cents: below zero at once, else once posted.'),
    currency: z.string(),
    balance_after_cents: z.int().describe('available_cents after it was entered.'),
    status: z.enum(transactionStatuses),
    description: z.string(),
    char_id: z.string().nullable(),
    task_id: z.string().nullable(),
    run_id: z.string().nullable(),
    reference: z.string().nullable().describe('The checkout, order or invoice that it belongs to.'),
    created_at: z.string(),
  })
  .meta({ id: 'Transaction' })
/** One line of a wallet. */
export type Transaction = z.infer<typeof Transaction>

/** A stored line. Only its status ever changes. */
export interface StoredTransaction extends Transaction {
  /** The wallet that it is a line of. */
  wallet: string
  /** The entry of the ledger that it shows. */
  entry: string
  /** Counts the lines of the wallet: ids of several processes do not tell which line came first. */
  nth: number
  /** Its agent and its kind in one, for queries by both; null where it belongs to no agent. */
  char_kind: string | null
}

/**
 * The change of its wallet's available money: what goes out counts from when it is entered, and if it
 * fails, another line brings it back; what comes in counts once it is posted.
 */
export function countedCents({
  amount_cents,
  status,
}: Pick<Transaction, 'amount_cents' | 'status'>): number {
  return amount_cents < 0 || status === 'posted' || status === 'reversed' ? amount_cents : 0
}

/** The member by which lines of one agent and one kind are found. */
export function charKind(charId: string, kind: Transaction['kind']): string {
  return `${charId} ${kind}`
}
