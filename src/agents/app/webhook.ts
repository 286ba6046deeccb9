import { newId } from '#src/core/ids.ts'
import type { Ports } from '#src/core/context.ts'
import type { Sealer } from '#src/core/seal.ts'
import { timestamp } from '#src/core/time.ts'
import { appRevisionId, type App } from './app.ts'
import type { StoredDelivery } from '#src/events/outbox/delivery.ts'
import { eventApiVersion, withinSize } from '#src/events/outbox/event-body.ts'
import { lifecycleEvents, webhookSecretPointer } from './vocabulary.ts'
import { revisionSecrets } from './sealed-secrets.ts'
import { newDelivery } from '#src/events/outbox/outbox.ts'

/** Something that may be reported to the webhook of an app. */
export interface Told {
  type: string
  /** Members of `data` in addition to the app's id, name and owner: no secrets, no prompts. */
  data: Readonly<Record<string, unknown>>
  /** A new one by default. */
  eventId?: string
  /** When it happened; now by default. */
  at?: string
  /** The account that caused it, if not the owner. */
  sender?: string | undefined
  /** The run that it tells of or comes from, if any. */
  causeRun?: string | undefined
  now: Date
}

/** Whether a webhook gets this event: the events it lists, or the lifecycle events if it lists none. */
export function hears(webhook: Pick<NonNullable<App['webhook']>, 'events'>, type: string): boolean {
  return (webhook.events.length > 0 ? webhook.events : lifecycleEvents).includes(type)
}

/**
 * The delivery to an app's webhook for something that happened, for the commit of its cause;
 * undefined if the app has no webhook, it is disabled or it does not list the event.
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
  // A receiver that expects a signature must not get an unsigned body.
  if (isSigned && secret === undefined) return undefined
  return webhookDelivery(app, secret ?? null, told, sealer)
}

/** The same with a known secret: for an app whose webhook is active and wants the event. */
export function webhookDelivery(
  app: Pick<App, 'app_id' | 'owner_id' | 'name' | 'webhook'>,
  secret: string | null,
  { type, data, eventId = newId('evt'), at, sender, causeRun, now }: Told,
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
  const about = { ownerId: owner_id, appId: app_id, charId: null, eventId, type, sender, causeRun }
  return newDelivery({ ...about, url: app.webhook.url, body, secret, now }, sealer)
}
