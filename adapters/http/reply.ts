import type { StreamEvent } from '#src/core/answer.ts'
import type { Tag } from './conditional.ts'
import type { FixedText } from './fixed-text.ts'

/** What a handler answers, before it is compressed, compared with what the caller has, and sent. */
export interface Reply {
  status: number
  headers: Record<string, string>
  body?: string | FixedText | ReadableStream<Uint8Array> | AsyncIterable<StreamEvent> | undefined
  /** Names this state of the resource, for `ETag` and `If-None-Match`. */
  tag?: Tag | undefined
  /** Compressing a secret beside a text that others choose would give away its length. */
  secret?: boolean
  /** The door speaks for itself about other origins. */
  ownOrigins?: boolean
  /**
   * It brings a Content-Security-Policy of its own, since a browser would hold it to both, and a
   * Referrer-Policy.
   */
  ownPolicy?: boolean
}

export const json = 'application/json; charset=utf-8'
