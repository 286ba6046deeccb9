import type { Run } from '../run.ts'
import type { StoredApproval, Vote } from './approval.ts'

/** The result of an approval. */
export type Verdict = 'approved' | 'rejected'

/** The votes with this one in place of an earlier vote of the same agent. */
export function withVote(votes: readonly Vote[], vote: Vote): Vote[] {
  return [...votes.filter(({ by }) => by !== vote.by), vote]
}

/**
 * The verdict by these votes, the last of which was cast now: approved with as many votes as are needed,
 * rejected once that many are no longer possible. Undefined while it is open.
 */
export function verdictOf(
  approval: Pick<StoredApproval, 'approvers' | 'needed' | 'fell_back'>,
  votes: readonly Vote[],
): Verdict | undefined {
  const last = votes.at(-1)
  if (!last) return undefined
  // The fallback agent decides alone, regardless of the approvers' earlier votes.
  if (approval.fell_back) return last.decision === 'approve' ? 'approved' : 'rejected'
  const against = votes.filter(({ decision }) => decision === 'reject').length
  if (votes.length - against >= approval.needed) return 'approved'
  return approval.approvers.length - against < approval.needed ? 'rejected' : undefined
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
