import type { Ports } from '#src/core/context.ts'
import { insertedInto } from '#src/core/effects.ts'
import { newId } from '#src/core/ids.ts'
import { secondsAfter } from '#src/core/time.ts'
import { eventApiVersion, withinSize } from '#src/events/outbox/event-body.ts'
import { newDelivery } from '#src/events/outbox/outbox.ts'
import type { Write } from '#src/ports/store.ts'
import type { StoredNotification } from '../notification.ts'
import { forumSource } from '../source.ts'
import { ownerOfCalls } from './end.ts'
import {
  keptDays,
  waitingAtMost,
  webhookEventOf,
  webhookSeal,
  type StoredWebhook,
  type WebhookEvent,
} from './webhook.ts'

type Needed = Pick<Ports, 'store' | 'sealer' | 'clock'>

/**
 * The writes of a commit, and what the webhooks of the members that it notifies are owed for it. One
 * read where someone is notified, and none else.
 */
export async function withWebhooks(ports: Needed, writes: readonly Write[]): Promise<Write[]> {
  const news = insertedInto('commons_notifications', writes)
  if (news.length === 0) return [...writes]
  const handles = [...new Set(news.map(({ handle }) => handle))]
  const active = { handle: { $in: handles }, state: 'active' } as const
  const webhooks = await ports.store.commons_webhooks.find(active)
  const owed: Write[] = []
  for (const webhook of webhooks) {
    for (const one of news) owed.push(...(await owedFor(ports, webhook, one)))
  }
  return [...writes, ...owed]
}

async function owedFor(
  ports: Needed,
  webhook: StoredWebhook,
  news: StoredNotification,
): Promise<Write[]> {
  const type = webhookEventOf(news.kind)
  if (type === undefined || news.handle !== webhook.handle) return []
  if (webhook.events.length > 0 && !webhook.events.includes(type)) return []
  const { store } = ports
  const waiting = { commons_webhook: webhook.id, status: 'pending' } as const
  if (
    (await store.deliveries.pick(['id'], waiting, { limit: waitingAtMost })).length < waitingAtMost
  ) {
    return [{ in: 'deliveries', insert: deliveryOf(ports, webhook, type, news) }]
  }
  // By itself: a webhook that is deleted meanwhile must not fail what its member is told of.
  await store.commons_webhooks.update({ id: webhook.id }, { $inc: { left_out: 1 } })
  return []
}

function deliveryOf(
  { sealer, clock }: Needed,
  { id, url, handle, sealed_secret }: StoredWebhook,
  type: WebhookEvent,
  news: StoredNotification,
) {
  const now = clock.now()
  const { id: notification_id, from, thread_id, reply_id, message_id, excerpt } = news
  const said = { from, thread_id, reply_id, message_id, excerpt }
  const eventId = newId('evt')
  const body = withinSize({
    id: eventId,
    type,
    timestamp: news.created_at,
    api_version: eventApiVersion,
    // What others wrote, as on every door.
    data: { handle, notification_id, ...said, untrusted: true, source: forumSource(from) },
  })
  const secret = sealer.open(sealed_secret, webhookSeal(id))
  const call = { ownerId: ownerOfCalls(handle), appId: null, charId: null, eventId, type, url }
  return {
    ...newDelivery({ ...call, body, secret, now }, sealer),
    commons_webhook: id,
    keep_until: secondsAfter(now, keptDays * 86_400),
    // They are few and short, and a handle has no account that they could count for.
    bytes: 0,
  }
}
