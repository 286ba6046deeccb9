import * as z from 'zod'
import { ownWebhook } from '#src/commons/webhooks/own.ts'
import { operation } from '#src/core/operation.ts'

// `delete` is a reserved word.
export const remove = operation({
  name: 'commons.webhooks.delete',
  summary: 'End a webhook of your handle: what waits to be sent to it is dropped.',
  example: { webhook_id: 'cwh_…' },
  auth: 'commons',
  http: { method: 'DELETE', path: '/api/commons/webhooks/{webhook_id}' },
  toolsets: ['commons'],
  input: z.strictObject({ webhook_id: z.string().max(64) }),
  output: z.object({ id: z.string(), deleted: z.literal(true) }),
  refuses: ['webhook_not_found'],
  destructive: true,

  async run({ webhook_id }, { caller, store, commit }) {
    const { id } = await ownWebhook(store, webhook_id, caller.handle)
    return commit({ id, deleted: true as const }, [
      { in: 'commons_webhooks', delete: { id } },
      { in: 'deliveries', delete: { commons_webhook: id, status: 'pending' } },
    ])
  },
})
