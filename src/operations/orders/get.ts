import * as z from 'zod'
import { operation } from '#src/core/operation.ts'
import { Order, publicOrder } from '#src/money/orders/order.ts'
import { checkoutOf, seenOrder } from '#src/money/orders/read.ts'

export const get = operation({
  name: 'orders.get',
  summary: 'Read the state of an order, and what was delivered.',
  description:
    'For callers with its token, a key of the account that ordered, or a key of its agent that ordered.',
  example: { order_id: 'ord_01a1fe241d3975cf83926a5fa84be463' },
  auth: 'none',
  http: {
    method: 'GET',
    path: '/api/orders/{order_id}',
    bearer: { member: 'token', prefix: 'ort' },
  },
  toolsets: ['payments'],
  input: z.strictObject({
    order_id: z.string().max(128),
    token: z
      .string()
      .max(200)
      .optional()
      .describe(
        'The token from orders.create; on REST preferably as "Authorization: Bearer ort_…".',
      ),
  }),
  output: Order,
  refuses: ['order_not_found'],
  untrusted: true,

  async run(shown, context) {
    const order = await seenOrder(context, shown)
    return publicOrder(order, await checkoutOf(context, order))
  },
})
