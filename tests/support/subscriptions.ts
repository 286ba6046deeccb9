import type { Subscription } from '#src/agents/visibility/subscription.ts'

/** What an account pays for, as a provider would report it. */
export function subscription(id: string, account_id: string, char_id: string): Subscription {
  const price_id = `price_of_${char_id}`
  const customer = `cus_of_${account_id}`
  const seller_id = null
  const when = { paid_until: null, updated_at: '2026-01-01T00:00:00.000Z', due_at: null }
  return {
    id,
    account_id,
    char_id,
    seller_id,
    price_id,
    customer,
    status: 'active',
    revision: 1,
    ...when,
  }
}
