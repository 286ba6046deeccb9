import { Refusal } from '#src/core/errors.ts'
import { HttpFault } from '../errors.ts'

/** The limit of a body. */
export interface BodyBound {
  /** In bytes. */
  readonly limit: number
  /** With a key, a session or a signature the limit would be larger. */
  readonly isReduced: boolean
}

/** The words of `bad_json` for a body of other bytes. */
export const notUtf8 = 'The body is not well-formed UTF-8.'

/** The fault `bad_request` of a body that broke off. */
export function brokenOff(cause: unknown): HttpFault {
  return new HttpFault('bad_request', 'The body could not be read to its end.', { cause })
}

/** The refusal of a body above the limit of this reading. */
export function tooLarge({ limit, isReduced }: BodyBound): Refusal {
  const more = 'Manifests, imports and files have larger limits of their own.'
  const hint = isReduced ? 'With an API key it may be larger.' : limit < 2 ** 21 ? more : undefined
  return new Refusal('payload_too_large', `The body may be ${limit} bytes at most.`, { hint })
}

/** Each piece costs as much as a whole request. */
export class InPieces extends Refusal {
  constructor() {
    super('payload_too_large', 'The body comes in too many small pieces.', {
      hint: 'Send it whole, or in chunks of some kilobytes.',
    })
  }
}

/** The refusal of a body for which there is no memory right now. */
export function noRoom(): Refusal {
  return new Refusal('unavailable', 'Too much is being sent at this moment.', {
    retryAfterSeconds: 5,
    hint: 'Nothing was read: send it again.',
  })
}

/** The refusal of a body whose room others need. */
export function tooSlow(): Refusal {
  return new Refusal('unavailable', 'The body arrives too slowly while others wait for its room.', {
    retryAfterSeconds: 5,
    hint: 'Nothing was done: send it again, without pauses.',
  })
}
