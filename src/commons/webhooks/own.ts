import { refuse } from '#src/core/errors.ts'
import type { Store } from '#src/ports/store.ts'
import type { StoredWebhook } from './webhook.ts'

/** A webhook of this handle. @throws Refusal `webhook_not_found` */
export async function ownWebhook(
  { commons_webhooks }: Pick<Store, 'commons_webhooks'>,
  id: string,
  handle: string,
): Promise<StoredWebhook> {
  const webhook = await commons_webhooks.get(id)
  if (webhook?.handle === handle) return webhook
  return refuse('webhook_not_found', 'Your handle has no such webhook.', {
    hint: '<commons.webhooks.list> shows those that it has.',
  })
}
