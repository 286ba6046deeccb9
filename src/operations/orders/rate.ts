import * as z from 'zod'
import { textUpTo } from '#src/core/schema-parts.ts'
import { retryRace } from '#src/commons/votes/races.ts'
import { operation } from '#src/core/operation.ts'
import { Order, publicOrder } from '#src/money/orders/order.ts'
import { cleanComment, commentAtMost, rated } from '#src/money/orders/rate.ts'
import { checkoutOf, seenOrder } from '#src/money/orders/read.ts'

export const rate = operation({
  name: 'orders.rate',
  summary: 'Rate a paid and delivered order, once.',
  description:
    'For callers that may read the order, except its seller, by any of their accounts. The ' +
    'rating_summary of the task counts one rating of each payer, the latest; none of a payer ' +
    'whose wallet was never topped up.',
  example: { order_id: 'ord_01a1fe241d3975cf83926a5fa84be463', stars: 5, comment: 'Well drawn.' },
  auth: 'none',
  http: {
    method: 'POST',
    path: '/api/orders/{order_id}/rating',
    bearer: { member: 'token', prefix: 'ort' },
  },
  toolsets: ['payments'],
  input: z.strictObject({
    order_id: z.string().max(128),
    token: z.string().max(200).optional().describe('The token from orders.create.'),
    stars: z.int().min(1).max(5),
    comment: textUpTo(commentAtMost).optional(),
  }),
  output: Order,
  refuses: [
    'order_not_found',
    'order_not_completed',
    'already_rated',
    'forbidden',
    'write_conflict',
  ],
  untrusted: true,

  run({ order_id, token, stars, comment }, context) {
    return retryRace(['orders'], async () => {
      const seen = await seenOrder(context, { order_id, token })
      const words = { stars, comment: cleanComment(comment) }
      const { order, writes } = await rated(context, seen, words)
      return context.commit(publicOrder(order, await checkoutOf(context, order)), writes)
    })
  },
})
