import type { Place } from '#tests/support/stores.ts'

/**
 * Lets the minute go by in which nobody takes over what a killed process was at: its leases on runs run
 * out, and payments that it was to look at soon are due. What lives keeps its leases.
 *
 * To be called once the next process listens: until then nobody opens the store, so that it is that
 * process which finds it as the killed one has left it.
 * @param killedAt when the process was gone, as `performance.now()` tells it
 */
export async function lapse(place: Pick<Place, 'open'>, killedAt: number): Promise<void> {
  const store = await place.open()
  try {
    const now = await store.now()
    // By the clock of the leases, which need not be this machine's.
    const killed = new Date(now.getTime() - (performance.now() - killedAt)).toISOString()
    const due_at = now.toISOString()
    const soon = { due_at: { $gt: due_at, $lt: new Date(now.getTime() + 60_000).toISOString() } }
    const change = { $set: { due_at } }
    const held = { ...soon, 'claim.by': 'worker', started_at: { $lt: killed } } as const
    while (await store.runs.update(held, change));
    const begun = { ...soon, created_at: { $lt: killed } }
    while (await store.checkouts.update(begun, change));
    while (await store.refunds.update(begun, change));
  } finally {
    await store.close()
  }
}
