import type { StoredCharacter } from '#src/agents/character.ts'
import { senderKey } from '#src/core/counts/received.ts'
import { newId } from '#src/core/ids.ts'
import { secondsAfter, timestamp } from '#src/core/time.ts'
import { isGated } from '#src/agents/tasks/approval-gate.ts'
import type { StoredTask } from '#src/agents/tasks/task.ts'
import { acceptedBytes } from './retention/bytes.ts'
import type { Run, StoredRun } from './run.ts'
import { isOurs, isPrompt } from './runtimes/names.ts'

/** How long a run waits for an agent to lease it. */
export const brainWaitHours = 24

/** A run that sets another one going; an event that does is of the same account. */
export type Parent = Pick<StoredRun, 'id' | 'root_run_id' | 'depth' | 'sender'> & {
  owner_id?: string
}

/** What starts a run. */
export interface Start {
  trigger: Run['trigger']
  input: unknown
  variables?: Record<string, string> | undefined
  /** The run whose result this one was handed. */
  parent?: Parent | undefined
  /** Who leaves it with its account, where that is somebody else. */
  sender?: string | undefined
  /** Recorded as not run, and why. */
  skipped?: string | undefined
  /** The run that paused for an approval which was given. */
  resumedFrom?: string | undefined
  /** Which step of its parent it is, where the parent waits for it. */
  step?: number | undefined
  /**
   * Nobody has configured a model that could do it, as `lacksModel` tells: it waits for an agent at
   * once. Otherwise a worker of ours looks for its model first.
   */
  hasNoModel?: boolean | undefined
}

/** Whose a run is, and of which task. */
type Place = Pick<StoredRun, 'char_id' | 'task_id' | 'app_id' | 'owner_id' | 'open'>

/**
 * A new run of a task: queued for a worker of ours, or waiting for an agent that leases it because
 * no model of ours can do it; or skipped, for the record only.
 */
export function newRun(task: StoredTask, start: Start, now: Date): StoredRun {
  const mayHaveModel = isPrompt(task.runtime) && !start.hasNoModel
  const resumed_from = start.resumedFrom ?? null
  // Where an approval comes first, a worker of ours opens it.
  const isForUs = isOurs(task.runtime) || mayHaveModel || isGated({ resumed_from }, task)
  const { char_id, task_id, app_id, owner_id, id: open } = task
  const place = { char_id, task_id, app_id, owner_id, open }
  return begun(place, start, isForUs ? 'worker' : 'brain', now)
}

/** A new run of no task, which waits for an agent that leases it. */
export function newRunWithoutTask(
  { id: char_id, app_id, owner_id }: Pick<StoredCharacter, 'id' | 'app_id' | 'owner_id'>,
  start: Pick<Start, 'trigger' | 'input'>,
  now: Date,
): StoredRun {
  return begun({ char_id, task_id: null, app_id, owner_id, open: null }, start, 'brain', now)
}

function begun(place: Place, start: Start, waitsFor: 'worker' | 'brain', now: Date): StoredRun {
  const id = newId('run')
  const at = timestamp(now)
  const input = start.input ?? null
  const { parent, skipped, variables = null } = start
  const sender = senderOfStart(place.owner_id, start)
  return {
    id,
    char_id: place.char_id,
    task_id: place.task_id,
    app_id: place.app_id,
    owner_id: place.owner_id,
    trigger: start.trigger,
    status: skipped ? 'skipped' : 'queued',
    reason: skipped ?? (waitsFor === 'brain' ? 'waiting_for_worker' : null),
    attempt: 0,
    input,
    output: null,
    error: null,
    artifacts: [],
    approval_id: null,
    resumed_from: start.resumedFrom ?? null,
    parent_run_id: parent?.id ?? null,
    root_run_id: parent?.root_run_id ?? id,
    depth: parent ? parent.depth + 1 : 0,
    usage: { input_tokens: 0, output_tokens: 0 },
    created_at: at,
    started_at: null,
    finished_at: skipped ? at : null,
    due_at: skipped ? null : waitsFor === 'brain' ? secondsAfter(now, brainWaitHours * 3600) : at,
    claim: null,
    variables,
    waits_for: skipped ? null : waitsFor,
    family: 1,
    open: skipped ? null : place.open,
    step: start.step ?? null,
    bytes: acceptedBytes({ input, variables }),
    ...(sender !== undefined && { sender }),
  }
}

/** Who sets a run going, where that is not the account that it belongs to. */
export function senderOfStart(
  ownerId: string,
  { sender, parent }: Pick<Start, 'sender' | 'parent'>,
): string | undefined {
  return sender ?? senderOfChild(ownerId, parent)
}

/** What a stranger has set going is theirs to the end; what another account hands on is that one's. */
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
    family: _family,
    open: _open,
    step: _step,
    steps: _steps,
    chat_id: _chat,
    bytes: _bytes,
    sender: _sender,
    ...shown
  } = run
  return shown
}
