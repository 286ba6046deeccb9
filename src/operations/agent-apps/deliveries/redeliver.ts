import * as z from 'zod'
import { Delivery, shownDelivery } from '#src/events/outbox/delivery.ts'
import { refuse } from '#src/core/errors.ts'
import { operation } from '#src/core/operation.ts'
import { retryUnmet } from '#src/core/revision.ts'
import { timestamp } from '#src/core/time.ts'
import { call } from '#src/core/words/reference.ts'
import { ownDeliveries } from '#src/apps/delivery-access.ts'

export const redeliver = operation({
  name: 'agent_apps.deliveries.redeliver',
  summary: 'Send a delivery again: the same body and the same webhook-id.',
  description:
    'It goes to the same address, even if the webhook was disabled or the app torn down.',
  example: { app_id: 'newsroom', delivery_id: 'dlv_…' },
  auth: 'key',
  http: { method: 'POST', path: '/api/agent-apps/{app_id}/deliveries/{delivery_id}/redeliver' },
  toolsets: ['apps'],
  input: z.strictObject({ app_id: z.string().max(128), delivery_id: z.string().max(128) }),
  output: Delivery,
  refuses: ['app_not_found', 'forbidden', 'delivery_not_found', 'write_conflict'],

  run({ app_id, delivery_id }, context) {
    return retryUnmet(async () => {
      const own = await ownDeliveries(context, app_id)
      const kept = await context.store.deliveries.get(delivery_id)
      if (!kept || kept.app_id !== app_id || kept.owner_id !== own.owner_id) {
        const message = `The app "${app_id}" has no delivery "${delivery_id.slice(0, 100)}".`
        return refuse('delivery_not_found', message, {
          hint: `${call('agent_apps.deliveries.list', { app_id })} lists them.`,
        })
      }
      const { id, claim, status, attempts } = kept
      // A delivery that is being sent right now needs no further try.
      if (claim !== null) {
        return context.commit(shownDelivery(kept), [], { pending: true })
      }
      const at = timestamp(await context.store.now())
      const $set = { status: 'pending', due_at: at, next_attempt_at: at } as const
      return context.commit(
        shownDelivery({ ...kept, ...$set }),
        [
          {
            in: 'deliveries',
            update: { id, claim: null, status, attempts },
            change: { $set },
          },
        ],
        { pending: true },
      )
    })
  },
})
