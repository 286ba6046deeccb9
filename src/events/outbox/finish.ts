import { noticeTo, unseenAgain } from '#src/accounts/notice.ts'
import type { StoredDelivery } from './delivery.ts'
import { isPlaced, targetGone } from './push-order.ts'
import type { Ports } from '#src/core/context.ts'
import { digest } from '#src/core/ids.ts'
import { timestamp } from '#src/core/time.ts'
import type { Next } from '#src/core/words/next-call.ts'
import type { Filter } from '#src/ports/filter.ts'
import { Unmet, type Write } from '#src/ports/store.ts'
import { afterPart } from './channels/after-part.ts'
import { browserAfterDelivery } from '#src/events/browsers/push.ts'
import { targetOf } from './targets.ts'
import { isGone, settledBy, type Settled } from './attempt.ts'
import type { Tried } from './tried.ts'

type Needed = Pick<Ports, 'store' | 'clock'>

/** Deliveries that are stopped together with a disabled webhook. */
const stoppedAtMost = 500

/**
 * Stores the result of a try. A receiver that is gone also disables the webhook of the app or the
 * notification config, and stops what waits for it.
 * @returns the delivery as it now is, or undefined if another worker took it over meanwhile
 */
export async function settle(
  ports: Needed,
  delivery: StoredDelivery,
  tried: Tried,
): Promise<Settled | undefined> {
  const settled = settledBy(delivery, tried)
  const held = { id: delivery.id, claim: delivery.claim }
  const own: Write = { in: 'deliveries', update: held, change: { $set: settled } }
  const further = [
    ...browserAfterDelivery(delivery, tried),
    ...(isGone(tried)
      ? await disabling(ports, delivery)
      : settled.status === 'failed'
        ? await givenUp(ports, delivery, tried)
        : []),
    ...(await afterPart(ports, delivery, settled)),
  ]
  for (const writes of [[own, ...further], [own]]) {
    try {
      await ports.store.commit(writes)
      return settled
    } catch (cause) {
      if (!(cause instanceof Unmet)) throw cause
      // The first write names the claim; the webhook may have changed since it was read.
      if (cause.index === 0) return undefined
    }
  }
  return undefined
}

/** Tells the owner of a call that was given up, once an hour for each place that is called. */
async function givenUp(
  { store, clock }: Needed,
  delivery: StoredDelivery,
  { error, isFinal }: Tried,
): Promise<Write[]> {
  const { app_id, char_id, cause_run = null, owner_id, type, url } = delivery
  if (isPlaced(delivery) || delivery.commons_webhook !== undefined) return []
  if (delivery.told_browser !== undefined) return []
  if (delivery.told_person !== undefined) return untellable({ store, clock }, delivery)
  const now = clock.now()
  const hour = now.toISOString().slice(0, 13)
  const place = targetOf(url)
  const group = `${owner_id} delivery.failed ${app_id ?? char_id} ${digest(place)} ${hour}`
  const [known] = await store.notices.find({ group }, { limit: 1 })
  const count = (known?.count ?? 0) + 1
  const times = count === 1 ? '1 call' : `${count} calls`
  const why = isFinal ? 'was refused' : 'got no success within a day'
  const message =
    `${times} of ${place} ${why} and will not be tried again. ` +
    `The last one, of "${type}": ${error}`
  const next = nextOf(delivery)
  const about = { char_id, run_id: cause_run }
  if (!known) return [noticeTo(owner_id, 'delivery.failed', message, about, now, { next, group })]
  const $set = { message, next, run_id: cause_run, updated_at: timestamp(now), ...unseenAgain }
  return [{ in: 'notices', update: { id: known.id, group }, change: { $set, $inc: { count: 1 } } }]
}

/** An app's is sent again; that of a hook or channel comes again with its run, or else its agent shows what is called. */
function nextOf({ id, app_id, char_id, cause_run }: StoredDelivery): Next[] {
  if (app_id !== null) {
    return [{ operation: 'agent_apps.deliveries.redeliver', input: { app_id, delivery_id: id } }]
  }
  if (cause_run !== undefined) {
    const input = { run_id: cause_run }
    return [
      { operation: 'runs.get', input },
      { operation: 'runs.retry', input },
    ]
  }
  return char_id === null ? [] : [{ operation: 'characters.get', input: { char_id } }]
}

/** The writes that disable a webhook that is gone, if it is still the same. */
async function disabling({ store, clock }: Needed, delivery: StoredDelivery): Promise<Write[]> {
  if (isPlaced(delivery)) return targetGone(store, delivery)
  const { id, app_id, owner_id, url, commons_webhook } = delivery
  if (commons_webhook !== undefined) {
    const active = { id: commons_webhook, url, state: 'active' } as const
    const waiting = { commons_webhook, status: 'pending', claim: null } as const
    const change = { $set: { state: 'disabled' } } as const
    return [
      { in: 'commons_webhooks', update: active, change },
      ...(await stopped(store, waiting, id)),
    ]
  }
  if (delivery.told_browser !== undefined) return []
  if (delivery.told_person !== undefined) return untellable({ store, clock }, delivery)
  if (app_id === null) return []
  const app = await store.apps.get(app_id)
  const isSame = app?.owner_id === owner_id && app.webhook?.url === url
  if (!isSame || app.webhook?.state !== 'active') return []
  const next: Next[] = [{ operation: 'agent_apps.update', input: { app_id } }]
  const message =
    `The webhook of the app "${app_id}" answered 410 (gone) and is disabled: nothing more is ` +
    'sent to it. Update the app to enable it again.'
  const waiting = { app_id, owner_id, url, status: 'pending', claim: null } as const
  return [
    {
      in: 'apps',
      update: { id: app_id, owner_id, 'webhook.url': url, 'webhook.state': 'active' },
      change: { $set: { 'webhook.state': 'disabled' } },
    },
    noticeTo(owner_id, 'webhook.disabled', message, {}, clock.now(), { next }),
    ...(await stopped(store, waiting, id)),
  ]
}

/** The writes that disable the webhook of a person that takes nothing any more, if it is still the same. */
async function untellable(
  { store, clock }: Needed,
  { id, owner_id, told_person = '', url }: StoredDelivery,
): Promise<Write[]> {
  const now = clock.now()
  const theirs = { account_id: owner_id, person_id: told_person }
  const active = { ...theirs, 'webhook.url': url, 'webhook.state': 'active' } as const
  const [chosen] = await store.notification_settings.pick(['id'], active, { limit: 1 })
  if (!chosen) return []
  const told_browser = { $exists: false } as const
  const waiting = {
    told_person,
    told_browser,
    owner_id,
    url,
    status: 'pending',
    claim: null,
  } as const
  const $set = { 'webhook.state': 'disabled', updated_at: timestamp(now) } as const
  // It says nothing of whose it is and where: the other members read it too.
  const message =
    'A webhook by which a member is told of this account took nothing for a day, or is gone, and is disabled. ' +
    'Whose it is sees that where they choose what they are told, and sets it again.'
  const next: Next[] = [{ operation: 'notifications.get', input: {} }]
  return [
    { in: 'notification_settings', update: active, change: { $set } },
    noticeTo(owner_id, 'webhook.disabled', message, {}, now, { next }),
    ...(await stopped(store, waiting, id)),
  ]
}

/** The writes that stop what else waits to be sent to a disabled webhook. */
async function stopped(
  { deliveries }: Pick<Ports['store'], 'deliveries'>,
  waiting: Filter<StoredDelivery>,
  id: string,
): Promise<Write[]> {
  const others = await deliveries.pick(['id'], waiting, { limit: stoppedAtMost })
  const $set = {
    status: 'disabled',
    error: 'The webhook was disabled.',
    next_attempt_at: null,
    due_at: null,
  } as const
  return others
    .map(([other]) => String(other))
    .filter((other) => other !== id)
    .map((other) => ({ in: 'deliveries', update: { id: other, claim: null }, change: { $set } }))
}
