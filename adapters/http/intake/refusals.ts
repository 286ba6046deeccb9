import { Refusal } from '#src/core/errors.ts'

/** How large a body may be. */
export interface BodyBound {
  /** Bytes that it may have. */
  readonly limit: number
  /** It would be larger with a key, a session or a signature. */
  readonly isNobodys: boolean
}

/** The refusal of a body that is larger than this reading takes. */
export function tooLarge({ limit, isNobodys }: BodyBound): Refusal {
  const more = 'Manifests, imports and files have larger limits of their own.'
  const hint = isNobodys ? 'With an API key it may be larger.' : limit < 2 ** 21 ? more : undefined
  return new Refusal('payload_too_large', `The body may be ${limit} bytes at most.`, { hint })
}

/** Each piece costs as much as a request of its own. */
export class InPieces extends Refusal {
  constructor() {
    super('payload_too_large', 'The body comes in too many small pieces.', {
      hint: 'Send it whole, or in chunks of some kilobytes.',
    })
  }
}

/** The refusal of a body for which there is no memory at this moment. */
export function noRoom(): Refusal {
  return new Refusal('unavailable', 'Too much is being sent at this moment.', {
    retryAfterSeconds: 5,
    hint: 'Nothing was read: send it again.',
  })
}

/** The refusal of a body whose room others need. */
export function tooSlow(): Refusal {
  return new Refusal('unavailable', 'The body comes too slowly while others wait for its room.', {
    retryAfterSeconds: 5,
    hint: 'Nothing was done: send it again, without pauses.',
  })
}
