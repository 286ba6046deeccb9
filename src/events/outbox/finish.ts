import { noticeTo } from '#src/accounts/notice.ts'
import type { StoredDelivery } from './delivery.ts'
import { isPlaced, targetGone } from './push-order.ts'
import type { Ports } from '#src/core/context.ts'
import type { Filter } from '#src/ports/filter.ts'
import { Unmet, type Write } from '#src/ports/store.ts'
import { isGone, settledBy, type Settled, type Tried } from './attempt.ts'

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
  const further = isGone(tried) ? await disabling(ports, delivery) : []
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
  if (app_id === null) return []
  const app = await store.apps.get(app_id)
  const isSame = app?.owner_id === owner_id && app.webhook?.url === url
  if (!isSame || app.webhook?.state !== 'active') return []
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
    noticeTo(owner_id, 'webhook.disabled', message, {}, clock.now()),
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
