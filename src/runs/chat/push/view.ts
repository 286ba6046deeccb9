import type { StoredRun } from '#src/runs/run.ts'
import type { ChatTask } from '../chat.ts'
import { explained, toldOutput } from '../state.ts'

/** How a task of the protocol stands, in the words of version 1.0 without their prefix. */
export type ShownState =
  | 'SUBMITTED'
  | 'WORKING'
  | 'INPUT_REQUIRED'
  | 'COMPLETED'
  | 'FAILED'
  | 'CANCELED'
  | 'REJECTED'

/** What of a part is told: words, a value, or where a file is. */
export type ShownPart = ({ text: string } | { data: unknown } | { url: string }) & {
  mediaType?: string
  filename?: string
}

/** Something that came of a task. */
export interface ShownArtifact {
  artifactId: string
  name: string
  parts: ShownPart[]
  metadata?: Record<string, true>
}

/** A chat task as notifications show it, whatever version they are in. */
export interface ShownTask {
  id: string
  contextId: string
  /** The run that it stands for; null where that is another one from now on. */
  runId: string | null
  state: ShownState
  /** RFC 3339. */
  since: string
  /** Where the state alone does not say how it stands. */
  message: { id: string; parts: ShownPart[] } | null
  artifacts: ShownArtifact[]
}

/** By which whoever reads an artifact knows that it is no instruction of ours, whatever it says. */
const untrustedMark = 'abode/untrusted'
/** That an artifact was left out. */
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

/** What the status of a run is called in the protocol. */
export function shownState({ status }: Pick<StoredRun, 'status'>): ShownState {
  return states[status]
}

/**
 * A chat task as its run stands.
 * @param isOwn it is shown to the account of its agent
 */
export function shownTask(
  { id, context_id: contextId }: Pick<ChatTask, 'id' | 'context_id'>,
  { run, isReplaced = false }: { run: StoredRun; isReplaced?: boolean },
  since: string,
  isOwn: boolean,
): ShownTask {
  const words = wordsOf({ ...run, ...explained(run, isOwn) })
  return {
    id,
    contextId,
    runId: isReplaced ? null : run.id,
    state: shownState(run),
    since,
    message: words && { id: `${id}.${run.id}.${run.status}`, parts: words },
    artifacts: isOwn ? artifactsOf(run) : artifactsOf(told(run)).map(asOthers),
  }
}

function told(run: StoredRun): StoredRun {
  return { ...run, output: toldOutput(run.output, false) }
}

/** What the doors say too of how a task stands. */
function wordsOf({ status, reason, error }: StoredRun): ShownPart[] | null {
  if (error) return [{ data: error, mediaType: 'application/json' }, textOf(error.message)]
  if (status === 'waiting_approval') return [textOf('The task waits for an approval.')]
  return reason === null ? null : [textOf(`The task is ${status}: ${reason}.`)]
}

function textOf(text: string): ShownPart {
  return { text, mediaType: 'text/plain' }
}

function asOthers(artifact: ShownArtifact): ShownArtifact {
  return { ...artifact, metadata: { [untrustedMark]: true } }
}

function artifactsOf({ output, artifacts }: StoredRun): ShownArtifact[] {
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

/** Bytes of all that a notification brings, together. */
export const contentBytesAtMost = 256 * 1024

const tooLarge = 'This is too large for a notification: read the task to have it.'

/** The artifacts with those left out that are too large to be sent, each saying so. */
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
