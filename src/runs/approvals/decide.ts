import type { Reach } from '#src/agents/access.ts'
import { isSameActor, keyActor } from '#src/core/credentials/actor.ts'
import type { Ports } from '#src/core/context.ts'
import { refuse } from '#src/core/errors.ts'
import { call } from '#src/core/words/reference.ts'
import { timestamp } from '#src/core/time.ts'
import { Unmet, type Write } from '#src/ports/store.ts'
import type { Ending } from '../ended.ts'
import { announce } from '../ending/end-run.ts'
import { taskOf } from '#src/agents/tasks/of-run.ts'
import { seenApproval, voterOf } from './access.ts'
import {
  asRead,
  publicApproval,
  type Approval,
  type StoredApproval,
  type Vote,
} from './approval.ts'
import { isAsAsked } from './question.ts'
import { lapse } from './expire.ts'
import { boundToPerson } from './person.ts'
import { ownersVoice } from './secret-origin.ts'
import { settlementOf } from './settle.ts'
import { verdictOf, withVote } from './verdict.ts'

/** A vote as cast by a caller. */
export interface Ballot {
  approval_id: string
  decision: Vote['decision']
  reason: string | null
  as_char_id: string | undefined
}

/** A vote as one commit, with the end of the run if it decides. */
export interface Cast {
  approval: Approval
  /** The account whose run waits. */
  ownerId: string
  /** None if the same vote was cast before. */
  writes: Write[]
  ending?: Ending
  /** By how many bytes the account grows. */
  bytes?: number
}

/**
 * The result of a vote, given the current state.
 * @throws Refusal `approval_not_found`, `forbidden`, `character_not_found`, `person_needed`,
 * `approval_decided`, `owner_only`, `approval_stale`; Unmet if another change was faster
 */
export async function cast(ports: Ports & Reach, ballot: Ballot): Promise<Cast> {
  const approval = await seenApproval(ports, ballot.approval_id)
  const bound = await boundToPerson(ports, approval)
  const by =
    approval.kind === 'secret_origin'
      ? ownersVoice(ports, approval)
      : await voterOf(ports, approval, ballot.as_char_id)
  if (approval.state !== 'pending') {
    return refuse('approval_decided', `The approval is ${approval.state} already.`, {
      hint: `${call('approvals.list', { state: 'pending' })} lists those that wait for a decision.`,
    })
  }
  const now = await ports.store.now()
  if (approval.expires_at !== null && approval.expires_at <= timestamp(now)) {
    await lapse(ports, approval, now)
    return again()
  }
  const { decision, reason } = ballot
  const decided_by = keyActor(ports.caller)
  const before = approval.votes.find((vote) => vote.by === by)
  if (!approval.fell_back && before && isSame(before, { decision, reason, decided_by })) {
    return { approval: publicApproval(approval), ownerId: approval.owner_id, writes: [] }
  }
  const vote = { by, decided_by, decision, reason, at: timestamp(now) }
  const made = await counted(ports, approval, vote, now)
  return { ...made, writes: [...made.writes, ...bound] }
}

type Said = Required<Pick<Vote, 'decision' | 'reason' | 'decided_by'>>

function isSame(before: Vote, { decision, reason, decided_by }: Said): boolean {
  if (before.decision !== decision || before.reason !== reason) return false
  return isSameActor(before.decided_by, decided_by)
}

async function counted(
  ports: Ports,
  approval: StoredApproval,
  vote: Vote,
  now: Date,
): Promise<Cast> {
  const { store } = ports
  const run = await store.runs.get(approval.run_id)
  if (run?.status !== 'waiting_approval' || run.approval_id !== approval.id) return again()
  const task = await taskOf(store, run)
  if (!task) {
    await lapse(ports, approval, now)
    return again()
  }
  // Rejecting a run that would no longer be what was asked does no harm.
  if (vote.decision === 'approve' && !isAsAsked(approval, run, task)) {
    return refuse('approval_stale', 'The task was changed since: something else would run.', {
      hint: `Reject it, or cancel the run ${run.id}; then run the task again.`,
    })
  }
  const votes = withVote(approval, approval.votes, vote)
  const state = verdictOf(approval, votes)
  if (state) {
    const settled = await settlementOf(ports, approval, { state, votes, run, task }, now)
    return { ...settled, approval: publicApproval(settled.approval), ownerId: approval.owner_id }
  }
  const change = { $set: { votes }, $inc: { ballot: 1 } }
  return {
    approval: { ...publicApproval(approval), votes },
    ownerId: approval.owner_id,
    writes: [{ in: 'approvals', update: asRead(approval), change }],
  }
}

/** The state has changed since it was read: decide again. */
function again(): never {
  throw new Unmet('approvals', 0)
}

/** After the commit of a vote: tells callers that follow the run. */
export async function tell(ports: Ports, { ending }: Cast): Promise<void> {
  if (ending) await announce(ports, ending)
}
