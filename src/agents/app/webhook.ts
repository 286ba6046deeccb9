import { newId } from '#src/core/ids.ts'
import type { Ports } from '#src/core/context.ts'
import type { Sealer } from '#src/core/seal.ts'
import { timestamp } from '#src/core/time.ts'
import { appRevisionId, type App } from './app.ts'
import type { StoredDelivery } from '#src/events/outbox/delivery.ts'
import { withinSize } from '#src/events/outbox/event-body.ts'
import { lifecycleEvents, webhookSecretPointer } from './vocabulary.ts'
import { revisionSecrets } from './sealed-secrets.ts'
import { newDelivery } from '#src/events/outbox/outbox.ts'

/** The version of the bodies that webhooks are sent. */
export const eventApiVersion = '1.0'

/** Something that the webhook of an app may be told of. */
export interface Told {
  type: string
  /** What stands in `data` beside the app's id, name and owner: no secrets, no prompts. */
  data: Readonly<Record<string, unknown>>
  /** By default a new one. */
  eventId?: string
  /** When it happened; by default now. */
  at?: string
  now: Date
}

/** Whether a webhook is sent this event: those that it lists, or where it lists none the app's life. */
export function hears(webhook: Pick<NonNullable<App['webhook']>, 'events'>, type: string): boolean {
  return (webhook.events.length > 0 ? webhook.events : lifecycleEvents).includes(type)
}

/**
 * What is owed to the webhook of an app for something that happened, for the commit of its cause;
 * undefined where it has none, it is disabled or does not list the event.
 * @throws Unavailable
 */
export async function appDelivery(
  { store, sealer }: Pick<Ports, 'store' | 'sealer'>,
  app: App,
  told: Told,
): Promise<StoredDelivery | undefined> {
  if (app.webhook?.state !== 'active' || !hears(app.webhook, told.type)) return undefined
  const isSigned = app.webhook.secret !== null
  const revision = isSigned
    ? await store.app_revisions.get(appRevisionId(app.id, app.revision))
    : undefined
  const secret = revision && revisionSecrets(revision, sealer)[webhookSecretPointer]
  // Whoever waits for a signature must not be sent something without one.
  if (isSigned && secret === undefined) return undefined
  return webhookDelivery(app, secret ?? null, told, sealer)
}

/** The same where the secret is at hand: for an app whose webhook is active and wants the event. */
export function webhookDelivery(
  app: Pick<App, 'app_id' | 'owner_id' | 'name' | 'webhook'>,
  secret: string | null,
  { type, data, eventId = newId('evt'), at, now }: Told,
  sealer: Pick<Sealer, 'seal'>,
): StoredDelivery | undefined {
  if (app.webhook?.state !== 'active' || !hears(app.webhook, type)) return undefined
  const { app_id, name, owner_id } = app
  const body = withinSize({
    id: eventId,
    type,
    timestamp: at ?? timestamp(now),
    api_version: eventApiVersion,
    data: { app_id, name, owner_id, ...data },
  })
  const about = { ownerId: owner_id, appId: app_id, charId: null, eventId, type }
  return newDelivery({ ...about, url: app.webhook.url, body, secret, now }, sealer)
}
