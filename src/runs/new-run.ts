import type { StoredCharacter } from '#src/agents/character.ts'
import type { Actor } from '#src/core/credentials/actor.ts'
import { senderKey } from '#src/core/counts/received.ts'
import { newId } from '#src/core/ids.ts'
import { secondsAfter, timestamp } from '#src/core/time.ts'
import { marked, marksOf, type Source } from '#src/core/text/untrusted.ts'
import { isGated } from '#src/agents/tasks/approval-gate.ts'
import type { StoredTask } from '#src/agents/tasks/task.ts'
import { untoldMark } from './notices/untold.ts'
import { acceptedBytes } from './retention/bytes.ts'
import type { Run, StoredRun } from './run.ts'
import { isOurs, isPrompt } from '#src/agents/tasks/runtimes.ts'

/** How long a run waits for an agent to lease it. */
export const brainWaitHours = 24

/** A run that starts another one; for a start by an event, of the same account. */
export type Parent = Pick<
  StoredRun,
  'id' | 'root_run_id' | 'depth' | 'sender' | 'fired' | 'untrusted' | 'source'
> & {
  owner_id?: string
  char_id?: string
}

/** What starts a run. */
export interface Start {
  trigger: Run['trigger']
  input: unknown
  variables?: Record<string, string> | undefined
  /** The run that handed its result to this one. */
  parent?: Parent | undefined
  /** The other account that starts it, if any. */
  sender?: string | undefined
  /** Whose call starts it. */
  startedBy?: Actor | null | undefined
  /** Where its input comes from, if that is outside of its account. */
  source?: Source | undefined
  /** The reason, if it is only recorded as skipped. */
  skipped?: string | undefined
  /** The run that paused for the approval that was given. */
  resumedFrom?: string | undefined
  /** The run that it does again. */
  retryOf?: string | undefined
  /** When it begins at the earliest. */
  notBefore?: string | undefined
  /** The hook or event trigger that starts it. */
  firedBy?: string | undefined
  /** Its step number, if its parent waits for it. */
  step?: number | undefined
  /**
   * No model that could do it is configured, see `lacksModel`: it waits for an agent at once. Otherwise
   * our worker looks for its model first.
   */
  hasNoModel?: boolean | undefined
}

/** The owner of a run, and its task. */
type Place = Pick<StoredRun, 'char_id' | 'task_id' | 'app_id' | 'owner_id' | 'open' | 'runtime'>

/**
 * A new run of a task: queued for our workers; waiting for an agent that leases it because no configured
 * model can do it; or skipped, for the record only.
 */
export function newRun(task: StoredTask, start: Start, now: Date): StoredRun {
  const { char_id, task_id, app_id, owner_id, id: open } = task
  const runtime = task.runtime || 'prompt'
  const place = { char_id, task_id, app_id, owner_id, open, runtime }
  return begun(place, start, workedOnBy(task, start), now)
}

function workedOnBy(
  task: StoredTask,
  {
    resumedFrom = null,
    hasNoModel,
  }: { resumedFrom?: string | null | undefined } & Pick<Start, 'hasNoModel'>,
): 'worker' | 'brain' {
  const mayHaveModel = isPrompt(task.runtime) && !hasNoModel
  // If an approval comes first, our worker opens it.
  const isHeld = isGated({ resumed_from: resumedFrom }, task)
  return isOurs(task.runtime) || mayHaveModel || isHeld ? 'worker' : 'brain'
}

/** Whom a run of the task waits for from now on, if it follows no approval. */
export function queuedFor(
  task: StoredTask,
  start: Pick<Start, 'hasNoModel'>,
  now: Date,
): Pick<StoredRun, 'waits_for' | 'due_at' | 'reason'> {
  return queuedAt(workedOnBy(task, start), now)
}

function queuedAt(waits_for: 'worker' | 'brain', now: Date) {
  if (waits_for === 'worker') return { waits_for, due_at: timestamp(now), reason: null }
  return {
    waits_for,
    due_at: secondsAfter(now, brainWaitHours * 3600),
    reason: 'waiting_for_worker',
  }
}

/** A new run without a task, which waits for an agent that leases it. */
export function newRunWithoutTask(
  { id: char_id, app_id, owner_id }: Pick<StoredCharacter, 'id' | 'app_id' | 'owner_id'>,
  start: Pick<Start, 'trigger' | 'input' | 'startedBy'>,
  now: Date,
): StoredRun {
  return begun({ char_id, task_id: null, app_id, owner_id, open: null }, start, 'brain', now)
}

function begun(place: Place, start: Start, waitsFor: 'worker' | 'brain', now: Date): StoredRun {
  const id = newId('run')
  const at = timestamp(now)
  const input = start.input ?? null
  const queued = queuedAt(waitsFor, now)
  const { parent, skipped, variables = null } = start
  const sender = senderOfStart(place.owner_id, start)
  const told = { char_id: place.char_id, task_id: place.task_id, step: start.step ?? null }
  const owed = skipped ? untoldMark({ ...told, status: 'skipped', reason: skipped }) : undefined
  const fired = firedBefore(start)
  return {
    id,
    char_id: place.char_id,
    task_id: place.task_id,
    app_id: place.app_id,
    owner_id: place.owner_id,
    trigger: start.trigger,
    started_by: start.startedBy ?? null,
    status: skipped ? 'skipped' : 'queued',
    reason: skipped ?? queued.reason,
    attempt: 0,
    input,
    ...marked(sourceOfStart(place.owner_id, start)),
    output: null,
    error: null,
    artifacts: [],
    approval_id: null,
    resumed_from: start.resumedFrom ?? null,
    ...(start.retryOf !== undefined && { retry_of: start.retryOf }),
    parent_run_id: parent?.id ?? null,
    root_run_id: parent?.root_run_id ?? id,
    depth: parent ? parent.depth + 1 : 0,
    usage: { input_tokens: 0, output_tokens: 0 },
    ...(start.notBefore !== undefined && { not_before: start.notBefore }),
    created_at: at,
    started_at: null,
    finished_at: skipped ? at : null,
    due_at: skipped ? null : queued.due_at,
    claim: null,
    variables,
    waits_for: skipped ? null : waitsFor,
    ...(place.runtime !== undefined && { runtime: place.runtime }),
    family: 1,
    open: skipped ? null : place.open,
    step: start.step ?? null,
    bytes: acceptedBytes({ input, variables }),
    ...(sender !== undefined && { sender }),
    ...owed,
    ...(fired.length > 0 && { fired }),
  }
}

function firedBefore({ parent, firedBy }: Pick<Start, 'parent' | 'firedBy'>): readonly string[] {
  const before = parent?.fired ?? []
  return firedBy === undefined || before.includes(firedBy) ? before : [...before, firedBy]
}

/** The account that starts a run, if it is not the run's own. */
export function senderOfStart(
  ownerId: string,
  { sender, parent }: Pick<Start, 'sender' | 'parent'>,
): string | undefined {
  return sender ?? senderOfChild(ownerId, parent)
}

/** Where the input of a run comes from, if that is outside of its account. */
export function sourceOfStart(
  ownerId: string,
  { source, parent }: Pick<Start, 'source' | 'parent'>,
): Source | undefined {
  if (source || !parent) return source
  const { owner_id = ownerId, char_id } = parent
  // What a run makes of the text of others is still theirs.
  if (owner_id === ownerId) return marksOf(parent).source
  return { kind: 'handoff', account: owner_id, ...(char_id !== undefined && { char_id }) }
}

/** A chain that a stranger started counts as the stranger's to the end; a handoff as the other account's. */
function senderOfChild(ownerId: string, parent: Parent | undefined): string | undefined {
  if (!parent) return undefined
  const { owner_id = ownerId, sender } = parent
  return owner_id === ownerId ? sender : senderKey(owner_id)
}

/** The run as the wire shows it. */
export function publicRun(run: StoredRun): Run {
  const {
    due_at: _due,
    claim: _claim,
    variables: _variables,
    waits_for: _waits,
    runtime: _runtime,
    trace: _trace,
    handed_back: _handedBack,
    taken: _taken,
    family: _family,
    open: _open,
    step: _step,
    steps: _steps,
    chat_id: _chat,
    bytes: _bytes,
    sender: _sender,
    fired: _fired,
    retry_id: _retry,
    untold: _untold,
    held: _held,
    released_at: _released,
    ...shown
  } = run
  return shown
}
