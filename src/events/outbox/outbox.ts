import type { Effect } from '#src/core/effects.ts'
import { newId } from '#src/core/ids.ts'
import type { Sealer } from '#src/core/seal.ts'
import { secondsAfter, timestamp } from '#src/core/time.ts'
import { measured } from './bytes.ts'
import type { StoredDelivery } from './delivery.ts'

/** A call to make to an outside address, before it is stored. */
export interface Owed {
  /** By default a new one. */
  id?: string
  ownerId: string
  /** The app whose webhook it is for, and the agent whose hook; null if there is none. */
  appId: string | null
  charId: string | null
  eventId: string
  type: string
  url: string
  /** The JSON to send: stringified here once, so that every attempt sends the same bytes. */
  body: object
  /** The secret that signs it; without one it is sent unsigned. */
  secret?: string | null
  /** Who caused it, if not the owner. */
  sender?: string | undefined
  /** The run that it tells of or comes from, if any. */
  causeRun?: string | undefined
  now: Date
}

/** How long deliveries are kept, in days, also after the teardown of their app. */
export const deliveryDays = 30

/** Deliveries that a commit has stored, or made due again, are sent at once. */
export const wakeDeliveries: Effect = ({ wake }, writes) => {
  const isOwed = writes.some(
    (write) =>
      write.in === 'deliveries' &&
      ('insert' in write || ('change' in write && write.change.$set?.status === 'pending')),
  )
  if (isOwed) wake.deliveries()
}

/** What the seal of a delivery's secret is bound to. */
export function deliverySeal(id: string): { id: string; purpose: string } {
  return { id, purpose: 'delivery_secret' }
}

/** A delivery that is due at once, for the commit of its cause. */
export function newDelivery(owed: Owed, sealer: Pick<Sealer, 'seal'>): StoredDelivery {
  const { id = newId('dlv') } = owed
  const at = timestamp(owed.now)
  return measured({
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
    ...(owed.sender !== undefined && { sender: owed.sender }),
    ...(owed.causeRun !== undefined && { cause_run: owed.causeRun }),
  })
}
