import type { Ports } from '#src/core/context.ts'
import { secondsAfter } from '#src/core/time.ts'
import { Unmet, type Store } from '#src/ports/store.ts'
import { countRun } from '../retention/bytes.ts'
import { approvalBytes, approvalDays, type StoredApproval } from './approval.ts'
import { seatIdsOf } from './viewer-row.ts'

/**
 * Deletes approvals that were decided long ago, with the rows by which they are listed, one after the
 * other: each may have two rows for each of a hundred approvers, and an input of a megabyte.
 * @param atMost in one go
 * @returns how many went
 */
export async function sweepApprovals(
  { store, quotas, clock }: Pick<Ports, 'store' | 'quotas' | 'clock'>,
  now: Date,
  atMost: number,
): Promise<number> {
  const decided_at = { $lt: secondsAfter(now, -approvalDays * 86_400) }
  const ids = await store.approvals.pick(['id'], { decided_at }, { limit: atMost })
  let swept = 0
  for (const [id] of ids) {
    await clock.turn()
    const one = await store.approvals.get(String(id))
    // Another process removes them too, and counts those.
    if (!one || !(await isRemoved(store, one))) continue
    countRun(quotas, one, -approvalBytes(one))
    swept += 1
  }
  return swept
}

/** @returns false where another process was quicker */
async function isRemoved(store: Store, approval: StoredApproval): Promise<boolean> {
  const { id, state } = approval
  try {
    await store.commit([
      { in: 'approvals', update: { id }, change: { $set: { state } } },
      { in: 'approval_seats', delete: { id: { $in: seatIdsOf(approval) } } },
      { in: 'approvals', delete: { id } },
    ])
    return true
  } catch (cause) {
    if (!(cause instanceof Unmet)) throw cause
    return false
  }
}
