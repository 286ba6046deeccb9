/** Money that the provider is to refund, done once however often it is tried. */
export interface StoredRefund {
  /** Also the idempotency key. */
  id: string
  /** The id of the payment that the provider refunds. */
  payment: string
  amount_cents: number
  currency: string
  /** The wallet that the money came through. */
  wallet: string
  /** Its line that shows the refund; null for money that was never in it. */
  transaction: string | null
  order_id: string | null
  checkout_id: string | null
  /** `unknown`: it was tried, and the outcome is not known. */
  status: 'queued' | 'pending' | 'unknown' | 'done' | 'failed'
  /** The provider's id of it, once that is known. */
  refund: string | null
  created_at: string
  /** When it is to be tried, or checked again; null once it has ended. */
  due_at: string | null
  attempts: number
}
