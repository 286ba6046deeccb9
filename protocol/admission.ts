import { overLimit } from '#src/core/admission/limits-of.ts'
import { tokenIn } from '#src/core/credentials/header.ts'
import { Refusal } from '#src/core/errors.ts'
import { notBearer } from '#src/core/admission/misplaced.ts'
import { oneValue } from '#src/core/input/bounds.ts'
import type { LimitState } from '#src/core/admission/limits.ts'
import type { Operation } from '#src/core/operation.ts'
import type { DoorRequest } from './door.ts'

/** The subject of a limit: the account of a key or the handle, else the address. */
export interface Sender {
  subject: string | undefined
  address: string
}

/** What both doors say of a request that HTTP itself refuses. */
export const httpWords = {
  origin: 'Pages of this origin may not call this service.',
  mediaType: 'The Content-Type must be application/json.',
  notJson: 'The body is not JSON.',
  tooLarge: (bytesAtMost: number): string => `A body has at most ${bytesAtMost} bytes.`,
} as const

/** The names of what only HTTP refuses, as REST has them. */
const httpCodes: Readonly<Record<number, string>> = {
  400: 'bad_request',
  403: 'forbidden',
  404: 'path_not_found',
  405: 'method_not_allowed',
  406: 'not_acceptable',
  413: 'payload_too_large',
  415: 'unsupported_media_type',
  500: 'internal_error',
}

/** The error object of what HTTP itself refuses: the form of every refusal, at every door. */
export function errorObject(
  status: number,
  detail: string,
  requestId: string,
  hint?: string,
): object {
  const code = httpCodes[status] ?? 'invalid_input'
  return { detail, code, ...(hint !== undefined && { hint }), request_id: requestId }
}

/** The error object for a body that is not JSON. */
export function notJsonObject({ parseRefusal, requestId }: DoorRequest): object {
  const refusal = parseRefusal ?? new Refusal('bad_json', httpWords.notJson, { hint: oneValue })
  return refusal.toObject(requestId)
}

/**
 * The bearer token of the request, or undefined without one. It is read from this header only.
 * @throws Refusal `invalid_credential` for a header that is neither "Bearer" and a token, nor a token of this service
 */
export function bearerOf({ headers }: DoorRequest): string | undefined {
  const header = headers['authorization']
  if (header === undefined) return undefined
  const token = tokenIn(header)
  if (token !== undefined) return token
  throw notBearer()
}

/**
 * Why a token is no longer valid, if the called operation may itself have ended it: the core may still
 * keep the answer for a caller that did not receive it.
 */
export function endedBy(operation: Operation | undefined, cause: unknown): Refusal | undefined {
  const isEnded = cause instanceof Refusal && cause.code === 'token_revoked'
  return isEnded && operation?.endsToken ? cause : undefined
}

/** @throws Refusal `rate_limited` when the limit is used up */
export function checkAdmitted(state: LimitState | undefined): void {
  if (!state || state.admitted) return
  throw overLimit(state)
}

/** The state of a limit, as HTTP header fields. */
export function limitHeaders(state: LimitState | undefined): Record<string, string> {
  if (!state) return {}
  const { name, count, seconds, remaining, resetSeconds } = state
  return {
    'ratelimit-policy': `"${name}";q=${count};w=${seconds}`,
    ratelimit: `"${name}";r=${remaining};t=${resetSeconds}`,
  }
}
