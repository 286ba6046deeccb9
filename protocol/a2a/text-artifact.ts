import { createHash, type Hash } from 'node:crypto'
import type { Artifact, Part, StreamResponse, Task } from '@a2a-js/sdk'
import type { Piece } from '#protocol/piece.ts'
import { artifactEvent, endOf } from './task-view.ts'
import { artifactOf, textPart } from './tasks.ts'

/**
 * The result of a task while it is being written: the text goes to the reader as it comes, appended to the artifact
 * that will hold the result. A new answer replaces it, and so does the end where that is not the same text.
 */
export class TextArtifact {
  readonly #name: string
  #answer: number | undefined
  #length = 0
  // What was sent, without keeping it.
  #sent: Hash = createHash('sha256')

  /** @param name of the artifact that will hold the result */
  constructor(name: string) {
    this.#name = name
  }

  /** The update that a piece is sent in. @param metadata of the artifact */
  grown(task: Task, { answer, at, text }: Piece, metadata?: Artifact['metadata']): StreamResponse {
    const append = this.#answer === answer && this.#length === at
    if (!append) {
      this.#length = at
      this.#sent = createHash('sha256')
    }
    this.#answer = answer
    this.#length += text.length
    this.#sent.update(text)
    const artifact = { ...artifactOf(this.#name, [textPart(text)]), metadata }
    return artifactEvent(task, artifact, { append, lastChunk: false })
  }

  /** The result of a task, and that it has ended: of a text of which the beginning was sent, the rest. */
  *endOf(task: Task): Generator<StreamResponse, void> {
    yield* endOf(task, (artifact) => this.#rest(artifact))
  }

  #rest(artifact: Artifact): Artifact | undefined {
    const whole = textIn(artifact.parts)
    if (this.#length === 0 || whole === undefined || whole.length < this.#length) return undefined
    const sent = createHash('sha256').update(whole.slice(0, this.#length)).digest('hex')
    if (sent !== this.#sent.copy().digest('hex')) return undefined
    return { ...artifact, parts: [textPart(whole.slice(this.#length))] }
  }
}

/** The text of an artifact that has nothing else. */
function textIn([part, ...more]: readonly Part[]): string | undefined {
  return more.length === 0 && part?.content?.$case === 'text' ? part.content.value : undefined
}
