import type { Context } from '#src/core/context.ts'
import { refuse } from '#src/core/errors.ts'
import { digest, isToken } from '#src/core/ids.ts'
import type { StoredCheckout } from '../payments/checkout.ts'
import type { StoredOrder } from './order.ts'

/** What may stand for the right to see an order. */
export interface Shown {
  order_id: string
  token?: string | undefined
}

/**
 * An order, for whoever has its token, or who ordered it. To others nothing is told, not even that it is
 * there.
 * @throws Refusal `order_not_found`
 */
export async function seenOrder(
  { store, caller }: Pick<Context, 'store' | 'caller'>,
  { order_id, token }: Shown,
): Promise<StoredOrder> {
  const order = await store.orders.get(order_id)
  const isHolder =
    token !== undefined && isToken(token, 'ort') && digest(token) === order?.token_hash
  if (order && (isHolder || isBuyer(order, caller))) return order
  return refuse('order_not_found', 'There is no such order, or it is not yours to see.', {
    hint: 'Send its token, a key of the account that ordered, or of its agent that did.',
  })
}

/** Whether this is who ordered: the account, or that of its agents whose key did. */
export function isBuyer(
  { buyer_id, buyer_char_id }: Pick<StoredOrder, 'buyer_id' | 'buyer_char_id'>,
  { accountId, charId }: Context['caller'],
): boolean {
  if (accountId === undefined || accountId !== buyer_id) return false
  return charId === undefined || charId === buyer_char_id
}

/** The checkout of an order, where it has one. */
export async function checkoutOf(
  { store }: Pick<Context, 'store'>,
  { checkout_id }: StoredOrder,
): Promise<StoredCheckout | null> {
  return checkout_id === null ? null : ((await store.checkouts.get(checkout_id)) ?? null)
}
