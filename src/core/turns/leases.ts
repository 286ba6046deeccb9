import type { Ports } from '../context.ts'
import { timestamp } from '../time.ts'

/** The current times: for rows that wait, and for leases. */
export interface Times {
  now: Date
  /** By the store's clock for leases. */
  leases: Date
}

/** Both times; `now` is the later of two clocks, since either may have been set back. */
export async function timesOf({ store, clock }: Pick<Ports, 'store' | 'clock'>): Promise<Times> {
  const now = Math.max(clock.now().getTime(), (await store.now()).getTime())
  return { now: new Date(now), leases: await store.leaseTime() }
}

/** What is due of rows that are claimed until `due_at`: their time has come, or their holder was lost. */
export function dueOrLost({ now, leases }: Times) {
  return {
    $or: [
      { claim: null, due_at: { $lte: timestamp(now) } },
      { claim: { $ne: null }, due_at: { $lte: timestamp(leases) } },
    ],
  } as const
}
