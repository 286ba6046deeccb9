import type { Ports } from '#src/core/context.ts'
import { secondsAfter } from '#src/core/time.ts'
import { Unmet, type Store, type Write } from '#src/ports/store.ts'
import { countRun } from '#src/runs/retention/bytes.ts'
import { approvalBytes, approvalDays, type StoredApproval } from './approval.ts'
import { seatIdsOf } from './seat.ts'

/** Each may have two rows for each of a hundred approvers, and an input of a megabyte. */
const pageSize = 20

/**
 * Deletes approvals that were decided long ago, with the rows by which they are listed.
 * @param atMost in one go, give or take a page
 * @returns how many went
 */
export async function sweepApprovals(
  { store, quotas }: Pick<Ports, 'store' | 'quotas'>,
  now: Date,
  atMost: number,
): Promise<number> {
  const decided_at = { $lt: secondsAfter(now, -approvalDays * 86_400) }
  let swept = 0
  while (swept < atMost) {
    const page = await store.approvals.find({ decided_at }, { limit: pageSize })
    if (page.length === 0 || !(await removed(store, page))) break
    for (const one of page) countRun(quotas, one, -approvalBytes(one))
    swept += page.length
    if (page.length < pageSize) break
  }
  return swept
}

/** @returns false where another process has removed some of them: it counts those */
async function removed(store: Store, page: readonly StoredApproval[]): Promise<boolean> {
  const stillThere = page.map(({ id, state }): Write => ({
    in: 'approvals',
    update: { id },
    change: { $set: { state } },
  }))
  try {
    await store.commit([
      ...stillThere,
      { in: 'approval_seats', delete: { id: { $in: page.flatMap(seatIdsOf) } } },
      { in: 'approvals', delete: { id: { $in: page.map(({ id }) => id) } } },
    ])
    return true
  } catch (cause) {
    if (!(cause instanceof Unmet)) throw cause
    return false
  }
}
