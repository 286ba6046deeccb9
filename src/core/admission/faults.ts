import { Unavailable } from '#src/ports/store.ts'
import type { Ports } from '../context.ts'
import type { Heading } from '../door.ts'
import { Refusal } from '../errors.ts'

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
  return new Refusal('internal_error', 'The server failed at this request.', {
    hint: `It was logged as ${call.requestId}.`,
    cause,
  })
}

/** The refusal while the store is unavailable. */
export function awayRefusal(cause: Unavailable): Refusal {
  return new Refusal('unavailable', 'The service cannot reach or write its store.', {
    retryAfterSeconds: 2,
    hint: cause.outcomeUnknown
      ? 'It is not known whether the call took effect: retry it with the same idempotency key.'
      : 'Nothing was changed: retry.',
    cause,
  })
}
