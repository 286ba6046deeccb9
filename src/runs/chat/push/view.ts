import { marksOf, type Source } from '#src/core/text/untrusted.ts'
import type { StoredRun } from '#src/runs/run.ts'
import type { ChatTask } from '../chat.ts'
import { explained, sourceOfAnswer, toldOutput } from '../state.ts'

/** The state of a task in the protocol, as named in version 1.0 without the prefix. */
export type ShownState =
  | 'SUBMITTED'
  | 'WORKING'
  | 'INPUT_REQUIRED'
  | 'COMPLETED'
  | 'FAILED'
  | 'CANCELED'
  | 'REJECTED'

/** The content of a part: text, a value, or the address of a file. */
export type ShownPart = ({ text: string } | { data: unknown } | { url: string }) & {
  mediaType?: string
  filename?: string
}

/** A result of a task. */
export interface ShownArtifact {
  artifactId: string
  name: string
  parts: ShownPart[]
  metadata?: Record<string, true | Source>
}

/** A chat task as notifications show it, in any version of the protocol. */
export interface ShownTask {
  id: string
  contextId: string
  /** Its run; null if another run continues from now on. */
  runId: string | null
  state: ShownState
  /** RFC 3339. */
  since: string
  /** Explains the state, if that alone is not enough. */
  message: { id: string; parts: ShownPart[] } | null
  artifacts: ShownArtifact[]
}

/** Marks an artifact whose text is not an instruction of this service, even if it reads like one. */
const untrustedMark = 'abode/untrusted'
const sourceMark = 'abode/source'
/** Marks an artifact that was left out. */
const cutMark = 'abode/cut'

const states: Readonly<Record<StoredRun['status'], ShownState>> = {
  queued: 'SUBMITTED',
  running: 'WORKING',
  waiting_approval: 'INPUT_REQUIRED',
  waiting_input: 'INPUT_REQUIRED',
  completed: 'COMPLETED',
  failed: 'FAILED',
  timed_out: 'FAILED',
  cancelled: 'CANCELED',
  abandoned: 'CANCELED',
  skipped: 'REJECTED',
}

/** The protocol state for the status of a run. */
export function shownState({ status }: Pick<StoredRun, 'status'>): ShownState {
  return states[status]
}

/**
 * A chat task in the state of its run.
 * @param isOwn it is shown to the account of its agent
 */
export function shownTask(
  { id, context_id: contextId, char_id }: Pick<ChatTask, 'id' | 'context_id' | 'char_id'>,
  { run, isReplaced = false }: { run: StoredRun; isReplaced?: boolean },
  since: string,
  isOwn: boolean,
): ShownTask {
  const source = sourceOfAnswer({ char_id })
  const words = wordsOf({ ...run, ...explained(run, isOwn) })
  return {
    id,
    contextId,
    runId: isReplaced ? null : run.id,
    state: shownState(run),
    since,
    message: words && { id: `${id}.${run.id}.${run.status}`, parts: words },
    artifacts: isOwn
      ? ownArtifacts(run)
      : artifactsOf(told(run)).map((one) => asOthers(one, source)),
  }
}

function told(run: StoredRun): StoredRun {
  return { ...run, output: toldOutput(run.output, false) }
}

/** The explanation of a task's state, the same as in the other doors. */
function wordsOf({ status, reason, error }: StoredRun): ShownPart[] | null {
  if (error) return [{ data: error, mediaType: 'application/json' }, textOf(error.message)]
  if (status === 'waiting_approval') return [textOf('The task waits for an approval.')]
  return reason === null ? null : [textOf(`The task is ${status}: ${reason}.`)]
}

function textOf(text: string): ShownPart {
  return { text, mediaType: 'text/plain' }
}

function asOthers(artifact: ShownArtifact, source?: Source): ShownArtifact {
  return {
    ...artifact,
    metadata: { [untrustedMark]: true, ...(source && { [sourceMark]: source }) },
  }
}

/** To its own account what an agent makes is its own, unless it is made of the words of others. */
function ownArtifacts(run: StoredRun): ShownArtifact[] {
  const { untrusted, source } = marksOf(run)
  const all = artifactsOf(run)
  return untrusted ? all.map((one) => asOthers(one, source)) : all
}

function artifactsOf({
  output,
  artifacts,
}: Pick<StoredRun, 'output' | 'artifacts'>): ShownArtifact[] {
  const own: ShownArtifact[] = artifacts.map(({ name, media_type, content, url }, i) => ({
    artifactId: `artifact-${i + 1}`,
    name,
    parts: [
      {
        ...(content == null && url != null ? { url } : { text: content ?? '' }),
        ...(media_type != null && { mediaType: media_type }),
        filename: name,
      },
    ],
  }))
  return output === null || output === undefined ? own : [outputOf(output), ...own]
}

function outputOf(output: unknown): ShownArtifact {
  const part =
    typeof output === 'string' ? textOf(output) : { data: output, mediaType: 'application/json' }
  return { artifactId: 'output', name: 'output', parts: [part] }
}

/** Bytes of all artifacts of a notification together. */
export const contentBytesAtMost = 256 * 1024

const tooLarge = 'This is too large for a notification: read the task to have it.'

/** The artifacts; those that are too large to send are replaced by a note. */
export function sendable(artifacts: readonly ShownArtifact[]): ShownArtifact[] {
  let left = contentBytesAtMost
  return artifacts.map((artifact) => {
    const bytes = Buffer.byteLength(JSON.stringify(artifact))
    if (bytes <= left) {
      left -= bytes
      return artifact
    }
    const metadata = { ...artifact.metadata, [cutMark]: true as const }
    return { ...artifact, parts: [textOf(tooLarge)], metadata }
  })
}
