import * as z from 'zod'
import { refuse } from '#src/core/errors.ts'
import { operation } from '#src/core/operation.ts'
import { recordUpTo } from '#src/core/input/record.ts'
import { amountOf } from '#src/money/orders/prices/amount.ts'
import { checkedForm, formMembersAtMost } from '#src/money/orders/forms/form.ts'
import { offeredTask } from '#src/money/orders/offer.ts'
import { Order } from '#src/money/orders/order.ts'
import { placed } from '#src/money/orders/place.ts'
import { standing } from '#src/money/orders/state.ts'
import { x402CharactersAtMost } from '#src/money/orders/x402/payment.ts'

export const create = operation({
  name: 'orders.create',
  summary: 'Order a service of a public agent: its task runs once with the form.',
  description:
    'public.tasks shows form and price. An order with a price is paid from the wallet of the ' +
    "key's account if it holds enough; otherwise the refusal payment_required carries the order, " +
    'its token and a checkout: pay there, and read the order with orders.get. What is not ' +
    'delivered is refunded.',
  example: { char_id: 'ada', task_id: 'portrait', form: { style: 'pencil' } },
  auth: 'none',
  oauthScope: 'spend',
  http: {
    method: 'POST',
    path: '/api/public/agents/{char_id}/tasks/{task_id}/orders',
    status: 202,
    headers: { payment: ['PAYMENT-SIGNATURE', 'X-PAYMENT'] },
  },
  toolsets: ['payments'],
  reachesOut: true,
  input: z.strictObject({
    char_id: z.string().max(128),
    task_id: z.string().max(128),
    form: recordUpTo(formMembersAtMost, z.json()).default({}),
    checkout_id: z
      .string()
      .max(128)
      .optional()
      .describe(
        'The checkout of an existing order: the call reports its state, and makes no new order.',
      ),
    payment: z
      .string()
      .max(x402CharactersAtMost)
      .optional()
      .describe('A payment by x402 for one of accepts in the refusal: base64 of JSON.'),
  }),
  pays: 'payment',
  output: Order,
  refuses: [
    'character_not_found',
    'task_not_found',
    'service_closed',
    'price_not_found',
    'price_mismatch',
    'payment_required',
    'person_needed',
    'checkout_not_found',
    'checkout_mismatch',
    'payment_used',
    'provider_unavailable',
    'write_conflict',
  ],
  secret: true,
  untrusted: true,

  async run({ char_id, task_id, form, checkout_id, payment }, context) {
    if (checkout_id !== undefined) {
      if (payment !== undefined) paidTwice()
      return standing(context, { char_id, task_id, form, checkout_id })
    }
    const task = await offeredTask(context.store, char_id, task_id)
    const filled = checkedForm(task.form_schema, form)
    return placed(context, { task, form: filled, amount: await amountOf(context, task), payment })
  },
})

function paidTwice(): never {
  const message = 'An order with a checkout is paid there: leave out either one.'
  return refuse('invalid_input', `payment: ${message}`, {
    errors: [{ pointer: '/payment', message, code: 'not_both' }],
  })
}
