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
export function runTask(frame: Frame, run: RunShown): Task {
  const task = taskIn(frame, undefined)
  task.metadata = { ...task.metadata, [runIdKey]: run.id }
  return asRunStands(task, run)
}

/** The same task as its run stands now. */
export function asRunStands(task: Task, run: RunShown): Task {
  const state = stateOfRun(run.status)
  const words = wordsOf(run)
  const status = {
    state,
    timestamp: run.finished_at ?? run.started_at ?? run.created_at,
    message: words && saying(task, run.status, words),
  }
  return { ...task, status, artifacts: [artifactOf('run', [dataPart(run)])] }
}

/** Where the state alone does not say how a run stands. */
function wordsOf({ status, reason, error, approval_id }: RunShown): Part[] | undefined {
  if (error) return [dataPart(error), textPart(error.message)]
  if (approval_id !== null && status === 'waiting_approval') {
    const params = { approval_id, decision: 'approve' }
    return [
      dataPart({ operation: 'approvals.decide', params }),
      textPart(`The run waits for the approval ${approval_id}.`),
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
function saying(
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
