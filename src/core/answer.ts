import type { Code } from './errors.ts'
import type { SessionChange } from './admission/session.ts'

/** One event of a stream; `id` lets a reader resume after it. */
export interface StreamEvent {
  id: string
  type: string
  /** JSON. */
  text: string
}

/** The refusal with which an answer is kept. */
export interface Kept {
  code: Code
  message: string
  hint?: string
}

/** What an answer has in addition to its text. */
export interface AnswerOptions {
  /** Work was accepted for later: REST says 202. */
  pending?: boolean
  /** Nothing was done, only shown: REST answers 200 in place of 201. */
  preview?: boolean
  /** The call is refused although its writes were kept; the text has the members of the refusal. */
  refused?: Kept | undefined
  /** A note to the caller about the answer; the Commons puts it into its envelope. */
  notice?: string | undefined
  /** The revision of the resource that the answer shows, for `ETag`. */
  revision?: number | undefined
  /** The session token that the browser keeps from now on. */
  session?: SessionChange | undefined
  /** Events as they happen, instead of the text; ends by itself or when the caller has gone. */
  events?: AsyncIterable<StreamEvent>
}

/**
 * The answer of an operation, already as wire text: stored JSON is passed on unparsed, and a written
 * document is stringified once, for the stored record of the answer and for the reply.
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

  /** The same answer with another text, and with another notice where one is given. */
  withText(text: string, notice = this.notice): Answer<T> {
    const { pending, preview, refused, revision, session } = this
    return new Answer<T>(text, { pending, preview, refused, notice, revision, session })
  }
}

/** An answer of a value that was built in memory. */
export function answer<T>(value: T, options?: AnswerOptions): Answer<T> {
  return new Answer<T>(JSON.stringify(value), options)
}
