import type { Write } from '#src/ports/store.ts'
import type { ApprovalState, StoredApproval } from './approval.ts'

/** A viewer of an approval: an account, or an agent of one. One row for each, for their lists. */
export interface ApprovalSeat {
  /** `viewer approval_id`. */
  id: string
  viewer: string
  approval_id: string
  /** That of the approval. */
  state: ApprovalState
}

/** The key of a list of approvals: those of an account, or of one of its agents. */
export function viewer(accountId: string, charId?: string): string {
  return charId === undefined ? accountId : `${accountId}/${charId}`
}

type Seated = Pick<
  StoredApproval,
  | 'id'
  | 'owner_id'
  | 'char_id'
  | 'approvers'
  | 'approver_owners'
  | 'fell_back'
  | 'fallback_agent_id'
  | 'fallback_owner_id'
>

/** All viewers: both sides, each agent and its account, once. */
export function viewersOf(approval: Seated): string[] {
  const sides: [string, string][] = [[approval.owner_id, approval.char_id]]
  for (const [i, charId] of approval.approvers.entries()) {
    sides.push([approval.approver_owners[i] ?? approval.owner_id, charId])
  }
  const { fell_back, fallback_agent_id, fallback_owner_id } = approval
  if (fell_back && fallback_agent_id && fallback_owner_id) {
    sides.push([fallback_owner_id, fallback_agent_id])
  }
  return [...new Set(sides.flatMap(([owner, charId]) => [owner, viewer(owner, charId)]))]
}

/** The rows of viewers that may see it now and could not before. */
export function seated(approval: StoredApproval, before: readonly string[] = []): Write[] {
  const known = new Set(before)
  return viewersOf(approval)
    .filter((one) => !known.has(one))
    .map((one) => ({
      in: 'approval_seats',
      insert: {
        id: seatId(one, approval.id),
        viewer: one,
        approval_id: approval.id,
        state: approval.state,
      },
    }))
}

/** The same rows, once the approval is decided. */
export function reseated(approval: Seated, state: ApprovalState): Write[] {
  return viewersOf(approval).map((one) => ({
    in: 'approval_seats',
    update: { id: seatId(one, approval.id) },
    change: { $set: { state } },
  }))
}

/** The keys of all its rows. */
export function seatIdsOf(approval: Seated): string[] {
  return viewersOf(approval).map((one) => seatId(one, approval.id))
}

function seatId(one: string, approvalId: string): string {
  return `${one} ${approvalId}`
}
