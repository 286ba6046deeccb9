import type { StreamEvent } from '#src/core/answer.ts'
import type { TextParts } from '#protocol/door.ts'
import type { Tag } from './conditional.ts'
import type { FixedText } from './outlet/fixed-text.ts'

/** A handler's answer, before it is compressed, compared with the caller's copy, and sent. */
export interface Reply {
  status: number
  headers: Record<string, string>
  body?: string | FixedText | ReadableStream<Uint8Array> | AsyncIterable<StreamEvent> | undefined
  /** The same text in parts, if most of it stands in many answers. */
  parts?: TextParts | undefined
  /** Names this state of the resource, for `ETag` and `If-None-Match`. */
  tag?: Tag | undefined
  /** Compressing a secret together with text that others choose would leak its length. */
  secret?: boolean
  /** The page sets its own CORS headers. */
  ownOrigins?: boolean
  /**
   * It has a Content-Security-Policy of its own, because a browser would enforce both, and its own
   * Referrer-Policy.
   */
  ownPolicy?: boolean
}

export const json = 'application/json; charset=utf-8'
