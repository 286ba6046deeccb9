import type { PlatformEvent } from '#src/events/event.ts'
import type { StoredDelivery } from '#src/events/outbox/delivery.ts'
import type { Step } from '#src/ports/traces/traces.ts'

/** An event that is passed on, in the trace of what caused it. */
export function eventStep({ type, owner_id, trace }: PlatformEvent): Step {
  const facts = { 'abode.event': type, 'abode.account_id': owner_id }
  return { name: 'event', kind: 'consumer', facts, of: trace }
}

/** A try to deliver, in the trace of what it tells of. */
export function deliveryStep({ id, owner_id, trace }: StoredDelivery): Step {
  const facts = { 'abode.delivery_id': id, 'abode.account_id': owner_id }
  return { name: 'delivery', kind: 'consumer', facts, of: trace }
}
