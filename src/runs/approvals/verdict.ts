import type { Run } from '../run.ts'
import type { StoredApproval, Vote } from './approval.ts'

/** The result of an approval. */
export type Verdict = 'approved' | 'rejected'

/**
 * The votes with this one in place of an earlier vote of the same agent; where persons decide, of the same
 * person, who has one vote however many of the agents that are asked are theirs, and of the same account, which another
 * person may have held then.
 */
export function withVote(
  approval: Pick<StoredApproval, 'require_person' | Seats>,
  votes: readonly Vote[],
  vote: Vote,
): Vote[] {
  const { require_person, approvers, approver_owners } = approval
  const ownerOf = ({ by }: Vote): string | undefined => approver_owners[approvers.indexOf(by)]
  const isOfAccount = (one: Vote): boolean =>
    one.by === vote.by || (ownerOf(one) !== undefined && ownerOf(one) === ownerOf(vote))
  const isSame = (one: Vote): boolean =>
    require_person === true ? isOfPerson(one, vote) || isOfAccount(one) : one.by === vote.by
  return [...votes.filter((one) => !isSame(one)), vote]
}

/** Whether one person has cast both votes. */
function isOfPerson(one: Vote, { decided_by }: Vote): boolean {
  return one.decided_by?.person_id === decided_by?.person_id
}

/**
 * The verdict by these votes, the last of which was cast now: approved with as many votes as are needed,
 * rejected once that many are no longer possible. Undefined while it is open.
 */
export function verdictOf(
  approval: Pick<StoredApproval, 'needed' | 'fell_back' | 'require_person' | Seats>,
  votes: readonly Vote[],
): Verdict | undefined {
  const last = votes.at(-1)
  if (!last) return undefined
  // The fallback agent decides alone, regardless of the approvers' earlier votes.
  if (approval.fell_back) return last.decision === 'approve' ? 'approved' : 'rejected'
  const against = votes.filter(({ decision }) => decision === 'reject').length
  if (last.decision === 'approve' && agreeing(votes).length >= approval.needed) return 'approved'
  return seatsOf(approval) - against < approval.needed ? 'rejected' : undefined
}

/** The votes that approve what the last one approves: the input as asked, or the change that stands. */
export function agreeing(votes: readonly Vote[]): Vote[] {
  const edited = votes.at(-1)?.edited
  return votes.filter((vote) => vote.decision === 'approve' && vote.edited === edited)
}

type Seats = 'approvers' | 'approver_owners'

/** How many votes there can be. An account is held by one person. */
function seatsOf({
  approvers,
  approver_owners,
  require_person,
}: Pick<StoredApproval, 'require_person' | Seats>): number {
  return require_person === true ? new Set(approver_owners).size : approvers.length
}

/** The reason of a run that paused and ended because its follow-up run continues. */
export const resumedReason = 'resumed'

/** Whether the run ended only because its follow-up run continues. */
export function isResumed({ status, reason }: Pick<Run, 'status' | 'reason'>): boolean {
  return status === 'completed' && reason === resumedReason
}

/** Whether the run counts as completed although its approval was not given. */
export function isTurnedDown({ status, reason }: Pick<Run, 'status' | 'reason'>): boolean {
  return status === 'completed' && (reason === 'rejected' || reason === 'expired')
}
