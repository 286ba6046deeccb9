import { newId } from '#src/core/ids.ts'
import { timestamp } from '#src/core/time.ts'
import type { Write } from '#src/ports/store.ts'
import { refundsAccount, type Posting } from '../wallet/ledger.ts'
import type { Line } from '../wallet/movement.ts'
import type { StoredRefund } from './refund.ts'

/** What is to be refunded, and the wallet that it came through. */
export interface RefundTerms
  extends
    Pick<StoredRefund, 'payment' | 'amount_cents' | 'currency' | 'wallet'>,
    Pick<Line, 'description' | 'char_id' | 'task_id' | 'run_id' | 'reference'> {
  /** The order that is refunded once it is done. */
  order_id: string | null
  /** The checkout that is refunded. */
  checkout_id: string | null
}

/** The parts of a queued refund: they belong in one movement and its commit. */
export interface QueuedRefund {
  /** What becomes owed; the other side is the part of the wallet that it is taken from. */
  posting: Posting
  /** What the wallet shows of it. */
  line: Line
  /** Keeps it for the loop that asks the provider. */
  write: Write
}

/** A refund of money that is in a wallet: queued, so that neither a crash nor a time-out loses it. */
export function refundOf(terms: RefundTerms, now: Date): QueuedRefund {
  const { payment, amount_cents, currency, wallet, order_id, checkout_id, ...shown } = terms
  const transaction = newId('txn')
  const of = { payment, amount_cents, currency, wallet, order_id, checkout_id }
  return {
    posting: { account: refundsAccount, bucket: 'available', amount_cents },
    line: {
      ...shown,
      id: transaction,
      wallet,
      kind: 'refund',
      amount_cents: -amount_cents,
      status: 'pending',
    },
    write: queued({ ...of, transaction }, now),
  }
}

/** Keeps a refund for the loop that asks the provider. */
export function queued(
  terms: Pick<
    StoredRefund,
    'payment' | 'amount_cents' | 'currency' | 'wallet' | 'transaction' | 'order_id' | 'checkout_id'
  >,
  now: Date,
): Write {
  const at = timestamp(now)
  const begun = { status: 'queued', refund: null, created_at: at, due_at: at, attempts: 0 } as const
  return { in: 'refunds', insert: { id: newId('rfd'), ...terms, ...begun } }
}
