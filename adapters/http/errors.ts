import { challengeOf } from '#src/core/words/challenge.ts'
import { STATUS_CODES } from 'node:http'
import { awayRefusal, loggedRefusal } from '#src/core/admission/faults.ts'
import { hintFor, type HttpCodeOfCommons } from '#src/core/commons/codes.ts'
import { Refusal, type FaultItem } from '#src/core/errors.ts'
import { inNames, inWords, type Words } from '#src/core/words/reference.ts'
import type { Log } from '#src/ports/log.ts'
import { Unavailable } from '#src/ports/store.ts'
import { json, type Reply } from './reply.ts'

/** Faults that only HTTP can have, with their status. */
const faults = {
  bad_request: 400,
  bad_address: 400,
  host_mismatch: 403,
  origin_mismatch: 403,
  path_not_found: 404,
  method_not_allowed: 405,
  not_acceptable: 406,
  request_timeout: 408,
  unsupported_media_type: 415,
  range_not_satisfiable: 416,
  headers_too_large: 431,
} as const

type FaultCode = keyof typeof faults

/** What the Commons calls them. */
export const namesInCommons: Readonly<Record<FaultCode, HttpCodeOfCommons>> = {
  bad_request: 'bad_request',
  bad_address: 'bad_address',
  host_mismatch: 'host_mismatch',
  origin_mismatch: 'origin_mismatch',
  path_not_found: 'not_found',
  method_not_allowed: 'method_not_allowed',
  not_acceptable: 'not_acceptable',
  request_timeout: 'request_timeout',
  unsupported_media_type: 'unsupported_media_type',
  range_not_satisfiable: 'bad_request',
  headers_too_large: 'headers_too_large',
}

interface FaultOptions extends ErrorOptions {
  hint?: string
  headers?: Record<string, string>
}

/** A request that no operation can accept, regardless of its input. */
export class HttpFault extends Error {
  override readonly name = 'HttpFault'
  readonly code: FaultCode
  readonly hint: string
  readonly headers: Readonly<Record<string, string>>

  constructor(code: FaultCode, message: string, options: FaultOptions = {}) {
    super(message, { cause: options.cause })
    this.code = code
    this.hint = options.hint ?? hintFor(namesInCommons[code])
    this.headers = options.headers ?? {}
  }

  get status(): number {
    return faults[this.code]
  }

  toObject(requestId: string, words: Words = inNames): ErrorBody {
    return {
      detail: this.message,
      code: this.code,
      hint: inWords(this.hint, words),
      request_id: requestId,
    }
  }
}

/** The fault `path_not_found` of an address at which nothing is. */
export function nothingAt(hint: string): HttpFault {
  return new HttpFault('path_not_found', 'There is nothing at this address.', { hint })
}

export interface ErrorBody {
  detail: string
  code: string
  errors?: readonly FaultItem[]
  hint?: string
  retry_after_s?: number
  request_id: string
}

/** The request that an error answers. */
export interface Asked {
  requestId: string
  /** Whether problem details were asked for. */
  asProblem: boolean
  /** The member of the input that was the whole body. */
  document?: string | undefined
}

/** The reply to a refused request, as problem details if those were asked for. */
export function errorReply(
  cause: Refusal | HttpFault,
  { requestId, asProblem, document }: Asked,
  words?: Words,
): Reply & { body: string } {
  const { status } = cause
  const said: ErrorBody = cause.toObject(requestId, words)
  const body = said.errors ? { ...said, errors: withoutDocument(said.errors, document) } : said
  const problem = { type: 'about:blank', title: STATUS_CODES[status] ?? 'Error', status }
  const headers: Record<string, string> = {
    'Content-Type': asProblem ? 'application/problem+json; charset=utf-8' : json,
    'Cache-Control': 'no-store',
    ...headersOf(cause),
  }
  // Members of an operation's own may have these names too: in problem details they have this meaning.
  return { status, headers, body: JSON.stringify(asProblem ? { ...body, ...problem } : body) }
}

/** The headers of a refusal: `Allow`, `Retry-After`, `WWW-Authenticate`, … */
export function headersOf(cause: Refusal | HttpFault): Readonly<Record<string, string>> {
  return cause instanceof HttpFault ? cause.headers : refusalHeaders(cause)
}

function refusalHeaders(refusal: Refusal): Record<string, string> {
  const challenge = challengeOf(refusal)
  if (challenge !== undefined) return { 'WWW-Authenticate': challenge }
  if (refusal.kind === 'payment_required') return paymentHeaders(refusal)
  const seconds =
    refusal.retryAfterSeconds ?? (refusal.kind === 'unavailable' ? unavailableSeconds : undefined)
  return seconds === undefined ? {} : { 'Retry-After': String(Math.ceil(seconds)) }
}

/** Version 2 of x402 asks for a payment in a header, as base64 of JSON. */
function paymentHeaders({ members }: Refusal): Record<string, string> {
  const asked = members?.['x402']
  if (asked === undefined) return {}
  return { 'PAYMENT-REQUIRED': Buffer.from(JSON.stringify(asked)).toString('base64') }
}

const unavailableSeconds = 2

/** On REST the body is the document member itself, so pointers into the body do not name it. */
export function withoutDocument(
  errors: readonly FaultItem[],
  document: string | undefined,
): readonly FaultItem[] {
  if (document === undefined) return errors
  const prefix = `/${document}`
  return errors.map((fault) =>
    fault.pointer === prefix || fault.pointer.startsWith(`${prefix}/`)
      ? { ...fault, pointer: fault.pointer.slice(prefix.length) }
      : fault,
  )
}

/** The refusal for an internal error: the error is logged, and its details are not disclosed. */
export function refusalOfFailure(
  cause: unknown,
  { log, path, requestId }: { log: Pick<Log, 'warn' | 'error'>; path?: string; requestId: string },
): Refusal {
  if (cause instanceof Refusal) return cause
  const fields = { ...(path !== undefined && { path }), request_id: requestId, cause }
  if (cause instanceof Unavailable) {
    log.warn('the store is unavailable', fields)
    return awayRefusal(cause)
  }
  log.error('a request failed', fields)
  return loggedRefusal(requestId, cause)
}

/** Whether the caller closed the connection. */
export function isBrokenOff({ name, code = '' }: Error & { code?: string }): boolean {
  return (
    name === 'AbortError' ||
    ['ECONNRESET', 'EPIPE', 'ECONNABORTED', 'ERR_STREAM_PREMATURE_CLOSE'].includes(code)
  )
}
