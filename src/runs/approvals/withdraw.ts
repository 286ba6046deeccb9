import { timestamp } from '#src/core/time.ts'
import type { Ports } from '#src/core/context.ts'
import type { Write } from '#src/ports/store.ts'
import type { Consequence, Ended } from '../ended.ts'
import { asRead, type StoredApproval } from './approval.ts'
import { reseated } from './viewer-row.ts'

const withoutDecision: ReadonlySet<string> = new Set(['cancelled', 'failed', 'timed_out'])

/** The reasons of a run that failed by the decision itself. */
const byDecision: ReadonlySet<string | null> = new Set(['rejected', 'expired'])

/** Cancels the pending approval of a run that ends in another way. */
export const withdrawalOf: Consequence = (ports, { run, now }) =>
  run.approval_id !== null && withoutDecision.has(run.status) && !byDecision.has(run.reason)
    ? withdrawn(ports, run.approval_id, now)
    : []

async function withdrawn(
  { store }: Pick<Ports, 'store'>,
  approvalId: string,
  now: Ended['now'],
): Promise<Write[]> {
  const approval = await store.approvals.get(approvalId)
  return approval?.state === 'pending' ? cancelled(approval, now) : []
}

/** The writes that end an approval without a decision. */
export function cancelled(approval: StoredApproval, now: Date): Write[] {
  const $set = { state: 'cancelled', decided_at: timestamp(now), due_at: null } as const
  return [
    { in: 'approvals', update: asRead(approval), change: { $set, $inc: { ballot: 1 } } },
    ...reseated(approval, 'cancelled'),
  ]
}
