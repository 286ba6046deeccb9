import { purgedAtOnce, type Purge } from '#src/core/counts/purge.ts'
import { secondsAfter } from '#src/core/time.ts'
import { Unmet, type Store } from '#src/ports/store.ts'
import { countRun } from '../retention/bytes.ts'
import { approvalBytes, approvalDays, type StoredApproval } from './approval.ts'
import { seatIdsOf } from './viewer-row.ts'

/**
 * Purges approvals that were decided long ago, with their list rows, one after the other: each may have
 * two rows for each of a hundred approvers, and an input of a megabyte.
 */
export const purgeApprovals: Purge = async ({ store, quotas, clock }, now) => {
  const decided_at = { $lt: secondsAfter(now, -approvalDays * 86_400) }
  const ids = await store.approvals.pick(['id'], { decided_at }, { limit: purgedAtOnce })
  for (const [id] of ids) {
    await clock.turn()
    const one = await store.approvals.get(String(id))
    // Another process that removes some counts those itself.
    if (!one || !(await isRemoved(store, one))) continue
    countRun(quotas, one, -approvalBytes(one))
  }
  return ids.length === purgedAtOnce
}

/** @returns false if another process was faster */
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
