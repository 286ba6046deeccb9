import type { Ports } from '#src/core/context.ts'
import { timestamp } from '#src/core/time.ts'
import { Parking } from '../ending/park.ts'
import type { StoredRun } from '../run.ts'
import type { Standing } from '../spend/budget.ts'
import { budgetReason } from '../spend/hold.ts'

/** Runs that are let go at once: their writes share a commit to the disk. */
const atOnce = 50

/** A run that asked no model yet waits for the next period, without a place. */
export function waitingForBudget({ attempt }: StoredRun, { ends_at }: Standing): Parking {
  const back = { status: 'queued', reason: budgetReason, attempt: attempt - 1 } as const
  return new Parking({ ...back, waits_for: 'time', due_at: ends_at }, [])
}

/** Lets all runs of an account look again whether there is money: after a budget was changed or deleted. */
export async function lookAgain({ store, clock }: Ports, owner_id: string): Promise<void> {
  const now = timestamp(clock.now())
  const held = { waits_for: 'time', reason: budgetReason, owner_id } as const
  for (;;) {
    const among = { ...held, due_at: { $gt: now } }
    const rows = await store.runs.pick(['id'], among, { sort: { due_at: 1 }, limit: atOnce })
    const due = { $set: { due_at: now } }
    await Promise.all(rows.map(([id]) => store.runs.update({ ...among, id: String(id) }, due)))
    if (rows.length < atOnce) return
  }
}
