import { challengeOf } from '#src/core/words/challenge.ts'
import type { Refusal } from '#src/core/errors.ts'
import type { Words } from '#src/core/words/reference.ts'
import { errorObject } from '#protocol/admission.ts'
import type { DoorAnswer, DoorRequest } from '#protocol/door.ts'

/** What is told of a request that is refused before the protocol handled it. */
export interface Fault {
  status: number
  /** JSON-RPC code; by default the HTTP status, because the protocols reserve negative codes. */
  code?: number
  message: string
  /** What to do instead. */
  hint?: string
  data?: unknown
  headers?: Readonly<Record<string, string>>
}

/** Answers a request that was refused before the protocol handled it. */
export function refused(request: DoorRequest, fault: Fault): DoorAnswer {
  const { status, code = status, message, hint, headers } = fault
  const data = fault.data ?? errorObject(status, message, request.requestId, hint)
  const error = { code, message, data }
  return {
    status,
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify({ jsonrpc: '2.0', error, id: idOf(request.body) }),
  }
}

/** A refusal of the core that concerns the whole request: who sends it, or how often. */
export function refusedBy(request: DoorRequest, refusal: Refusal, words?: Words): DoorAnswer {
  const headers: Record<string, string> = {}
  const challenge = challengeOf(refusal, words)
  if (challenge !== undefined) headers['www-authenticate'] = challenge
  if (refusal.retryAfterSeconds !== undefined) {
    headers['retry-after'] = String(refusal.retryAfterSeconds)
  }
  // MCP knows no 422: an address that asks for something nonexistent is a bad request.
  const fault =
    refusal.kind === 'invalid' ? { status: 400, code: -32602 } : { status: refusal.status }
  const data = refusal.toObject(request.requestId, words)
  return refused(request, { ...fault, message: data.detail, data, headers })
}

/** The id for the answer, if the body is one request with a valid id. */
function idOf(body: unknown): string | number | null {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) return null
  if (!('method' in body) || !('id' in body)) return null
  const { id } = body
  if (typeof id === 'number') return Number.isFinite(id) ? id : null
  return typeof id === 'string' ? id : null
}
