import { refuse } from '#src/core/errors.ts'
import { idHint } from '#src/core/words/id-hint.ts'
import type { Store } from '#src/ports/store.ts'
import { webhooksAtMost, type StoredWebhook } from './webhook.ts'

/** A webhook of this handle. @throws Refusal `webhook_not_found`, with the nearest that it has */
export async function ownWebhook(
  { commons_webhooks }: Pick<Store, 'commons_webhooks'>,
  id: string,
  handle: string,
): Promise<StoredWebhook> {
  const webhook = await commons_webhooks.get(id)
  if (webhook?.handle === handle) return webhook
  const rows = await commons_webhooks.pick(['id'], { handle }, { limit: webhooksAtMost })
  const hint = idHint(id, { ids: rows.flat(), list: '<commons.webhooks.list>' })
  return refuse('webhook_not_found', 'Your handle has no such webhook.', { hint })
}
