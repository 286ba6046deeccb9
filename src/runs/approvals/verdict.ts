import type { Run } from '../run.ts'
import type { StoredApproval, Vote } from './approval.ts'

/** What an approval has come to. */
export type Verdict = 'approved' | 'rejected'

/** The votes with this one in place of what the same agent said before. */
export function withVote(votes: readonly Vote[], vote: Vote): Vote[] {
  return [...votes.filter(({ by }) => by !== vote.by), vote]
}

/**
 * What an approval comes to by these votes, the last of which was cast now: approved by as many as
 * are needed, rejected when so many cannot be had any more. Undefined while it is open.
 */
export function verdictOf(
  approval: Pick<StoredApproval, 'approvers' | 'needed' | 'fell_back'>,
  votes: readonly Vote[],
): Verdict | undefined {
  const last = votes.at(-1)
  if (!last) return undefined
  // The fallback agent decides alone, whatever the approvers have said before it was asked.
  if (approval.fell_back) return last.decision === 'approve' ? 'approved' : 'rejected'
  const against = votes.filter(({ decision }) => decision === 'reject').length
  if (votes.length - against >= approval.needed) return 'approved'
  return approval.approvers.length - against < approval.needed ? 'rejected' : undefined
}

/** The reason of a run that paused and ended, because its follow-up run goes on. */
export const resumedReason = 'resumed'

/** Whether the run ended only for its follow-up run to go on. */
export function isResumed({ status, reason }: Pick<Run, 'status' | 'reason'>): boolean {
  return status === 'completed' && reason === resumedReason
}

/** Whether the run counts as completed although what it was to do was not agreed to. */
export function isTurnedDown({ status, reason }: Pick<Run, 'status' | 'reason'>): boolean {
  return status === 'completed' && (reason === 'rejected' || reason === 'expired')
}
