import type { Ports } from '#src/core/context.ts'
import { newId } from '#src/core/ids.ts'
import { secondsAfter, timestamp } from '#src/core/time.ts'
import { eventApiVersion } from '#src/events/outbox/event-body.ts'
import { newDelivery } from '#src/events/outbox/outbox.ts'
import type { Write } from '#src/ports/store.ts'
import type { Telling } from './gather.ts'
import { newsSeal, type StoredNotificationSettings } from './settings.ts'
import { addressOf, restOf } from './words.ts'

/** The event that a call to a person's webhook is of. */
export const newsEvent = 'account.news'
/** How many calls to webhooks of a person may wait; what happens meanwhile goes into the next. */
export const callsWaitingAtMost = 10
/** How long calls are kept, in days. */
export const keptDays = 3
/** It is for no browser. */
const none = { $exists: false } as const

type Needed = Pick<Ports, 'clock' | 'sealer' | 'settings'>

/** Whether one more call may wait for a person of an account. */
export async function hasRoomForCall(
  { store }: Pick<Ports, 'store'>,
  owner_id: string,
  told_person: string,
): Promise<boolean> {
  const waiting = { told_person, told_browser: none, owner_id, status: 'pending' } as const
  const rows = await store.deliveries.pick(['id'], waiting, { limit: callsWaitingAtMost })
  return rows.length < callsWaitingAtMost
}

/** The write that drops what waits to be sent to the webhook of a person of an account. */
export function callsEnded(owner_id: string, told_person: string): Write {
  return {
    in: 'deliveries',
    delete: { told_person, told_browser: none, owner_id, status: 'pending' },
  }
}

/** The write that has a person's webhook called with what happened: ids and addresses, and no words of anyone. */
export function callOf(
  { clock, sealer, settings }: Needed,
  { id, account_id, person_id, webhook, sealed_secret = '' }: StoredNotificationSettings,
  { counts, items }: Pick<Telling, 'counts' | 'items'>,
): Write {
  const now = clock.now()
  const eventId = newId('evt')
  const { publicUrl } = settings
  const named = items.map((item) => ({ ...item, url: addressOf(item, publicUrl) }))
  const body = {
    id: eventId,
    type: newsEvent,
    timestamp: timestamp(now),
    api_version: eventApiVersion,
    data: { account_id, counts, items: named, more: restOf({ counts, items }) },
  }
  const owed = {
    ownerId: account_id,
    appId: null,
    charId: null,
    eventId,
    type: newsEvent,
    url: webhook?.url ?? '',
    body,
    secret: sealer.open(sealed_secret, newsSeal(id)),
    now,
  }
  const insert = {
    ...newDelivery(owed, sealer),
    told_person: person_id,
    keep_until: secondsAfter(now, keptDays * 86_400),
    // They are few and short.
    bytes: 0,
  }
  return { in: 'deliveries', insert }
}
