import * as z from 'zod'
import { answer } from '#src/core/answer.ts'
import { operation } from '#src/core/operation.ts'
import { openCursor, pageInput, pageOf, sealCursor } from '#src/core/page.ts'
import { reached } from '#src/money/payments/open-checkout.ts'
import { Price } from '#src/money/payments/price.ts'

const order = { list: 'prices', by: 'position', direction: 1 } as const

export const prices = operation({
  name: 'payments.prices',
  summary: 'List what can be bought: top-ups of the wallet, and subscriptions to agents.',
  example: {},
  auth: 'none',
  http: { method: 'GET', path: '/api/payments/prices' },
  toolsets: ['payments'],
  input: z.strictObject(pageInput),
  output: pageOf(Price),
  refuses: ['cursor_invalid', 'provider_unavailable'],

  async run({ limit, cursor }, context) {
    const all = await reached(context, () => context.payments.prices())
    const after = cursor === undefined ? undefined : openCursor(order, cursor)
    // A price that is no longer sold leaves its place to the next one.
    const known = after ? all.findIndex(({ id }) => id === after[1]) : -1
    const start = known >= 0 ? known + 1 : Number(after?.[0] ?? 0)
    const items = all.slice(start, start + limit)
    const last = items.at(-1)
    const isEnd = start + limit >= all.length || !last
    const next_cursor = isEnd ? null : sealCursor(order, [start + items.length, last.id])
    return answer({ items, next_cursor })
  },
})
