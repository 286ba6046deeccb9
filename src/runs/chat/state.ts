import { viewer, viewersOf } from '../approvals/viewer-row.ts'
import { isResumed } from '../approvals/verdict.ts'
import { publicApproval } from '../approvals/approval.ts'
import type { StoredApproval } from '../approvals/approval.ts'
import type { Context } from '#src/core/context.ts'
import type { Store } from '#src/ports/store.ts'
import { marked, marksOf, type Source } from '#src/core/text/untrusted.ts'
import { hasEnded, type StoredRun } from '../run.ts'
import { isOfAgent, isSender } from './access.ts'
import type { ChatTask } from './chat.ts'
import { followUpsAtMost } from '../standings/row.ts'
import type { ChatShown } from './view.ts'

/** The current run of a chat task, with the last approval that it has waited for. */
export interface Standing {
  run: StoredRun
  approval: StoredApproval | undefined
}

/**
 * The current run of a chat task: its own, or the one that continues after its approvals. Undefined if
 * it is gone.
 */
export async function standingOf(
  store: Pick<Store, 'runs' | 'approvals'>,
  runId: string,
): Promise<Standing | undefined> {
  const run = await store.runs.get(runId)
  return run && standingAfter(store, run)
}

/** The same, starting from a run that was read. */
export async function standingAfter(
  store: Pick<Store, 'runs' | 'approvals'>,
  first: StoredRun,
): Promise<Standing> {
  let run = first
  let approval: StoredApproval | undefined
  for (let i = 0; i < followUpsAtMost && run.approval_id !== null; i++) {
    approval = (await store.approvals.get(run.approval_id)) ?? approval
    if (!isResumed(run) || !approval?.follow_up_run_id) break
    const next = await store.runs.get(approval.follow_up_run_id)
    if (!next) break
    run = next
  }
  return { run, approval }
}

type Viewer = Pick<Context, 'caller' | 'address'>

/** The state of a chat task as a caller may see it. */
export function shownTo(context: Viewer, chat: ChatTask, { run, approval }: Standing): ChatShown {
  const isOwn = isOfAgent(context.caller, chat)
  const { status, output, artifacts, started_at, finished_at } = run
  return {
    id: chat.id,
    char_id: chat.char_id,
    context_id: chat.context_id,
    message_id: chat.message_id,
    run_id: run.id,
    status,
    ...explained(run, isOwn),
    input: run.input,
    ...(isOwn ? marksOf(run) : marked(sourceOfAnswer(chat))),
    output: hasEnded(run) ? toldOutput(output, isOwn) : null,
    artifacts,
    approval: approval && maySee(context, approval) ? publicApproval(approval) : null,
    created_at: chat.created_at,
    started_at,
    finished_at,
    is_own: isOwn,
    is_sender: isSender(context, chat),
  }
}

/** Where what an agent answers comes from for all but its account: from the agent, whom they have asked. */
export function sourceOfAnswer({ char_id }: Pick<ChatTask, 'char_id'>): Source {
  return { kind: 'chat', char_id }
}

/**
 * The output of a run as shown to callers other than the account of its agent: of an approval, the
 * decision without the votes.
 */
export function toldOutput(output: unknown, isOwn: boolean): unknown {
  const isVote = typeof output === 'object' && output !== null && 'decision' in output
  if (isOwn || !isVote || !('votes' in output)) return output
  const { votes: _votes, ...rest } = output
  return rest
}

/** The reason and error of a run, reduced for callers other than the account of its agent. */
export function explained(
  { reason, error }: Pick<StoredRun, 'reason' | 'error'>,
  isOwn: boolean,
): Pick<ChatShown, 'reason' | 'error'> {
  if (isOwn) return { reason, error }
  return { reason: isWord(reason) ? reason : null, error: error && unexplained(error) }
}

/** A code is our own and safe to show; a sentence may come from anyone. */
function isWord(text: string | null): boolean {
  return text === null || /^[a-z][a-z0-9_]{0,63}$/.test(text)
}

/** Details of an error are only for the agent's account: addresses, prompts and answers of services. */
function unexplained({ code }: { code: string }): { code: string; message: string } {
  return {
    code: isWord(code) ? code : 'failed',
    message: 'The agent could not do what was asked.',
  }
}

function maySee({ caller }: Viewer, approval: StoredApproval): boolean {
  const { accountId, charId } = caller
  return accountId !== undefined && viewersOf(approval).includes(viewer(accountId, charId))
}
