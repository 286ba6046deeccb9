import type { Context } from '#src/core/context.ts'
import { refuse } from '#src/core/errors.ts'
import { digest, isToken } from '#src/core/ids.ts'
import type { StoredCheckout } from '../payments/checkout.ts'
import type { StoredOrder } from './order.ts'

/** The credentials that may give access to an order. */
export interface Shown {
  order_id: string
  token?: string | undefined
}

/**
 * An order, for a caller with its token or for the buyer. Others are told nothing, not even that it
 * exists.
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

/** Whether this is the buyer: the account, or its agent whose key ordered. */
export function isBuyer(
  { buyer_id, buyer_char_id }: Pick<StoredOrder, 'buyer_id' | 'buyer_char_id'>,
  { accountId, charId }: Context['caller'],
): boolean {
  if (accountId === undefined || accountId !== buyer_id) return false
  return charId === undefined || charId === buyer_char_id
}

/** The checkout of an order, if it has one. */
export async function checkoutOf(
  { store }: Pick<Context, 'store'>,
  { checkout_id }: StoredOrder,
): Promise<StoredCheckout | null> {
  return checkout_id === null ? null : ((await store.checkouts.get(checkout_id)) ?? null)
}
