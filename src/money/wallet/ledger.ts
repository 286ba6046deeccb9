import type { Bucket } from './wallet.ts'

/** An amount that a part of a ledger account gets, or gives if it is negative. */
export interface Posting {
  /** A wallet's id; `provider/<name>`, where money comes from; or `refunds`, what is owed back. */
  account: string
  bucket: Bucket
  amount_cents: number
}

/** An entry of the ledger: its postings sum to zero, and it is never changed or deleted. */
export interface LedgerEntry {
  /** Its cause, such as `checkout/chk_…/paid`: a cause is entered once. */
  id: string
  at: string
  currency: string
  postings: Posting[]
}

/** The account of the ledger that stands for a payment provider. */
export function providerAccount(name: string): string {
  return `provider/${name}`
}

/** What is owed to payers and not yet refunded by the provider. */
export const refundsAccount = 'refunds'

/** Earnings of no agent: of a price that carries none, or one that was deleted. */
export const platformAccount = 'platform'
