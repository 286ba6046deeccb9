import { viewer, viewersOf } from '../approvals/viewer-row.ts'
import { isResumed } from '../approvals/verdict.ts'
import { publicApproval } from '../approvals/approval.ts'
import type { StoredApproval } from '../approvals/approval.ts'
import type { Context } from '#src/core/context.ts'
import type { Store } from '#src/ports/store.ts'
import { hasEnded, type StoredRun } from '../run.ts'
import { isOfAgent, isSender } from './access.ts'
import type { ChatTask } from './chat.ts'
import type { ChatShown } from './view.ts'

/** Runs that go on with each other after approvals; more are not followed. */
const followUpsAtMost = 50

/** How the run of a chat task stands, with the last approval that it has waited for. */
export interface Standing {
  run: StoredRun
  approval: StoredApproval | undefined
}

/**
 * The run that a chat task has come to: its own, or the one that goes on after its approvals.
 * Undefined where there is none any more.
 */
export async function standingOf(
  store: Pick<Store, 'runs' | 'approvals'>,
  runId: string,
): Promise<Standing | undefined> {
  const run = await store.runs.get(runId)
  return run && standingAfter(store, run)
}

/** The same from a run that was read. */
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

/** What a caller may see of how a chat task stands. */
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

/**
 * What came of a run, as far as others than the account of its agent are told: of what people and
 * agents have approved, that they did, and not who and why.
 */
export function toldOutput(output: unknown, isOwn: boolean): unknown {
  const isVote = typeof output === 'object' && output !== null && 'decision' in output
  if (isOwn || !isVote || !('votes' in output)) return output
  const { votes: _votes, ...rest } = output
  return rest
}

/** Why a run stands as it does, as far as it is told to others than the account of its agent. */
export function explained(
  { reason, error }: Pick<StoredRun, 'reason' | 'error'>,
  isOwn: boolean,
): Pick<ChatShown, 'reason' | 'error'> {
  if (isOwn) return { reason, error }
  return { reason: isWord(reason) ? reason : null, error: error && unexplained(error) }
}

/** Of a word of ours there is nothing to hide; a sentence may be anybody's. */
function isWord(text: string | null): boolean {
  return text === null || /^[a-z][a-z0-9_]{0,63}$/.test(text)
}

/** What went wrong inside concerns the agent's account: addresses, prompts and answers of services. */
function unexplained({ code }: { code: string }): { code: string; message: string } {
  return {
    code: isWord(code) ? code : 'failed',
    message: 'The agent could not do what it was asked for.',
  }
}

function maySee({ caller }: Viewer, approval: StoredApproval): boolean {
  const { accountId, charId } = caller
  return accountId !== undefined && viewersOf(approval).includes(viewer(accountId, charId))
}
