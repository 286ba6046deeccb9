import type { Code } from './errors.ts'
import type { SessionChange } from './admission/session.ts'

/** One event of a stream; `id` lets a reader resume after it. */
export interface StreamEvent {
  id: string
  type: string
  /** JSON. */
  text: string
}

/** What is said no with where the answer's text is kept beside it. */
export interface Kept {
  code: Code
  message: string
  hint?: string
}

/** What an answer is beside its text. */
export interface AnswerOptions {
  /** Work was accepted for later: REST says 202. */
  pending?: boolean
  /** Nothing was done, only shown: REST says 200 where it would have said 201. */
  preview?: boolean
  /** It is a refusal all the same, whose members are those of the text: what was made is kept. */
  refused?: Kept | undefined
  /** What the caller should know beside the answer itself; the Commons says it in its envelope. */
  notice?: string | undefined
  /** The revision of the resource that the answer shows, for `ETag`. */
  revision?: number | undefined
  /** What the browser is to keep from now on of who is signed in at it. */
  session?: SessionChange | undefined
  /** Events as they happen, in place of the text; ends by itself or when the caller has gone. */
  events?: AsyncIterable<StreamEvent>
}

/**
 * What an operation answers, already as wire text: stored JSON is passed on unparsed, and a written
 * document is stringified once for the store's record of the answer and for the reply.
 */
export class Answer<T = unknown> {
  readonly text: string
  readonly pending: boolean
  readonly preview: boolean
  readonly refused: Kept | undefined
  readonly notice: string | undefined
  readonly revision: number | undefined
  readonly session: SessionChange | undefined
  readonly events: AsyncIterable<StreamEvent> | undefined
  /** Only names the type of the value in the text. */
  declare protected readonly value: T

  constructor(text: string, options: AnswerOptions = {}) {
    this.text = text
    this.pending = options.pending ?? false
    this.preview = options.preview ?? false
    this.refused = options.refused
    this.notice = options.notice
    this.revision = options.revision
    this.session = options.session
    this.events = options.events
  }
}

/** An answer of a value that was built in memory. */
export function answer<T>(value: T, options?: AnswerOptions): Answer<T> {
  return new Answer<T>(JSON.stringify(value), options)
}
