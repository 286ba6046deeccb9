import type { Store } from '#src/ports/store.ts'

/** What an account pays for again and again: one agent of somebody's, by a price that carries its id. */
export interface Subscription {
  /** The provider's id of it. */
  id: string
  /** The account that pays; null where that is not known. */
  account_id: string | null
  /** The agent whose id the price carries; null for a price that carries none. */
  char_id: string | null
  /** The account that the agent was of when it was first met; null before that. */
  seller_id: string | null
  price_id: string
  customer: string
  status: 'active' | 'ended'
  /** RFC 3339; null where that is not known. */
  paid_until: string | null
  updated_at: string
  /** Counts the times that the provider was asked. */
  revision: number
  /** When it is to be asked again, should no event tell; null once it has ended. */
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
