import type { Ports } from '#src/core/context.ts'
import { digest, newId } from '#src/core/ids.ts'
import { secondsAfter, timestamp } from '#src/core/time.ts'
import type { Push } from '#src/events/browsers/push.ts'
import { browsersAtMost, type StoredBrowser } from '#src/events/browsers/subscription.ts'
import { newDelivery } from '#src/events/outbox/outbox.ts'
import type { Write } from '#src/ports/store.ts'
import { keptDays, newsEvent } from './call.ts'
import type { Telling } from './gather.ts'
import { pushWords } from './words.ts'

type Needed = Pick<Ports, 'store' | 'clock' | 'sealer' | 'settings'>
type Told = Pick<Telling, 'account_id' | 'person_id'>

/** The browsers by which a person is told. */
export function browsersOf(
  { push_subscriptions }: Pick<Ports['store'], 'push_subscriptions'>,
  person_id: string,
): Promise<StoredBrowser[]> {
  return push_subscriptions.find({ person_id }, { sort: { id: 1 }, limit: browsersAtMost })
}

/**
 * The writes that have each browser of a person sent what happened: ids, addresses and counts, and no words of others.
 * What still waits for a browser to be told of the account is replaced.
 */
export async function pushesOf(
  { store, clock, sealer, settings }: Needed,
  { account_id, person_id }: Told,
  told: Pick<Telling, 'counts' | 'items'>,
): Promise<Write[]> {
  const now = clock.now()
  const browsers = await browsersOf(store, person_id)
  const eventId = newId('evt')
  const tag = topicOf(account_id)
  const { counts } = told
  const about = { id: eventId, type: newsEvent, timestamp: timestamp(now), account_id, counts }
  const urgency = counts.approval_waiting === undefined ? 'normal' : 'high'
  const payload = { ...about, ...pushWords(told, settings), tag }
  const push: Push = { urgency, topic: tag, payload }
  const theirs = { told_person: person_id, owner_id: account_id }
  return browsers.flatMap(({ id: told_browser, service }): Write[] => {
    const waiting = { ...theirs, told_browser, status: 'pending', claim: null } as const
    const owed = { ownerId: account_id, appId: null, charId: null, eventId, type: newsEvent, now }
    const insert = {
      // The whole address is in the subscription, sealed.
      ...newDelivery({ ...owed, url: service, body: push }, sealer),
      told_person: person_id,
      told_browser,
      keep_until: secondsAfter(now, keptDays * 86_400),
      // They are few and short.
      bytes: 0,
    }
    return [
      { in: 'deliveries', delete: waiting },
      { in: 'deliveries', insert },
    ]
  })
}

/** What pushes of one account have in common, so that a newer one takes the place of an older one. */
function topicOf(account_id: string): string {
  return digest(account_id).slice(0, 32)
}
