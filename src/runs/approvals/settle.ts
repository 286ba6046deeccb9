import { byWhom } from '#src/accounts/members/who.ts'
import { noticeTo } from '#src/accounts/notice.ts'
import type { Ports } from '#src/core/context.ts'
import { timestamp } from '#src/core/time.ts'
import { marksOf, type Source } from '#src/core/text/untrusted.ts'
import { emitted } from '#src/events/emit.ts'
import type { Write } from '#src/ports/store.ts'
import { newRun } from '../new-run.ts'
import type { Ending, Outcome } from '../ended.ts'
import { endingOf } from '../ending/end-run.ts'
import type { StoredRun } from '../run.ts'
import { sourceAfter } from '../output/taint.ts'
import { lacksModel } from '../runtimes/prompt/choose-model.ts'
import type { StoredTask } from '#src/agents/tasks/task.ts'
import { asRead, type StoredApproval, type Vote } from './approval.ts'
import { editMembers, isEdited, proposedOf, withoutEdit } from './edit.ts'
import { votersFor } from './for-person.ts'
import { reseated } from './viewer-row.ts'
import { originsAllowed } from './secret-origin.ts'
import { resumedReason } from './verdict.ts'

/** A decided approval as one commit, with the end of its run and the follow-up run. */
export interface Settlement {
  approval: StoredApproval
  ending: Ending
  writes: Write[]
  /** By how many bytes the account grows. */
  bytes: number
}

/** What is decided, and about what. */
export interface Decided {
  state: 'approved' | 'rejected' | 'expired'
  votes: Vote[]
  /** The waiting run. */
  run: StoredRun
  /** Undefined if it was deleted: then nothing can be approved any more. */
  task: StoredTask | undefined
}

/**
 * The commit that decides an approval. Its updates are bound to the approval, the run and the task as
 * read, so only one of several concurrent decisions succeeds, and exactly what was asked continues.
 */
export async function settlementOf(
  ports: Ports,
  before: StoredApproval,
  { state, votes, run, task }: Decided,
  now: Date,
): Promise<Settlement> {
  const isGiven = state === 'approved'
  const isChanged = isGiven && isEdited(votes)
  const goesOn = isGiven && before.kind !== 'quorum' && task
  const source = isGiven ? sourceAfter(run, before, votes) : marksOf(run).source
  const goingOn = isChanged ? { ...run, input: before.edited_input } : run
  const followUp = goesOn ? followUpOf(ports, goingOn, task, source, now) : undefined
  if (followUp && isChanged && before.edited_by) followUp.edited_by = before.edited_by
  const change = {
    state,
    votes,
    decided_at: timestamp(now),
    due_at: null,
    follow_up_run_id: followUp ? followUp.id : null,
  }
  const { kept, edit } = editAfter(before, isGiven, isChanged)
  const approval = { ...kept, ...edit.$set, ...change, ballot: before.ballot + 1 }
  // Its own mark stays with its input; what its end causes is marked as far as no person has approved it.
  const judged = { ...run, untrusted: source ? (true as const) : undefined, source }
  const ending = await endingOf(ports, judged, outcomeOf(approval), now, task)
  const isAllowed = isGiven && before.kind === 'secret_origin'
  const allowed = isAllowed ? await originsAllowed(ports, before) : { writes: [], bytes: 0 }
  const writes: Write[] = [
    {
      in: 'approvals',
      update: asRead(before),
      change: { ...edit, $set: { ...change, ...edit.$set }, $inc: { ballot: 1 } },
    },
    ...reseated(before, state),
    ...ending.writes,
    ...(followUp ? [{ in: 'runs', insert: followUp } as const] : []),
    ...(isGiven && task ? [bound(task)] : []),
    ...allowed.writes,
    ...(await decidedEvents(ports, run, approval, now)),
    ...(await noticesOf(ports, approval, now)),
  ]
  return { approval, ending, writes, bytes: allowed.bytes }
}

/** Binds the commit to the task at this revision, which is what was approved. */
function bound({ id, revision }: StoredTask): Write {
  return { in: 'tasks', update: { id, revision }, change: { $set: { revision } } }
}

/** A queued run that continues where the other paused: at the same place of the same chain. */
function followUpOf(
  { models }: Pick<Ports, 'models'>,
  run: StoredRun,
  task: StoredTask,
  source: Source | undefined,
  now: Date,
): StoredRun {
  const { id, trigger, started_by, input, variables, step, parent_run_id, root_run_id, depth } = run
  const hasNoModel = lacksModel(models, task)
  const again = { trigger, input, resumedFrom: id, startedBy: started_by ?? null }
  const start = { ...again, source, hasNoModel, ...(variables && { variables }) }
  const chat = run.chat_id === undefined ? {} : { chat_id: run.chat_id }
  const by = run.sender === undefined ? {} : { sender: run.sender }
  const led = run.fired && { fired: run.fired }
  const traced = run.trace !== undefined && { trace: run.trace }
  const place = { parent_run_id, root_run_id, depth, step, ...chat, ...by, ...led, ...traced }
  return { ...newRun(task, start, now), ...place }
}

/** What becomes of the change that stands: once approved, it is what the approval is for; given as asked, it is gone. */
function editAfter(before: StoredApproval, isGiven: boolean, isChanged: boolean) {
  const { edit } = before
  if (!isGiven || !edit) return { kept: before, edit: {} }
  if (!isChanged) return { kept: withoutEdit(before), edit: { $unset: editMembers } }
  return { kept: before, edit: { $set: { ...proposedOf(before), fingerprint: edit.fingerprint } } }
}

function outcomeOf(approval: StoredApproval): Outcome {
  const { kind, state, votes, on_reject, edited_input } = approval
  if (state === 'approved') {
    const changed = isEdited(votes) && { edited_input }
    return kind === 'quorum'
      ? { status: 'completed', output: { decision: 'approved', votes, ...changed } }
      : { status: 'completed', output: null, reason: resumedReason }
  }
  if (kind === 'secret_origin') return { status: 'failed', error: notAllowed, reason: state }
  return on_reject === 'notify_only'
    ? { status: 'completed', output: null, reason: state }
    : { status: 'abandoned', error: null, reason: state }
}

const notAllowed = {
  code: 'secret_origin_rejected',
  message: 'The owner did not allow a secret to be sent where the task sends it.',
}

function decidedEvents(
  { store }: Ports,
  run: StoredRun,
  approval: StoredApproval,
  now: Date,
): Promise<Write[]> {
  const { id: approval_id, run_id, char_id, task_id, state, follow_up_run_id } = approval
  const happening = {
    type: 'approval.decided',
    ownerId: run.owner_id,
    charId: run.char_id,
    appId: run.app_id,
    data: { approval_id, run_id, char_id, task_id, state, follow_up_run_id },
    cause: run,
  }
  return emitted(store, happening, now)
}

async function noticesOf(
  { store }: Pick<Ports, 'store'>,
  approval: StoredApproval,
  now: Date,
): Promise<Write[]> {
  const { state, on_reject, owner_id, char_id, task_id, run_id } = approval
  const about = { char_id, task_id, run_id, approval_id: approval.id }
  const next = [{ operation: 'runs.retry', input: { run_id } }]
  const what = `The run ${run_id} of the task "${task_id}" of the agent "${char_id}"`
  if (state === 'expired') {
    const message = `${what} did not continue: no one decided its approval in time.`
    return [noticeTo(owner_id, 'approval.expired', message, about, now, { next })]
  }
  if (state !== 'rejected' || on_reject !== 'notify_only') return []
  const by = await byWhom(store, { personId: votersFor(approval, owner_id).at(-1) })
  const message = `${what} did not continue: its approval was rejected${by}.`
  return [noticeTo(owner_id, 'approval.rejected', message, about, now, { next })]
}
