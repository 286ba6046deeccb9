import type { Call, Core, Outcome } from '#src/core/door.ts'
import type { Refusal } from '#src/core/errors.ts'
import type { LimitState } from '#src/core/admission/limits.ts'
import type { Operation } from '#src/core/operation.ts'
import type { DoorRequest } from '#protocol/door.ts'
import type { Selection } from './tools.ts'

/** What came with a call beside its arguments. */
export type CallMeta = Readonly<Record<string, unknown>>

type More = Pick<Call, 'follow' | 'counted' | 'progress'>

/** One request on its way through the door, after its credential was looked at. */
export class Exchange {
  readonly request: DoorRequest
  /** A bearer token that is known to be good, or was until the operation that is called ended it. */
  readonly credential: string | undefined
  readonly selection: Selection
  /** How the rate limit stands after the call, where one was made. */
  limit: LimitState | undefined
  /** An operation was called whose answer holds a secret. */
  secret = false
  /** What the operation was refused with, where one was called. */
  refusal: Refusal | undefined
  /** An operation was called, and did not refuse. */
  isAnswered = false
  /** The request was counted against a rate limit: by the core, or by the door. */
  wasCounted = false
  readonly #core: Core

  constructor(
    core: Core,
    request: DoorRequest,
    credential: string | undefined,
    selection: Selection,
  ) {
    this.#core = core
    this.request = request
    this.credential = credential
    this.selection = selection
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
      ...more,
    }
    this.secret = operation.secret === true
    this.wasCounted = true
    const outcome = await this.#core.serve(call)
    this.limit = outcome.limit
    this.refusal = outcome.refusal
    this.isAnswered = outcome.refusal === undefined
    return outcome
  }
}

/** Clients that pay by x402 send the payment beside the arguments, and not encoded. */
function withPayment({ pays }: Operation, input: unknown, meta: CallMeta | undefined): unknown {
  const payment = meta?.['x402/payment']
  if (pays === undefined || payment === undefined) return input
  // Arguments are an object by the protocol; one among them stands for itself.
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
 * The request as the SDK sees it. With a body that is already parsed it reads method, headers and
 * signal and nothing else, so a real `Request` would only be built to be thrown away.
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
      // The door has seen that it is JSON, under whatever name.
      get: (name) =>
        name.toLowerCase() === contentType ? json : (headers[name.toLowerCase()] ?? null),
      has: (name) => headers[name.toLowerCase()] !== undefined,
    }
  }

  /** For the SDK's signature, which names the whole class. */
  asRequest(): Request {
    // Only the members above are read; a test of every request form would break on another.
    return this as unknown as Request
  }
}
