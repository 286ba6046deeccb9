import type { Call, Core, Outcome } from '#src/core/door.ts'
import { anonymous, callerName, type Caller } from '#src/core/admission/caller.ts'
import type { LimitState } from '#src/core/admission/limits.ts'
import type { Owner } from '#src/core/counts/quota-table.ts'
import { heavyBytes } from '#src/core/input/bounds.ts'
import type { Operation } from '#src/core/operation.ts'
import { toldPlace } from '#src/core/admission/misplaced.ts'
import { inNames, type Words } from '#src/core/words/reference.ts'
import { turnOf } from '#src/core/turns/slices.ts'
import type { Clock } from '#src/ports/clock.ts'
import type { DoorRequest } from '#protocol/door.ts'

type More = Pick<Call, 'idempotencyKey' | 'follow' | 'signal' | 'counted' | 'understood'> & {
  /** What came next to the input, as `_meta`. */
  meta?: Readonly<Record<string, unknown>> | undefined
}

/** What the door knows of a request. */
type Sent = Partial<Pick<Exchange, 'words' | 'credential' | 'caller'>>

/** One HTTP request in the door, after its credential was checked. */
export class Exchange {
  readonly request: DoorRequest
  /** A bearer token that is valid, or was until the called operation ended it. */
  readonly credential: string | undefined
  readonly caller: Caller
  /** How the door names calls. */
  readonly words: Words
  /** The state of the rate limit after the last counted call. */
  limit: LimitState | undefined
  /** How inputs were understood that were not sent as their schemas have them, of all calls. */
  understood: Outcome['understood']
  /** An operation whose answer holds a secret was called. */
  secret = false
  /** An operation was called, and did not refuse. */
  isAnswered = false
  /** Input or output is so large that each step over it takes a turn of the event loop of its own. */
  #isHeavy: boolean
  readonly #core: Core

  constructor(
    core: Core,
    request: DoorRequest,
    { words = inNames, credential, caller = anonymous }: Sent = {},
  ) {
    this.#core = core
    this.words = words
    this.request = request
    this.credential = credential
    this.caller = caller
    this.#isHeavy = (request.rawLength ?? 0) > heavyBytes
  }

  /** Called between two steps over input or output: lets other work run if they are large. */
  async step(clock: Pick<Clock, 'turn'>): Promise<void> {
    if (this.#isHeavy) await turnOf(clock)
  }

  /** The owner of these tasks: a key, or a network address. */
  get owner(): string {
    return callerName(this.caller, this.request.address)
  }

  /** The account that stored bytes count for, if there is one. */
  get account(): Owner | undefined {
    const { caller } = this
    if (caller.kind === 'key') return caller
    return undefined
  }

  get requestId(): string {
    return this.request.requestId
  }

  /** Calls an operation as the sender of the request. Never rejects. */
  async serve(
    operation: Operation,
    input: unknown,
    { meta, ...more }: More = {},
  ): Promise<Outcome> {
    const { address, requestId, traceparent, signal } = this.request
    if (operation.secret) this.secret = true
    const outcome = await this.#core.serve({
      operation,
      input,
      credential: this.credential,
      address,
      signal,
      traceparent,
      requestId,
      words: this.words,
      ...more,
    })
    if (outcome.limit) this.limit = outcome.limit
    if (outcome.understood) this.understood = [...(this.understood ?? []), ...outcome.understood]
    if (outcome.refusal) {
      const { headers, query } = this.request
      const refusal = toldPlace(outcome.refusal, operation, () => ({ headers, query, meta, input }))
      return { ...outcome, refusal }
    }
    this.isAnswered = true
    if (outcome.answer.text.length > heavyBytes) this.#isHeavy = true
    return outcome
  }
}
