import type { Store } from '#src/ports/store.ts'

/** What an account pays for again and again: one agent of somebody's, by a price that carries its id. */
export interface Subscription {
  id: string
  /** The account that pays. */
  account_id: string
  /** The agent whose id the price carries. */
  char_id: string
  status: 'active' | 'ended'
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
