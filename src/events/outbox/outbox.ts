import type { Effect } from '#src/core/effects.ts'
import { newId } from '#src/core/ids.ts'
import type { Sealer } from '#src/core/seal.ts'
import { secondsAfter, timestamp } from '#src/core/time.ts'
import type { StoredDelivery } from './delivery.ts'

/** A call that is owed to an address outside, before it is kept. */
export interface Owed {
  ownerId: string
  /** The app whose webhook it is for, and the agent whose hook; null where there is none. */
  appId: string | null
  charId: string | null
  eventId: string
  type: string
  url: string
  /** What is sent, as JSON: stringified here, once, so that every attempt sends the same bytes. */
  body: object
  /** What signs it; without one it goes unsigned. */
  secret?: string | null
  now: Date
}

/** How long deliveries are kept, also after the teardown of their app, in days. */
export const deliveryDays = 30

/** Calls that a commit owes to addresses outside, or owes again, are made at once. */
export const wakeDeliveries: Effect = ({ wake }, writes) => {
  const isOwed = writes.some(
    (write) =>
      write.in === 'deliveries' &&
      ('insert' in write || ('change' in write && write.change.$set?.status === 'pending')),
  )
  if (isOwed) wake.deliveries()
}

/** What a delivery's secret is sealed for. */
export function deliverySeal(id: string): { id: string; purpose: string } {
  return { id, purpose: 'delivery_secret' }
}

/**
 * A delivery that is due at once, for the commit of its cause.
 */
export function newDelivery(owed: Owed, sealer: Pick<Sealer, 'seal'>): StoredDelivery {
  const id = newId('dlv')
  const at = timestamp(owed.now)
  return {
    id,
    app_id: owed.appId,
    char_id: owed.charId,
    event_id: owed.eventId,
    type: owed.type,
    url: owed.url,
    status: 'pending',
    attempts: 0,
    response_status: null,
    error: null,
    created_at: at,
    last_attempt_at: null,
    next_attempt_at: at,
    owner_id: owed.ownerId,
    body: JSON.stringify(owed.body),
    sealed_secret: owed.secret ? sealer.seal(owed.secret, deliverySeal(id)) : null,
    due_at: at,
    claim: null,
    keep_until: secondsAfter(owed.now, deliveryDays * 86_400),
  }
}
