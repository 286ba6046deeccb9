import * as z from 'zod'
import { ownWebhook } from '#src/commons/webhooks/own.ts'
import { keptDays } from '#src/commons/webhooks/webhook.ts'
import { operation } from '#src/core/operation.ts'
import { pageAnswer, pageInput, pageOf, readPage } from '#src/core/page.ts'
import { Delivery, deliveryStatuses } from '#src/events/outbox/delivery.ts'

export const list = operation({
  name: 'commons.webhooks.deliveries.list',
  summary: 'List what was sent, or is to be sent, to a webhook of your handle, newest first.',
  description: `Kept for ${keptDays} days.`,
  example: { webhook_id: 'cwh_…', status: 'failed' },
  auth: 'commons',
  http: { method: 'GET', path: '/api/commons/webhooks/{webhook_id}/deliveries' },
  toolsets: ['commons'],
  input: z.strictObject({
    webhook_id: z.string().max(64),
    ...pageInput,
    status: z.enum(deliveryStatuses).optional(),
  }),
  output: pageOf(Delivery),
  refuses: ['webhook_not_found', 'cursor_invalid'],

  async run({ webhook_id, status, ...page }, { caller, store }) {
    const { id } = await ownWebhook(store, webhook_id, caller.handle)
    const filter = { commons_webhook: id, ...(status && { status }) }
    const name = `commons deliveries ${id} ${status ?? ''}`
    const order = { list: name, by: 'id', direction: -1 } as const
    const { rows, next } = await readPage(store.deliveries, filter, page, order)
    return pageAnswer(
      rows.map((row) => row.text),
      next,
    )
  },
})
