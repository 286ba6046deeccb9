import { Role, type Artifact, type Message, type Part, type Task } from '@a2a-js/sdk'
import type { Operation } from '#src/core/operation.ts'
import { stateOfRun } from '#protocol/a2a/states.ts'
import {
  artifactOf,
  dataPart,
  howToDecide,
  markedPart,
  runIdKey,
  saying,
  textPart,
  waitingForWorker,
  waitingParts,
} from '#protocol/a2a/tasks.ts'
import type { ArtifactShown, ChatShown } from './shown.ts'

/** Tells the reader that a text is untrusted and not an instruction of this server, and where it is from. */
const untrustedKey = 'abode/untrusted'
const sourceKey = 'abode/source'

/** The name of the artifact of what a task has made. */
export const outputArtifact = 'output'

/** A longer message is not shown in the history of its task. */
const historyBytesAtMost = 16 * 1024

/** The agent of a task, and how a worker of its account takes what waits there. */
export interface Place {
  charId: string
  lease: Operation | undefined
}

/** A message to an agent as a task of the protocol. */
export function taskOf(shown: ChatShown, at: Place): Task {
  const { id, context_id: contextId, status, run_id } = shown
  const place = { id, contextId }
  const words = wordsOf(shown, at)
  return {
    ...place,
    status: {
      state: stateOfRun(status),
      timestamp: sinceOf(shown),
      message: words && saying(place, `${run_id}.${status}`, words),
    },
    artifacts: artifactsOf(shown),
    history: historyOf(shown),
    metadata: { [runIdKey]: run_id },
  }
}

function sinceOf({ status, approval, created_at, started_at, finished_at }: ChatShown): string {
  const asked = status === 'waiting_approval' ? approval?.created_at : undefined
  return finished_at ?? asked ?? started_at ?? created_at
}

/** A text for states that do not say enough by themselves. */
function wordsOf(shown: ChatShown, { charId, lease }: Place): Part[] | undefined {
  const { id, status, reason, error, approval, is_own } = shown
  // What is told to others of an error is this server's.
  if (error) {
    return [dataPart(error), markedPart('why it failed', error.message, is_own ? shown : {})]
  }
  if (status === 'waiting_approval') {
    if (approval?.state !== 'pending') return [textPart('The task waits for an approval.')]
    return [
      dataPart(approval),
      markedPart('what is asked', approval.prompt, approval),
      textPart(howToDecide),
    ]
  }
  if (reason === waitingForWorker) {
    return waitingParts(id, is_own && lease ? { lease, params: { char_id: charId } } : undefined)
  }
  return reason === null ? undefined : [textPart(`The task is ${status}: ${reason}.`)]
}

/** To others all is the agent's; to its account, what is made of the words of the others. */
export function metadataOf({ untrusted, source }: ChatShown) {
  if (!untrusted) return undefined
  return { [untrustedKey]: true, ...(source && { [sourceKey]: source }) }
}

function artifactsOf(shown: ChatShown): Artifact[] {
  const { output, artifacts } = shown
  const metadata = metadataOf(shown)
  const brought = artifacts.map((one, i) => broughtOf(one, i + 1))
  const made =
    output === null || output === undefined
      ? brought
      : [artifactOf(outputArtifact, [partOf(output)]), ...brought]
  return made.map((artifact) => ({ ...artifact, metadata }))
}

function broughtOf({ name, media_type, content, url }: ArtifactShown, nth: number): Artifact {
  const said =
    content == null && url != null
      ? ({ $case: 'url', value: url } as const)
      : ({ $case: 'text', value: content ?? '' } as const)
  const part: Part = {
    content: said,
    mediaType: media_type ?? '',
    filename: name,
    metadata: undefined,
  }
  return { ...artifactOf(name, [part]), artifactId: `artifact-${nth}` }
}

function partOf(value: unknown): Part {
  return typeof value === 'string' ? textPart(value) : dataPart(value)
}

/** The message that began the task, as its run received it. */
function historyOf(shown: ChatShown): Message[] {
  const { id, context_id, message_id, input, is_own } = shown
  // It was too long to be read for a list.
  if (input === undefined) return []
  const part = partOf(input ?? '')
  if (JSON.stringify(input ?? '').length > historyBytesAtMost) return []
  return [
    {
      messageId: message_id,
      contextId: context_id,
      taskId: id,
      role: Role.ROLE_USER,
      parts: [part],
      // To its sender the message is no text of others.
      metadata: is_own ? metadataOf(shown) : undefined,
      extensions: [],
      referenceTaskIds: [],
    },
  ]
}
