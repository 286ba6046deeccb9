import { Unavailable } from '#src/ports/store.ts'
import type { Ports } from '../context.ts'
import type { Heading } from '../door.ts'
import { Refusal, type RefusalOptions } from '../errors.ts'

/** The refusal for anything that ended a call: faults of the server are logged, not shown. */
export function refusalFor(
  { log, space }: Pick<Ports, 'log' | 'space'>,
  cause: unknown,
  call: Heading,
): Refusal {
  if (cause instanceof Refusal) return cause
  const fields = { operation: call.operation.name, request_id: call.requestId, cause }
  if (cause instanceof Unavailable && cause.isFull) space.noteFull()
  if (cause instanceof Unavailable) {
    log.warn('the store is unavailable', fields)
    return awayRefusal(cause)
  }
  log.error('an operation failed', fields)
  return loggedRefusal(call.requestId, cause)
}

/** The words of every `internal_error`. */
export const failedHere = 'The server failed at this request.'

/** The refusal `internal_error` for what the log explains under the id of the request. */
export function loggedRefusal(requestId: string, cause?: unknown): Refusal {
  return new Refusal('internal_error', failedHere, {
    hint: `It was logged as ${requestId}.`,
    cause,
  })
}

/** The refusal `unavailable` while the store is; the hint is by default that of an operation. */
export function awayRefusal(cause: Unavailable, hint = retryHint(cause)): Refusal {
  return new Refusal('unavailable', 'The service cannot reach or write its store.', {
    retryAfterSeconds: 2,
    hint,
    cause,
  })
}

function retryHint({ outcomeUnknown }: Unavailable): string {
  return outcomeUnknown
    ? 'It is not known whether the call took effect: retry it with the same idempotency key.'
    : 'Nothing was changed: retry.'
}

/** The refusal `unavailable` of a service that stops. */
export function stopRefusal(options?: Pick<RefusalOptions, 'retryAfterSeconds'>): Refusal {
  return new Refusal('unavailable', 'The service is stopping.', options)
}
