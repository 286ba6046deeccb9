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
import type { Understood } from '#src/core/input/understood.ts'
import type { Operation } from '#src/core/operation.ts'
import { newFence } from '#src/core/text/fence.ts'
import type { Marks } from '#src/core/text/untrusted.ts'
import { changedAt, type ApprovalShown, type Standing } from '#protocol/run-shown.ts'
import type { Exchange } from './exchange.ts'
import { stateOfRun } from './states.ts'

/**
 * The metadata keys for the run that a task stands for, for the operation that it wraps, and for how its call was
 * understood.
 */
export const runIdKey = 'abode/run_id'
export const operationKey = 'abode/operation'
export const understoodKey = 'abode/understood'

/** The name of the artifact of a task that stands for a run. */
export const runArtifact = 'run'

/** What every task has, with any outcome. */
export interface Frame {
  id: string
  contextId: string
  /** RFC 3339. */
  at: string
  history: Message[]
  operation?: Operation | undefined
  understood?: readonly Understood[] | undefined
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

/** A text of a marked object, set apart from our own words; as it is where the object is not marked. */
export function markedPart(label: string, text: string, { untrusted }: Marks): Part {
  if (!untrusted) return textPart(text)
  const fence = newFence()
  return textPart(`${fence.rule}\n${fence.around(label, text)}`)
}

/** A completed task with its result. */
export function completedTask(frame: Frame, parts: Part[]): Task {
  const status = { state: TaskState.TASK_STATE_COMPLETED, timestamp: frame.at, message: undefined }
  return taskIn(frame, status, [artifactOf(frame.operation?.name ?? 'answer', parts)])
}

/** A refused task: rejected if the input was wrong, failed in every other case. */
export function refusedTask(
  frame: Frame,
  refusal: Refusal,
  { requestId, words }: Pick<Exchange, 'requestId' | 'words'>,
): Task {
  const rejected = refusal.kind === 'invalid'
  const said = refusal.toObject(requestId, words)
  const parts = [dataPart(said), textPart(said.detail)]
  return taskIn(frame, {
    state: rejected ? TaskState.TASK_STATE_REJECTED : TaskState.TASK_STATE_FAILED,
    timestamp: frame.at,
    message: saying(frame, refusal.code, parts),
  })
}

/** A task that waits for its sender to say what is wanted. */
export function askingTask(frame: Frame, parts: Part[]): Task {
  return taskIn(frame, {
    state: TaskState.TASK_STATE_INPUT_REQUIRED,
    timestamp: frame.at,
    message: saying(frame, 'offer', parts),
  })
}

/** Whether a task still waits for its sender to say what is wanted. */
export function isAsking(task: Task): boolean {
  const { state } = task.status ?? {}
  return state === TaskState.TASK_STATE_INPUT_REQUIRED && runIdOf(task) === undefined
}

/** A task that ends without anything done. */
export function droppedTask(task: Task, at: string): Task {
  const state = TaskState.TASK_STATE_CANCELED
  return { ...task, status: { state, timestamp: at, message: undefined } }
}

/** A task that stands for a run, in the run's state. */
export function runTask(frame: Frame, standing: Standing): Task {
  return asRunStands(taskIn(frame, undefined), standing)
}

/** The run that a task stands for, if there is one. */
export function runIdOf({ metadata }: Task): string | undefined {
  const id: unknown = metadata?.[runIdKey]
  return typeof id === 'string' ? id : undefined
}

/** The same task with the present state of its run, or of the run that continues it after an approval. */
export function asRunStands(task: Task, standing: Standing): Task {
  const { run } = standing
  const asked = askedIn(standing)
  const words = wordsOf(standing, task.id)
  const about = asked ? `${run.status}.${asked.id}` : run.status
  const status = {
    state: stateOfRun(run.status),
    timestamp: changedAt(run, asked?.created_at ?? null),
    message: words && saying(task, about, words),
  }
  const metadata = { ...task.metadata, [runIdKey]: run.id }
  return { ...task, status, metadata, artifacts: [artifactOf(runArtifact, [dataPart(run)])] }
}

/** The approval that a run waits for now. */
function askedIn({ run, approval }: Standing): ApprovalShown | undefined {
  return run.status === 'waiting_approval' ? approval : undefined
}

export const howToDecide =
  'To decide, send a message to this task with a data part {"decision": "approve"} or {"decision": "reject"}.'

/** A text for states that do not say enough by themselves. */
function wordsOf(standing: Standing, taskId: string): Part[] | undefined {
  const { decide, lease } = standing
  const { status, reason, error, approval_id } = standing.run
  if (error) return [dataPart(error), markedPart('why it failed', error.message, standing.run)]
  if (approval_id !== null && status === 'waiting_approval') {
    const params = { approval_id, decision: 'approve' }
    const asked = askedIn(standing)
    return [
      ...(asked ? [dataPart(asked), markedPart('what is asked', asked.prompt, asked)] : []),
      ...(decide ? [dataPart({ operation: decide.name, params })] : []),
      textPart(`The run waits for the approval ${approval_id}. ${howToDecide}`),
    ]
  }
  if (reason === waitingForWorker || reason === noPaidCall) {
    const { char_id, task_id } = standing.run
    return waitingParts(taskId, lease && char_id && { lease, params: { char_id, task_id } })
  }
  return reason === null ? undefined : [textPart(`The run is ${status}: ${reason}.`)]
}

/** The reason of a run that no model works on. */
export const waitingForWorker = 'waiting_for_worker'
/** The reason of one whose account may make no more calls of models in this hour. */
const noPaidCall = 'paid_calls_hour'

/**
 * What is said of a run that waits for a worker: how to follow it and, to those who may work on it, the call
 * that takes it.
 */
export function waitingParts(
  taskId: string,
  work: { lease: Operation; params: Record<string, unknown> } | '' | undefined,
): Part[] {
  const followed = `The run is queued: ${waitingForWorker}. Follow it by GetTask or SubscribeToTask (tasks/get or tasks/resubscribe in 0.3) with the id "${taskId}".`
  if (!work) return [textPart(followed)]
  const { lease, params } = work
  return [
    dataPart({ operation: lease.name, params }),
    textPart(`${followed} A worker takes it by ${lease.name}.`),
  ]
}

function taskIn(frame: Frame, status: TaskStatus | undefined, artifacts: Artifact[] = []): Task {
  const { id, contextId, history, operation, understood } = frame
  const metadata = operation && {
    [operationKey]: operation.name,
    ...(understood && { [understoodKey]: understood }),
  }
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

/** A message of the server about a task; the same content has the same id each time. */
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
