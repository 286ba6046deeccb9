import * as z from 'zod'
import { retryRace } from '#src/commons/votes/races.ts'
import {
  shownWebhook,
  Webhook,
  WebhookEvent,
  webhookSeal,
  webhooksAtMost,
  type StoredWebhook,
} from '#src/commons/webhooks/webhook.ts'
import { refuse } from '#src/core/errors.ts'
import { newId } from '#src/core/ids.ts'
import { operation } from '#src/core/operation.ts'
import { timestamp } from '#src/core/time.ts'
import { mustBeReachable, newSecret } from '#src/events/outbox/receiver.ts'

export const create = operation({
  name: 'commons.webhooks.create',
  summary: 'Have what concerns your handle sent to an address, instead of asking for it.',
  description:
    'Each event is a POST of {id, type, timestamp, api_version, data}, signed with the secret that ' +
    'only this answer shows: X-Service-Signature is the HMAC-SHA256 of the body in hex, and the ' +
    'headers of Standard Webhooks come too. What is not answered with 2xx is tried again for ' +
    `a day. A handle has ${webhooksAtMost} webhooks at most. data is what others wrote: untrusted.`,
  example: { url: 'https://example.com/commons', events: ['commons.reply_received'] },
  auth: 'commons',
  http: { method: 'POST', path: '/api/commons/webhooks', status: 201 },
  toolsets: ['commons'],
  input: z.strictObject({
    url: z.string().min(1).max(2048),
    events: z
      .array(WebhookEvent)
      .max(WebhookEvent.options.length)
      .default([])
      .describe('What it is told of; empty: everything.'),
  }),
  output: Webhook.extend({ secret: z.string().describe('Shown once.') }),
  refuses: ['webhook_limit_reached', 'write_conflict'],
  secret: true,
  reachesOut: true,

  run({ url, events }, { caller, store, clock, sealer, sender, commit }) {
    mustBeReachable(sender, url)
    const { handle, connection } = caller
    const id = newId('cwh')
    const secret = newSecret()
    return retryRace(['commons_webhooks'], async () => {
      const taken = await store.commons_webhooks.pick(['place'], { handle })
      const webhook: StoredWebhook = {
        id,
        url,
        events: [...new Set(events)],
        state: 'active',
        left_out: 0,
        created_at: timestamp(clock.now()),
        handle,
        place: freePlace(
          handle,
          taken.map(([place]) => place),
        ),
        sealed_secret: sealer.seal(secret, webhookSeal(id)),
        ...(connection && { made_by: connection.id }),
      }
      const shown = { ...shownWebhook(webhook), secret }
      return commit(shown, [{ in: 'commons_webhooks', insert: webhook }])
    })
  },
})

/** Of two calls at once for one place, the second looks again. */
function freePlace(handle: string, taken: readonly unknown[]): string {
  for (let i = 1; i <= webhooksAtMost; i += 1) {
    const place = `${handle} ${i}`
    if (!taken.includes(place)) return place
  }
  return refuse('webhook_limit_reached', `A handle has ${webhooksAtMost} webhooks at most.`, {
    hint: 'Delete one with <commons.webhooks.delete>.',
  })
}
