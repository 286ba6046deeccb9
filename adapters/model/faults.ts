import type * as Ai from 'ai'
import { ModelFailure } from '#src/ports/model.ts'
import { OutboundFailure } from '#src/ports/sender.ts'

/** Longer messages of a provider are cut. */
const wordsAtMost = 500
const secondsAtMost = 3600

/**
 * The failure that an error of the library stands for.
 * @param secret the key that was sent, which a provider may quote
 */
export function failureOf(ai: typeof Ai, error: unknown, secret: string | undefined): ModelFailure {
  if (error instanceof ModelFailure) return error
  const outbound = outboundIn(error)
  if (outbound) return ofOutbound(outbound, error)
  const status = statusOf(error)
  if (status !== undefined) return ofStatus(status, error, secret)
  if (isMarkedTransient(error)) return unavailable('The provider gave up its answer.', error)
  // The library's error for a stream that ended in its middle; other invalid data come with their
  // value.
  if (ai.InvalidResponseDataError.isInstance(error) && error.data === undefined) {
    return cutOff(error)
  }
  return unreadable(error)
}

/** An answer that is not what was asked for. */
export function unreadable(cause: unknown): ModelFailure {
  const message = 'The provider answered what cannot be read.'
  return new ModelFailure('unreadable', message, { cause })
}

/** An answer that ended before the provider said so. */
export function cutOff(cause?: unknown): ModelFailure {
  return unavailable('The answer of the provider was cut off.', cause)
}

function unavailable(message: string, cause: unknown, retryAfterMs?: number): ModelFailure {
  return new ModelFailure('unavailable', message, { cause, retryAfterMs })
}

function ofOutbound(failure: OutboundFailure, cause: unknown): ModelFailure {
  switch (failure.fault) {
    case 'broken_answer':
      return cutOff(cause)
    case 'unreachable':
    case 'timeout':
    case 'cancelled':
      return unavailable('The provider could not be reached.', cause)
    case 'too_large':
      return new ModelFailure('unreadable', failure.message, { cause })
    default:
      return new ModelFailure('rejected', failure.message, { cause })
  }
}

function ofStatus(status: number, error: unknown, secret: string | undefined): ModelFailure {
  const retryAfterMs = retryAfterOf(error)
  // A provider's message about an invalid key often quotes it.
  if (status === 401 || status === 403) {
    const message = `The provider does not accept the key (status ${status}).`
    return new ModelFailure('unauthorized', message, { cause: error })
  }
  if (status === 429) {
    const message = 'The provider takes no more requests for now (status 429).'
    return new ModelFailure('rate_limited', message, { cause: error, retryAfterMs })
  }
  if (status === 408 || status >= 500) {
    return unavailable(`The provider is not available (status ${status}).`, error, retryAfterMs)
  }
  if (status < 300) return unreadable(error)
  const message = `The provider refused the request (status ${status}): ${wordsOf(error, secret)}`
  return new ModelFailure('rejected', message, { cause: error })
}

function wordsOf(error: unknown, secret: string | undefined): string {
  const words = error instanceof Error ? error.message : ''
  const clean = secret ? words.replaceAll(secret, '[secret]') : words
  const shown = clean.length > wordsAtMost ? `${clean.slice(0, wordsAtMost)}…` : clean
  return shown || 'it gave no reason.'
}

/** The failure of the guarded fetch, which the library may have wrapped. */
function outboundIn(error: unknown): OutboundFailure | undefined {
  let one = error
  for (let depth = 0; depth < 8 && one instanceof Error; depth++) {
    if (one instanceof OutboundFailure) return one
    one = one.cause
  }
  return undefined
}

/** Errors of a request and those inside a stream carry it alike. */
function statusOf(error: unknown): number | undefined {
  if (!(error instanceof Error) || !('statusCode' in error)) return undefined
  return typeof error.statusCode === 'number' ? error.statusCode : undefined
}

function isMarkedTransient(error: unknown): boolean {
  return error instanceof Error && 'isRetryable' in error && error.isRetryable === true
}

function retryAfterOf(error: unknown): number | undefined {
  if (!(error instanceof Error) || !('responseHeaders' in error)) return undefined
  const headers = error.responseHeaders
  if (typeof headers !== 'object' || headers === null || !('retry-after' in headers)) {
    return undefined
  }
  const seconds = Number(headers['retry-after'])
  return seconds >= 0 && seconds <= secondsAtMost ? seconds * 1000 : undefined
}
