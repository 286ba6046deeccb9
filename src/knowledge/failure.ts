import { ExtractFailure } from '#src/ports/extractor.ts'
import { OutboundFailure, type OutboundFault } from '#src/ports/sender.ts'
import { statusWords } from '#src/core/text/address.ts'

/** Why an item could not be read. Messages are fixed texts, never quoted from the other side. */
export class ReadFailure extends Error {
  override readonly name = 'ReadFailure'
  readonly code: string
  /** Whether a later try may succeed. */
  readonly isTransient: boolean
  /** Seconds that the other side asked to wait. */
  readonly retryAfter: number | undefined

  constructor(
    code: string,
    message: string,
    options: ErrorOptions & { isTransient?: boolean; retryAfter?: number | undefined } = {},
  ) {
    super(message, options)
    this.code = code
    this.isTransient = options.isTransient ?? false
    this.retryAfter = options.retryAfter
  }
}

const passing: ReadonlySet<OutboundFault> = new Set(['unreachable', 'timeout', 'broken_answer'])

/** The failure to show on the item; undefined for a fault of the server. */
export function readFailure(cause: unknown): ReadFailure | undefined {
  if (cause instanceof ReadFailure) return cause
  if (cause instanceof OutboundFailure) {
    const isTransient = passing.has(cause.fault)
    return new ReadFailure(cause.fault, cause.message, { cause, isTransient })
  }
  if (cause instanceof ExtractFailure) {
    return new ReadFailure(cause.fault, cause.message, { cause })
  }
  return undefined
}

const tooEarly = new Set([408, 425, 429])

/** An address that answered without anything to read. */
export function statusFailure(status: number, retryAfter: number | undefined): ReadFailure {
  const isTransient = status >= 500 || tooEarly.has(status)
  const message = statusWords(status)
  return new ReadFailure('http_status', message, { isTransient, retryAfter })
}

/** It would make more chunks than the agent may have. */
export function tooManyChunks(most: number): ReadFailure {
  const message = `With it the agent would know more than ${most} pieces of text.`
  return new ReadFailure('too_many_chunks', message)
}
