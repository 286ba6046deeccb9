import type { Payment, Price, SubscriptionState } from '#src/ports/payments.ts'

/** What the built-in test provider keeps, as another provider would on its own servers. */
export type TestRecord = {
  id: string
  customer: string | null
  /** Grows with each change: the filter of a change names the one that it was decided on. */
  revision: number
} & (TestSession | TestKey | TestPortal | TestCharge | TestSubscription | TestInvoice | TestRefund)

/** A hosted page on which something can be paid, once. */
interface TestSession {
  kind: 'session'
  name: string
  price: Price | null
  amount_cents: number
  currency: string
  account_id: string | null
  done_url: string
  cancel_url: string
  expires_at: string
  /** Null until it is paid. */
  paid: Payment | null
}

/** The session that was opened under an idempotency key, which is the id. */
interface TestKey {
  kind: 'key'
  session: string
}

interface TestPortal {
  kind: 'portal'
  return_url: string
  expires_at: string
}

/** A payment made once. */
interface TestCharge {
  kind: 'charge'
  name: string
  amount_cents: number
  currency: string
  refunded_cents: number
  paid_at: string
}

interface TestSubscription {
  kind: 'subscription'
  status: SubscriptionState['status']
  price: Price
  account_id: string | null
  started_at: string
  /** How many intervals are paid since then. */
  periods: number
  paid_until: string
  /** Invoices that have not been reported yet. */
  untold: string[]
}

interface TestInvoice {
  kind: 'invoice'
  subscription: string
  name: string
  amount_cents: number
  currency: string
  paid_at: string
}

/** A refund; the id is made of its idempotency key. */
interface TestRefund {
  kind: 'refund'
  charge: string
  amount_cents: number
}
