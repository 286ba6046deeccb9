import type { ShownArtifact, ShownPart, ShownTask } from './view.ts'

/** The metadata key under which a task names its run. */
const runMark = 'abode/run_id'
/** The mark by which libraries of 0.3 recognize a wrapped value that was not an object. */
const wrappedMark = 'data_part_compat'

/** The kind of a notification: the task as it begins, its state, or a result. */
export type Told =
  | { kind: 'task' }
  | { kind: 'state' }
  | { kind: 'artifact'; artifact: ShownArtifact }

/** The payload for receivers of 1.0: a StreamResponse. */
export function streamResponse(task: ShownTask, told: Told): object {
  const { id, contextId } = task
  const place = { taskId: id, contextId }
  if (told.kind === 'task') {
    return { task: { id, contextId, status: statusOf(task), ...metadataOf(task) } }
  }
  if (told.kind === 'state') {
    return { statusUpdate: { ...place, status: statusOf(task), ...metadataOf(task) } }
  }
  return { artifactUpdate: { ...place, artifact: told.artifact, lastChunk: true } }
}

function metadataOf({ runId }: ShownTask): object {
  return runId === null ? {} : { metadata: { [runMark]: runId } }
}

function statusOf({ id: taskId, contextId, state, since: timestamp, message }: ShownTask): object {
  const said = message && {
    messageId: message.id,
    contextId,
    taskId,
    role: 'ROLE_AGENT',
    parts: message.parts,
  }
  return { state: `TASK_STATE_${state}`, timestamp, ...(said && { message: said }) }
}

/** The payload for receivers of 0.3: the whole task. */
export function taskOf03(task: ShownTask, artifacts: readonly ShownArtifact[]): object {
  const { id, contextId, state, since: timestamp, message } = task
  const said = message && {
    kind: 'message',
    messageId: message.id,
    contextId,
    taskId: id,
    role: 'agent',
    parts: message.parts.map(partOf03),
  }
  const status = {
    state: state.toLowerCase().replaceAll('_', '-'),
    timestamp,
    ...(said && { message: said }),
  }
  return {
    kind: 'task',
    id,
    contextId,
    status,
    ...(artifacts.length > 0 && { artifacts: artifacts.map(artifactOf03) }),
    ...metadataOf(task),
  }
}

function artifactOf03({ parts, ...artifact }: ShownArtifact): object {
  return { ...artifact, parts: parts.map(partOf03) }
}

function partOf03(part: ShownPart): object {
  if ('text' in part) return { kind: 'text', text: part.text }
  if ('url' in part) {
    const { url: uri, mediaType: mimeType, filename: name } = part
    return { kind: 'file', file: { uri, ...(mimeType && { mimeType }), ...(name && { name }) } }
  }
  const { data } = part
  const isObject = typeof data === 'object' && data !== null && !Array.isArray(data)
  if (isObject) return { kind: 'data', data }
  return { kind: 'data', data: { value: data }, metadata: { [wrappedMark]: true } }
}
