import { lapse, putOff } from '#src/runs/approvals/expire.ts'
import type { StoredApproval } from '#src/runs/approvals/approval.ts'
import type { Ports } from '#src/core/context.ts'
import { timestamp } from '#src/core/time.ts'
import { takeDue, type DueQueue } from '#src/core/turns/due-queue.ts'

const approvals: DueQueue<StoredApproval> = {
  name: 'an approval',
  atOnce: 50,
  sideBySide: 1,
  find: ({ store }, now, limit) =>
    store.approvals.find({ due_at: { $lte: timestamp(now) } }, { sort: { due_at: 1 }, limit }),
  take: lapse,
  putOff,
}

/** Looks at the approvals that are due; gives how many it changed, which other processes may have done first. */
export async function approvalsDue(ports: Ports): Promise<number> {
  return takeDue(ports, approvals, await ports.store.now())
}
