import { secondsAfter } from '#src/core/time.ts'
import { tryLeaseSeconds } from '#src/events/outbox/attempt.ts'
import type { Place } from '#tests/support/stores.ts'

/**
 * Skips the minute in which no process takes over the work of a killed one: its leases on runs and
 * deliveries expire, and payments that it was to check soon are due. A living process keeps its leases.
 *
 * Call it once the next process listens: until then nothing else may open the store, so that this
 * process finds it as the killed one has left it.
 * @param killedAt when the process was gone, as `performance.now()` tells it
 */
export async function lapse(place: Pick<Place, 'open'>, killedAt: number): Promise<void> {
  const store = await place.open()
  try {
    const now = await store.now()
    // By the clock of the leases, which need not be this machine's.
    const then = new Date(now.getTime() - (performance.now() - killedAt))
    const killed = then.toISOString()
    const due_at = now.toISOString()
    const soon = { due_at: { $gt: due_at, $lt: new Date(now.getTime() + 60_000).toISOString() } }
    const change = { $set: { due_at } }
    const held = { ...soon, 'claim.by': 'worker', started_at: { $lt: killed } } as const
    while (await store.runs.update(held, change));
    const until = { $gt: due_at, $lte: secondsAfter(then, tryLeaseSeconds) }
    while (await store.deliveries.update({ claim: { $gt: '' }, due_at: until }, change));
    const begun = { ...soon, created_at: { $lt: killed } }
    while (await store.checkouts.update(begun, change));
    while (await store.refunds.update(begun, change));
  } finally {
    await store.close()
  }
}
