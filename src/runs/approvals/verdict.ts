import type { Run } from '../run.ts'
import type { StoredApproval, Vote } from './approval.ts'
import { isHeard, seatsFor, type Voices } from './voices.ts'

/** The result of an approval. */
export type Verdict = 'approved' | 'rejected'

/**
 * The votes with this one in place of an earlier vote of the same agent; where persons decide, also of the same person,
 * who has one vote however many of the agents that are asked are theirs, and of those who may decide no longer.
 * @param voices who may decide, where persons do
 */
export function withVote(
  approval: Pick<StoredApproval, Seats>,
  votes: readonly Vote[],
  vote: Vote,
  voices?: Voices,
): Vote[] {
  const stays = (one: Vote): boolean => {
    if (one.by === vote.by) return false
    return voices === undefined || (!isOfPerson(one, vote) && isHeard(approval, one, voices))
  }
  return [...votes.filter(stays), vote]
}

/** Whether one person has cast both votes. */
function isOfPerson(one: Vote, { decided_by }: Vote): boolean {
  return one.decided_by?.person_id === decided_by?.person_id
}

/**
 * The verdict by these votes, the last of which was cast now: approved with as many votes as are needed,
 * rejected once that many are no longer possible. Undefined while it is open.
 * @param voices who may decide, where persons do
 */
export function verdictOf(
  approval: Pick<StoredApproval, 'needed' | 'fell_back' | Seats>,
  votes: readonly Vote[],
  voices?: Voices,
): Verdict | undefined {
  const last = votes.at(-1)
  if (!last) return undefined
  // The fallback agent decides alone, regardless of the approvers' earlier votes.
  if (approval.fell_back) return last.decision === 'approve' ? 'approved' : 'rejected'
  const against = votes.filter(({ decision }) => decision === 'reject').length
  if (last.decision === 'approve' && agreeing(votes).length >= approval.needed) return 'approved'
  const { approvers, approver_owners } = approval
  const seats = voices ? seatsFor(approver_owners, voices) : approvers.length
  return seats - against < approval.needed ? 'rejected' : undefined
}

/** The votes that approve what the last one approves: the input as asked, or the change that stands. */
export function agreeing(votes: readonly Vote[]): Vote[] {
  const edited = votes.at(-1)?.edited
  return votes.filter((vote) => vote.decision === 'approve' && vote.edited === edited)
}

type Seats = 'approvers' | 'approver_owners'

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
