import type { Reach } from '#src/agents/access.ts'
import { isSameActor, keyActor, type Actor } from '#src/core/credentials/actor.ts'
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
  approvalBytes,
  asRead,
  publicApproval,
  type Approval,
  type StoredApproval,
  type Vote,
} from './approval.ts'
import { countRun } from '../retention/bytes.ts'
import { editOf, proposedOf, withEdit } from './edit.ts'
import { isAsAsked } from './question.ts'
import { lapse } from './expire.ts'
import { boundToPerson } from './person.ts'
import { ownersVoice } from './secret-origin.ts'
import { settlementOf } from './settle.ts'
import { verdictOf, withVote } from './verdict.ts'
import { voicesOf } from './voices.ts'

/** A vote as cast by a caller. */
export interface Ballot {
  approval_id: string
  decision: Vote['decision']
  reason: string | null
  as_char_id: string | undefined
  /** Of an approval: the input with which the run is to go on instead. */
  edited_input?: unknown
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
  /** By how many bytes the approval grows, and in whose share. */
  grown?: Pick<StoredApproval, 'owner_id' | 'sender'> & { bytes: number }
}

/**
 * The result of a vote, given the current state.
 * @throws Refusal `approval_not_found`, `forbidden`, `character_not_found`, `person_needed`,
 * `approval_decided`, `owner_only`, `approval_stale`, `edit_not_allowed`, `invalid_input`; Unmet if another change was faster
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
  const vote = { by, decided_by, decision, reason, at: timestamp(now) }
  if (ballot.edited_input === undefined && wasCast(approval, vote)) return unchanged(approval)
  const made = await counted(ports, approval, vote, ballot.edited_input, now)
  return made.writes.length === 0 ? made : { ...made, writes: [...made.writes, ...bound] }
}

type Said = Vote & { decided_by: Actor }

/** Whether it was cast before, word for word. */
function wasCast({ fell_back, votes }: StoredApproval, vote: Said): boolean {
  const before = votes.find(({ by }) => by === vote.by)
  if (fell_back || !before) return false
  const { decision, reason, edited } = before
  if (decision !== vote.decision || reason !== vote.reason || edited !== vote.edited) return false
  return isSameActor(before.decided_by, vote.decided_by)
}

function unchanged(approval: StoredApproval): Cast {
  return { approval: publicApproval(approval), ownerId: approval.owner_id, writes: [] }
}

async function counted(
  ports: Ports & Reach,
  asked: StoredApproval,
  said: Said,
  edited_input: unknown,
  now: Date,
): Promise<Cast> {
  const { store, caller } = ports
  const run = await store.runs.get(asked.run_id)
  if (run?.status !== 'waiting_approval' || run.approval_id !== asked.id) return again()
  const task = await taskOf(store, run)
  if (!task) {
    await lapse(ports, asked, now)
    return again()
  }
  // Rejecting a run that would no longer be what was asked does no harm.
  if (said.decision === 'approve' && !isAsAsked(asked, run, task)) {
    return refuse('approval_stale', 'The task was changed since: something else would run.', {
      hint: `Reject it, or cancel the run ${run.id}; then run the task again.`,
    })
  }
  const edit = editOf(asked, { decision: said.decision, edited_input }, run, task)
  const vote = edit ? { ...said, edited: true as const } : said
  const approval = edit ? withEdit(asked, edit, vote.by, caller) : asked
  const { owner_id: ownerId } = approval
  if (wasCast(approval, vote)) return unchanged(approval)
  const { require_person, approver_owners } = approval
  const voices = require_person ? await voicesOf(store, approver_owners) : undefined
  const votes = withVote(approval, approval.votes, vote, voices)
  const state = verdictOf(approval, votes, voices)
  if (state) {
    const settled = await settlementOf(ports, approval, { state, votes, run, task }, now)
    const shown = publicApproval(settled.approval)
    return { ...settled, approval: shown, ownerId, grown: growth(asked, settled.approval) }
  }
  const change = { $set: { votes, ...proposedOf(approval) }, $inc: { ballot: 1 } }
  return {
    approval: { ...publicApproval(approval), votes },
    ownerId,
    writes: [{ in: 'approvals', update: asRead(approval), change }],
    grown: growth(asked, approval),
  }
}

function growth(before: StoredApproval, after: StoredApproval): NonNullable<Cast['grown']> {
  const bytes = approvalBytes(after) - approvalBytes(before)
  const { owner_id, sender } = before
  return { owner_id, bytes, ...(sender !== undefined && { sender }) }
}

/** The state has changed since it was read: decide again. */
function again(): never {
  throw new Unmet('approvals', 0)
}

/** After the commit of a vote: counts what it added, and tells callers that follow the run. */
export async function tell(ports: Ports, { ending, grown }: Cast): Promise<void> {
  if (grown && grown.bytes !== 0) countRun(ports.quotas, grown, grown.bytes)
  if (ending) await announce(ports, ending)
}
