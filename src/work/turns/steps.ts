import type { PlatformEvent } from '#src/events/event.ts'
import type { StoredDelivery } from '#src/events/outbox/delivery.ts'
import type { Step } from '#src/ports/traces/traces.ts'
import type { StoredRun } from '#src/runs/run.ts'

/** The work on a run, in the trace of what started it. */
export function runStep(run: StoredRun): Step {
  const facts = {
    'abode.run_id': run.id,
    'abode.account_id': run.owner_id,
    'abode.agent_id': run.char_id,
    'abode.runtime': run.runtime,
    'abode.trigger': run.trigger.type,
    'abode.attempt': run.attempt,
  }
  return { name: 'run', kind: 'consumer', facts, of: run.trace }
}

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
