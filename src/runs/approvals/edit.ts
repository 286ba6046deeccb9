import { isPrompt } from '#src/agents/tasks/runtimes.ts'
import type { StoredTask } from '#src/agents/tasks/task.ts'
import { keyActor } from '#src/core/credentials/actor.ts'
import type { KeyCaller } from '#src/core/admission/caller.ts'
import { refuse } from '#src/core/errors.ts'
import type { Source } from '#src/core/text/untrusted.ts'
import { RunFailure } from '../failure.ts'
import type { StoredRun } from '../run.ts'
import { render, variablesOf } from '../template.ts'
import type { StoredApproval, Vote } from './approval.ts'
import { fingerprintOf } from './question.ts'

/** An input in place of the one that was asked about, and the fingerprint of what would then run. */
export interface Edit {
  input: unknown
  fingerprint: string
}

/**
 * The changed input that a vote approves, if it is one that the gate allows and the task could run with.
 * Undefined for a vote on what was asked; the same input is none.
 * @throws Refusal `edit_not_allowed`, `invalid_input`
 */
export function editOf(
  approval: StoredApproval,
  sent: { decision: Vote['decision']; edited_input?: unknown },
  run: StoredRun,
  task: StoredTask,
): Edit | undefined {
  if (sent.edited_input === undefined) return undefined
  if (sent.decision === 'reject') return invalid('A rejection changes no input: leave it out.')
  if (approval.allow_edit !== true) {
    return refuse('edit_not_allowed', 'This approval takes the input as it is.', {
      hint: 'Decide it without edited_input. Its owner allows changes by allow_edit of the gate or the quorum.',
    })
  }
  const input = sent.edited_input
  const edited = { ...run, input }
  checkFits(edited, task)
  const fingerprint = fingerprintOf(approval, edited, task)
  return fingerprint === approval.fingerprint ? undefined : { input, fingerprint }
}

/** What the run would otherwise only fail of once it has begun. */
function checkFits(run: StoredRun, task: StoredTask): void {
  try {
    const variables = variablesOf(task, run)
    for (const text of templatesOf(task)) render(text, run.input, variables)
  } catch (cause) {
    if (!(cause instanceof RunFailure)) throw cause
    invalid(cause.message)
  }
}

/** The texts that the run fills in with its input. */
function templatesOf({ runtime, prompt, api_url }: StoredTask): string[] {
  if (runtime === 'api') return [prompt, api_url ?? '']
  return isPrompt(runtime) || runtime === 'template' || runtime === 'human_approval' ? [prompt] : []
}

function invalid(message: string): never {
  return refuse('invalid_input', message, {
    errors: [{ pointer: '/edited_input', message, code: 'edit_invalid' }],
    hint: 'Nothing was decided.',
  })
}

type Proposed = Pick<StoredApproval, 'edited_input' | 'edited_by' | 'edit'>

/**
 * The approval with this change as the only one that stands: votes for another change were not for this one, and
 * count no longer.
 */
export function withEdit(
  approval: StoredApproval,
  { input, fingerprint }: Edit,
  by: string,
  caller: KeyCaller,
): StoredApproval {
  if (approval.edit?.fingerprint === fingerprint) return approval
  const source = sourceOfEdit(approval, by, caller)
  const proposed: Proposed = {
    edited_input: input,
    edited_by: keyActor(caller),
    edit: { fingerprint, ...(source && { source }) },
  }
  return { ...approval, ...proposed, votes: approval.votes.filter(({ edited }) => !edited) }
}

function sourceOfEdit(
  { owner_id }: StoredApproval,
  char_id: string,
  { accountId }: KeyCaller,
): Source | undefined {
  return accountId === owner_id ? undefined : { kind: 'approval', account: accountId, char_id }
}

/** The members that a change adds, for the write that stores it. */
export function proposedOf({ edited_input, edited_by, edit }: StoredApproval): Proposed {
  return edit ? { edited_input, ...(edited_by && { edited_by }), edit } : {}
}

/** The members that go where it was approved as asked. */
export const editMembers = { edited_input: true, edited_by: true, edit: true } as const

/** Whether these votes, the last of which decided, approved the change and not what was asked. */
export function isEdited(votes: readonly Vote[]): boolean {
  return votes.at(-1)?.edited === true
}

/** An approval that was given as it was asked, without the change that stood when it was. */
export function withoutEdit({
  edited_input: _input,
  edited_by: _by,
  edit: _edit,
  ...asked
}: StoredApproval): StoredApproval {
  return asked
}
