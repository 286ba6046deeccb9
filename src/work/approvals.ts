import { lapse, putOff } from '#src/runs/approvals/expire.ts'
import type { Ports } from '#src/core/context.ts'
import { timestamp } from '#src/core/time.ts'

/** How many due approvals a tick looks at. */
const dueAtOnce = 50

/** Looks at the approvals that are due; gives how many it changed, which other processes may have done first. */
export async function approvalsDue(ports: Ports): Promise<number> {
  const now = await ports.store.now()
  const due = await ports.store.approvals.find(
    { due_at: { $lte: timestamp(now) } },
    { sort: { due_at: 1 }, limit: dueAtOnce },
  )
  let changed = 0
  for (const approval of due) {
    try {
      if (await lapse(ports, approval, now)) changed += 1
    } catch (cause) {
      ports.log.error('an approval could not be looked at', { approval_id: approval.id, cause })
      await putOff(ports, approval, now)
    }
  }
  return changed
}
