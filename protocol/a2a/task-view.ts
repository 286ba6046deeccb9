import type { Artifact, StreamResponse, Task, TaskStatus } from '@a2a-js/sdk'
import { working } from './states.ts'

/** The task with that many of its newest messages; all of them if no number is given. */
export function withHistory(task: Task, length: number | null | undefined): Task {
  if (length === undefined || length === null) return task
  return { ...task, history: length === 0 ? [] : task.history.slice(-length) }
}

/** A stream begins with its task. */
export function taskEvent(value: Task): StreamResponse {
  return { payload: { $case: 'task', value } }
}

/** The present state of the task. */
export function statusEvent({ id: taskId, contextId, status, metadata }: Task): StreamResponse {
  return { payload: { $case: 'statusUpdate', value: { taskId, contextId, status, metadata } } }
}

/** An artifact, or a part of it. */
export function artifactEvent(
  { id: taskId, contextId }: Task,
  artifact: Artifact,
  chunk: { append: boolean; lastChunk: boolean },
): StreamResponse {
  const value = { taskId, contextId, artifact, ...chunk, metadata: undefined }
  return { payload: { $case: 'artifactUpdate', value } }
}

/**
 * The result of a task, and that it has ended.
 * @param restOf what is left of an artifact of which the reader has the beginning
 */
export function* endOf(
  task: Task,
  restOf: (artifact: Artifact) => Artifact | undefined = () => undefined,
): Generator<StreamResponse, void> {
  for (const artifact of task.artifacts) {
    const rest = restOf(artifact)
    yield artifactEvent(task, rest ?? artifact, { append: rest !== undefined, lastChunk: true })
  }
  yield statusEvent(task)
}

/** The stream of a task that has already ended: it still begins with the task itself. */
export function* wholeOf(task: Task): Generator<StreamResponse, void> {
  const { timestamp } = task.status ?? {}
  const status: TaskStatus = { state: working, timestamp, message: undefined }
  yield taskEvent({ ...task, status, artifacts: [] })
  yield* endOf(task)
}
