import { isAsAsked } from '#src/runs/approvals/question.ts'
import type { StoredApproval } from '#src/runs/approvals/approval.ts'
import type { StoredRun } from '#src/runs/run.ts'
import type { Work } from '../runtime.ts'

/** The approval of this kind after which a run goes on, and the run that had paused for it. */
export async function pausedBefore(
  { ports, run, task }: Work,
  kind: StoredApproval['kind'],
): Promise<{ approval: StoredApproval; run: StoredRun } | undefined> {
  if (run.resumed_from === null) return undefined
  const paused = await ports.store.runs.get(run.resumed_from)
  if (!paused?.approval_id) return undefined
  const approval = await ports.store.approvals.get(paused.approval_id)
  const isGiven = approval?.state === 'approved' && approval.follow_up_run_id === run.id
  if (!isGiven || approval.kind !== kind) return undefined
  return isAsAsked(approval, run, task) ? { approval, run: paused } : undefined
}
