import { isDeepStrictEqual } from 'node:util'
import { answer, type Answer } from '#src/core/answer.ts'
import type { Context } from '#src/core/context.ts'
import { refuse } from '#src/core/errors.ts'
import type { StoredCheckout } from '../payments/checkout.ts'
import { reached } from '../payments/open-checkout.ts'
import { settleCheckout } from '../payments/settle-checkout.ts'
import { askedToPay } from './ask.ts'
import type { Form } from './forms/form.ts'
import { isPriced, publicOrder, type Order, type StoredOrder } from './order.ts'
import { isBuyer } from './read.ts'

/** An existing order, named by its checkout. */
export interface Named {
  char_id: string
  task_id: string
  /** Empty, or what was sent then. */
  form: Form
  checkout_id: string
}

/**
 * The state of an existing order. A checkout's id proves nothing, so the result is shown only to a
 * caller with the token or the key.
 * @throws Refusal `checkout_not_found`, `checkout_mismatch`, `provider_unavailable`
 */
export async function standing(context: Context, named: Named): Promise<Answer<Order>> {
  const { store } = context
  const before = await checkoutNamed(context, named.checkout_id)
  await orderNamed(context, before, named)
  // A buyer that has just paid need not wait for the provider's event.
  const isOpen = before.status === 'open' || before.status === 'pending'
  if (isOpen) await reached(context, () => settleCheckout(context, before.id))
  const checkout = (await store.checkouts.get(before.id)) ?? before
  const order = await orderNamed(context, checkout, named)
  if (order.status === 'awaiting_payment' && isPriced(order)) {
    const { value, refused } = askedToPay(context, order, checkout)
    return answer(value, { refused })
  }
  if (order.status === 'expired') return answer(publicOrder(order, checkout), { refused: expired })
  const shown = publicOrder(order, checkout)
  return answer(isBuyer(order, context.caller) ? shown : { ...shown, output: null, artifacts: [] })
}

const expired = {
  code: 'payment_required',
  message: 'The order has expired, because it was not paid in time.',
  hint: 'Order again, without checkout_id.',
} as const

async function checkoutNamed({ store }: Context, id: string): Promise<StoredCheckout> {
  const checkout = await store.checkouts.get(id)
  return checkout ?? refuse('checkout_not_found', `There is no checkout "${id}".`)
}

async function orderNamed(
  { store }: Context,
  { order_id }: StoredCheckout,
  { char_id, task_id, form }: Named,
): Promise<StoredOrder> {
  // That of a wallet or a subscription names none.
  const order = await store.orders.get(order_id ?? '')
  const isSame = order?.char_id === char_id && order.task_id === task_id
  const isSameForm = Object.keys(form).length === 0 || isDeepStrictEqual(sent(form), order?.form)
  if (order && isSame && isSameForm) return order
  return refuse('checkout_mismatch', 'This checkout belongs to another order.', {
    hint: 'Leave checkout_id out for a new order.',
  })
}

/** The form as it is kept, without empty members. */
function sent(form: Form): Form {
  return Object.fromEntries(Object.entries(form).filter(([, value]) => value !== null))
}
