import type { Store } from '#src/ports/store.ts'

/** A recurring payment of an account for an agent of another account; its price carries the agent's id. */
export interface Subscription {
  /** The provider's id of it. */
  id: string
  /** The account that pays; null if unknown. */
  account_id: string | null
  /** The agent whose id the price carries; null for a price that carries none. */
  char_id: string | null
  /** The account that owned the agent when it was first seen; null before that. */
  seller_id: string | null
  price_id: string
  customer: string
  status: 'active' | 'ended'
  /** RFC 3339; null if unknown. */
  paid_until: string | null
  updated_at: string
  /** Counts the queries to the provider. */
  revision: number
  /** When to query it again unless an event comes first; null once it has ended. */
  due_at: string | null
}

/** Whether the account has an active subscription to the agent. */
export async function hasSubscribed(
  { subscriptions }: Pick<Store, 'subscriptions'>,
  accountId: string,
  charId: string,
): Promise<boolean> {
  const paid = { account_id: accountId, char_id: charId, status: 'active' } as const
  return (await subscriptions.text(paid, { limit: 1 })).length > 0
}
