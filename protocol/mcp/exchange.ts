import type { Call, Core, Outcome } from '#src/core/door.ts'
import { lacksCredential, toldPlace } from '#src/core/admission/misplaced.ts'
import type { Refusal } from '#src/core/errors.ts'
import type { LimitState } from '#src/core/admission/limits.ts'
import type { Operation } from '#src/core/operation.ts'
import { inNames, type Words } from '#src/core/words/reference.ts'
import type { DoorRequest } from '#protocol/door.ts'
import type { Selection } from './tools.ts'

/** The `_meta` of a call, next to its arguments. */
export type CallMeta = Readonly<Record<string, unknown>>

type More = Pick<Call, 'follow' | 'counted' | 'progress' | 'understood'>

/** What is known of a request besides itself. */
export interface ExchangeTerms {
  credential: string | undefined
  selection: Selection
  words?: Words | undefined
  signsInAt?: string | undefined
}

/** One request in the door, after its credential was checked. */
export class Exchange {
  readonly request: DoorRequest
  /** A bearer token that is valid, or was until the called operation ended it. */
  readonly credential: string | undefined
  readonly selection: Selection
  /** How the door names calls. */
  readonly words: Words
  /** The state of the rate limit after the call, if there was one. */
  limit: LimitState | undefined
  /** An operation whose answer holds a secret was called. */
  secret = false
  /** How the input of the called operation was understood, where it was not sent as the schema has it. */
  understood: Outcome['understood']
  /** That the arguments of the call were read from a text, where they were. */
  read: Outcome['understood']
  /** The refusal of the called operation, if there was one. */
  refusal: Refusal | undefined
  /** An operation was called, and did not refuse. */
  isAnswered = false
  /** The request was counted against a rate limit: by the core, or by the door. */
  wasCounted = false
  readonly #core: Core
  readonly #signsInAt: string | undefined

  constructor(core: Core, request: DoorRequest, terms: ExchangeTerms) {
    const { credential, selection, words = inNames, signsInAt } = terms
    this.#core = core
    this.#signsInAt = signsInAt
    this.request = request
    this.credential = credential
    this.selection = selection
    this.words = words
  }

  get requestId(): string {
    return this.request.requestId
  }

  /** Calls an operation as the sender of the request. Never rejects. */
  async serve(
    operation: Operation,
    input: unknown,
    meta: CallMeta | undefined,
    signal: AbortSignal,
    more: More = {},
  ): Promise<Outcome> {
    const call: Call = {
      operation,
      input: withPayment(operation, input, meta),
      credential: this.credential,
      address: this.request.address,
      idempotencyKey: idempotencyKeyOf(meta),
      signal,
      traceparent: traceparentOf(meta) ?? this.request.traceparent,
      requestId: this.request.requestId,
      words: this.words,
      ...more,
      understood: more.understood ?? this.read,
    }
    this.secret = operation.secret === true
    this.wasCounted = true
    const outcome = await this.#core.serve(call)
    // What is a part of a counted request is not counted itself.
    this.limit = outcome.limit ?? this.limit
    this.understood = outcome.understood
    this.refusal = outcome.refusal
    this.isAnswered = outcome.refusal === undefined
    if (!outcome.refusal) return outcome
    const { headers, query } = this.request
    const refusal = toldPlace(outcome.refusal, operation, () => ({ headers, query, meta, input }))
    return { ...outcome, refusal: this.#withSignIn(refusal, operation) }
  }

  /** A host that signs persons in needs no key, but another address. */
  #withSignIn(refusal: Refusal, { auth }: Operation): Refusal {
    const address = this.#signsInAt
    if (address === undefined || auth === 'person' || !lacksCredential(refusal)) return refusal
    const other = `A host that signs a person in connects to ${address} instead.`
    return refusal.withHint(refusal.hint === undefined ? other : `${refusal.hint} ${other}`)
  }
}

/** Clients that pay by x402 send the payment in `_meta`, next to the arguments, and not encoded. */
function withPayment({ pays }: Operation, input: unknown, meta: CallMeta | undefined): unknown {
  const payment = meta?.['x402/payment']
  if (pays === undefined || payment === undefined) return input
  // By the protocol, arguments are an object; a payment among them takes precedence.
  const encoded = Buffer.from(JSON.stringify(payment)).toString('base64')
  return { [pays]: encoded, ...(input as object) }
}

/** A key that is not a text is passed on as one that the core refuses by its own rule. */
function idempotencyKeyOf(meta: CallMeta | undefined): string | undefined {
  const key = meta?.['idempotency-key']
  if (key === undefined) return undefined
  return typeof key === 'string' ? key : ''
}

function traceparentOf(meta: CallMeta | undefined): string | undefined {
  const trace = meta?.['traceparent']
  return typeof trace === 'string' ? trace : undefined
}

const contentType = 'content-type'
const json = 'application/json'

/**
 * The request as the SDK sees it. If the body is already parsed, the SDK reads only method, headers and
 * signal, so building a real `Request` would be a waste.
 */
export class PlainRequest {
  readonly exchange: Exchange
  readonly method = 'POST'
  readonly signal: AbortSignal
  readonly headers: { get(name: string): string | null; has(name: string): boolean }

  constructor(exchange: Exchange) {
    const { headers, signal } = exchange.request
    this.exchange = exchange
    this.signal = signal
    this.headers = {
      // The door has checked that it is JSON, under any media type.
      get: (name) =>
        name.toLowerCase() === contentType ? json : (headers[name.toLowerCase()] ?? null),
      has: (name) => headers[name.toLowerCase()] !== undefined,
    }
  }

  /** For the SDK's signature, which requires the whole class. */
  asRequest(): Request {
    // Only the members above are read; a test of every request form would fail otherwise.
    return this as unknown as Request
  }
}
