import {
  Role,
  TaskState,
  type Artifact,
  type Message,
  type Part,
  type Task,
  type TaskStatus,
} from '@a2a-js/sdk'
import type { Refusal } from '#src/core/errors.ts'
import type { Operation } from '#src/core/operation.ts'
import { stateOfRun } from './states.ts'

/** A message longer than that is not kept in the history of its task. */
export const historyBytesAtMost = 16 * 1024

/** Where a task names the run that it stands for, and the operation that it wraps. */
export const runIdKey = 'abode/run_id'
export const operationKey = 'abode/operation'

/** The members of a run that a task shows. */
export interface RunShown {
  id: string
  status: string
  reason: string | null
  error: { code: string; message: string } | null
  approval_id: string | null
  created_at: string
  started_at: string | null
  finished_at: string | null
}

/** The members of an approval that a task reads; it shows all of them. */
export interface ApprovalShown {
  id: string
  prompt: string
  follow_up_run_id: string | null
  created_at: string
}

/** What every task has, whatever became of it. */
export interface Frame {
  id: string
  contextId: string
  /** RFC 3339. */
  at: string
  history: Message[]
  operation?: Operation | undefined
}

export function dataPart(value: unknown): Part {
  return {
    content: { $case: 'data', value },
    mediaType: 'application/json',
    filename: '',
    metadata: undefined,
  }
}

export function textPart(text: string): Part {
  return {
    content: { $case: 'text', value: text },
    mediaType: 'text/plain',
    filename: '',
    metadata: undefined,
  }
}

/** A task that is done, with what came of it. */
export function completedTask(frame: Frame, parts: Part[]): Task {
  const status = { state: TaskState.TASK_STATE_COMPLETED, timestamp: frame.at, message: undefined }
  return taskIn(frame, status, [artifactOf(frame.operation?.name ?? 'answer', parts)])
}

/** A task that was refused: what the input got wrong is rejected, everything else has failed. */
export function refusedTask(frame: Frame, refusal: Refusal, requestId: string): Task {
  const rejected = refusal.kind === 'invalid'
  const parts = [dataPart(refusal.toObject(requestId)), textPart(refusal.message)]
  return taskIn(frame, {
    state: rejected ? TaskState.TASK_STATE_REJECTED : TaskState.TASK_STATE_FAILED,
    timestamp: frame.at,
    message: saying(frame, refusal.code, parts),
  })
}

/** A task that stands for a run, as the run stands. */
export function runTask(frame: Frame, standing: Standing): Task {
  return asRunStands(taskIn(frame, undefined), standing)
}

/** The run that a task stands for, if it does for one. */
export function runIdOf({ metadata }: Task): string | undefined {
  const id: unknown = metadata?.[runIdKey]
  return typeof id === 'string' ? id : undefined
}

/** The same task as its run stands now, or the run that goes on after an approval of that one. */
export function asRunStands(task: Task, standing: Standing): Task {
  const { run } = standing
  const asked = askedIn(standing)
  const since = asked?.created_at ?? run.started_at ?? run.created_at
  const words = wordsOf(standing)
  const about = asked ? `${run.status}.${asked.id}` : run.status
  const status = {
    state: stateOfRun(run.status),
    timestamp: run.finished_at ?? since,
    message: words && saying(task, about, words),
  }
  const metadata = { ...task.metadata, [runIdKey]: run.id }
  return { ...task, status, metadata, artifacts: [artifactOf('run', [dataPart(run)])] }
}

/** The approval that a run waits for now. */
function askedIn({ run, approval }: Standing): ApprovalShown | undefined {
  return run.status === 'waiting_approval' ? approval : undefined
}

export const howToDecide =
  'To decide, send a message to this task with a data part {"decision": "approve"} or {"decision": "reject"}.'

/** Where the state alone does not say how a run stands. */
function wordsOf(standing: Standing): Part[] | undefined {
  const { decide } = standing
  const { status, reason, error, approval_id } = standing.run
  if (error) return [dataPart(error), textPart(error.message)]
  if (approval_id !== null && status === 'waiting_approval') {
    const params = { approval_id, decision: 'approve' }
    const asked = askedIn(standing)
    return [
      ...(asked ? [dataPart(asked), textPart(asked.prompt)] : []),
      ...(decide ? [dataPart({ operation: decide.name, params })] : []),
      textPart(`The run waits for the approval ${approval_id}. ${howToDecide}`),
    ]
  }
  return reason === null ? undefined : [textPart(`The run is ${status}: ${reason}.`)]
}

function taskIn(frame: Frame, status: TaskStatus | undefined, artifacts: Artifact[] = []): Task {
  const { id, contextId, history, operation } = frame
  const metadata = operation && { [operationKey]: operation.name }
  return { id, contextId, status, artifacts, history, metadata }
}

export function artifactOf(name: string, parts: Part[]): Artifact {
  return {
    artifactId: 'output',
    name,
    description: '',
    parts,
    metadata: undefined,
    extensions: [],
  }
}

/** A word of ours about a task; the same about the same, however often it is asked for. */
export function saying(
  { id, contextId }: Pick<Task, 'id' | 'contextId'>,
  what: string,
  parts: Part[],
): Message {
  return {
    messageId: `${id}.${what}`,
    contextId,
    taskId: id,
    role: Role.ROLE_AGENT,
    parts,
    metadata: undefined,
    extensions: [],
    referenceTaskIds: [],
  }
}

/** A run, with what it waits for where it waits for an approval. */
export interface Standing {
  run: RunShown
  approval?: ApprovalShown | undefined
  /** What decides approvals, where it is there. */
  decide?: Operation | undefined
}
