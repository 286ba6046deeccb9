import * as z from 'zod'
import type { Filter } from '#src/ports/filter.ts'
import { ownDeliveries } from '#src/apps/delivery-access.ts'
import { Delivery, deliveryStatuses, type StoredDelivery } from '#src/events/outbox/delivery.ts'
import { operation } from '#src/core/operation.ts'
import { pageAnswer, pageInput, pageOf, readPage } from '#src/core/page.ts'

export const list = operation({
  name: 'agent_apps.deliveries.list',
  summary: "List what was sent, or is to be sent, to an app's webhook, newest first.",
  description: 'Kept for 30 days, also after a teardown.',
  example: { app_id: 'newsroom', status: 'failed' },
  auth: 'key',
  http: { method: 'GET', path: '/api/agent-apps/{app_id}/deliveries' },
  toolsets: ['apps'],
  input: z.strictObject({
    app_id: z.string().max(128),
    ...pageInput,
    status: z.enum(deliveryStatuses).optional(),
  }),
  output: pageOf(Delivery),
  refuses: ['app_not_found', 'forbidden', 'cursor_invalid'],

  async run({ app_id, status, ...page }, context) {
    const own = await ownDeliveries(context, app_id)
    const filter: Filter<StoredDelivery> = { ...own, ...(status && { status }) }
    const list = `deliveries ${own.owner_id} ${app_id} ${status ?? ''}`
    const order = { list, by: 'id', direction: -1 } as const
    const { rows, next } = await readPage(context.store.deliveries, filter, page, order)
    return pageAnswer(
      rows.map((row) => row.text),
      next,
    )
  },
})
