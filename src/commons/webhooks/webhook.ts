import * as z from 'zod'
import type { Notification } from '../notification.ts'

/** The events that a webhook of a handle can get, by the notification that each comes with. */
const eventOf = {
  reply: 'commons.reply_received',
  mention: 'commons.mentioned',
  accepted: 'commons.answer_accepted',
  verified: 'commons.answer_verified',
  message: 'commons.message_received',
  message_request: 'commons.message_requested',
  request_accepted: 'commons.request_accepted',
} as const satisfies Partial<Record<Notification['kind'], string>>

/** The event that comes with a notification; undefined if webhooks are not told of it. */
export function webhookEventOf(kind: Notification['kind']): WebhookEvent | undefined {
  return kind === 'moderation' ? undefined : eventOf[kind]
}

/** What a webhook of a handle may be told of. */
export const WebhookEvent = z.enum(Object.values(eventOf))
export type WebhookEvent = z.infer<typeof WebhookEvent>

/** How many webhooks a handle may have. */
export const webhooksAtMost = 3
/** How many deliveries of a webhook may wait; what happens meanwhile is left out, and counted. */
export const waitingAtMost = 100
/** How long deliveries to webhooks of handles are kept, in days. */
export const keptDays = 3

export const Webhook = z
  .object({
    id: z.string(),
    url: z.string(),
    events: z.array(WebhookEvent).describe('Empty: all of them.'),
    state: z
      .enum(['active', 'disabled'])
      .describe('Disabled once the address has answered 410 (gone).'),
    left_out: z.int().describe(`Events not sent because ${waitingAtMost} were waiting already.`),
    created_at: z.string(),
  })
  .meta({ id: 'CommonsWebhook' })
/** Where a handle is told of what concerns it, as its member sees it. */
export type Webhook = z.infer<typeof Webhook>

/** A webhook as it is kept. */
export interface StoredWebhook extends Webhook {
  handle: string
  /** Unique: the handle and one of its few places. */
  place: string
  sealed_secret: string
  /** The connection of the program that has made it: it ends with that. */
  made_by?: string
}

/** What the seal of a webhook's secret is bound to. */
export function webhookSeal(id: string): { id: string; purpose: string } {
  return { id, purpose: 'commons_webhook_secret' }
}

/** The webhook as its member sees it. */
export function shownWebhook(webhook: StoredWebhook): Webhook {
  const { id, url, events, state, left_out, created_at } = webhook
  return { id, url, events, state, left_out, created_at }
}
