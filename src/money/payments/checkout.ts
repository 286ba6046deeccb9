import * as z from 'zod'

export const Checkout = z
  .object({
    id: z.string(),
    url: z.string().describe('The page on which a person pays.'),
    status: z.enum(['open', 'pending', 'paid', 'expired', 'failed', 'refunded']),
    expires_at: z.string(),
  })
  .meta({ id: 'Checkout' })
/** A hosted page on which something is paid. */
export type Checkout = z.infer<typeof Checkout>

/** A stored checkout. */
export interface StoredCheckout extends Checkout {
  /** `top_up` fills the wallet of the account, `order` pays for one order. */
  kind: 'top_up' | 'subscription' | 'order'
  /** The account that pays; null where a payer without one pays for an order. */
  account_id: string | null
  price_id: string | null
  order_id: string | null
  /** A key has opened it, and no person by their session. */
  by_key?: true
  amount_cents: number
  currency: string
  /** The provider's id of it, and the id that refunds refer to once it is paid. */
  session: string
  payment: string | null
  /** The line of the wallet that shows the money while it is under way. */
  transaction: string | null
  created_at: string
  /** When to ask the provider for its state, in case its event was lost; null once it has ended. */
  due_at: string | null
  /** How often the provider was asked. */
  looks: number
}
