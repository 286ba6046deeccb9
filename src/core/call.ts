import { DuplicateKey, Unavailable, Unmet, type Write } from '#src/ports/store.ts'
import { Answer, type Kept } from './answer.ts'
import { anonymous, callerName, type Caller, type HandleCaller, type KeyCaller } from './caller.ts'
import { callers, type Callers } from './admission/callers.ts'
import { callerFor } from './admission/identifying.ts'
import { inCommons } from './commons/refusals.ts'
import type { CommitOptions, Context, Ports } from './context.ts'
import { Refusal } from './errors.ts'
import { digest } from './ids.ts'
import { whileAdmitted } from './admission/following.ts'
import { recordOf, remembered, replay, type Remembered } from './admission/idempotency.ts'
import { validate } from './input.ts'
import type { LimitState } from './limits.ts'
import { limitsOf, overLimit } from './admission/limits-of.ts'
import { beginsSession, bodyBytesAtMost, isOfCommons, isRead, type Operation } from './operation.ts'
import type { SentSession } from './admission/session.ts'
import { checkTrust } from './commons/trust.ts'
import { withFiles } from './upload.ts'
import { walk } from './admission/walk.ts'

/** A call of an operation, whatever door it came through. */
export interface Call {
  operation: Operation
  /** Parsed, not yet checked. */
  input: unknown
  /** The body as it came, where the operation asks for its bytes. */
  bytes?: Uint8Array | undefined
  /** The bearer token, when one was sent. */
  credential: string | undefined
  /** Who is signed in at the browser that sent it; counts where there is no credential. */
  session?: SentSession | undefined
  /** The caller's address, cut to its network: /24 or /64. */
  address: string
  userAgent?: string | undefined
  idempotencyKey?: string | undefined
  /** The revision of `If-Match`. */
  expected?: number | undefined
  /** The caller asks for events as they happen, where the operation can follow something. */
  follow?: boolean | undefined
  /** The caller is told only that there is an answer, and sees nothing of it. */
  unseen?: boolean | undefined
  signal?: AbortSignal | undefined
  /** Told in a few words how it goes, while the call waits for something. */
  progress?: ((message: string) => void) | undefined
  traceparent?: string | undefined
  requestId: string
}

/** What a door makes its reply of: an answer or a refusal, with how the rate limit stands. */
export type Outcome = { limit?: LimitState } & (
  | { answer: Answer; refusal?: undefined }
  | { answer?: undefined; refusal: Refusal }
)

/** The core as the doors know it. */
export interface Core {
  readonly catalog: readonly Operation[]
  /** Takes a call through admission to its end. Never rejects: a fault of ours is a refusal too. */
  serve(call: Call): Promise<Outcome>
  /**
   * Who this bearer token is, or who is signed in so.
   * @throws Refusal `invalid_credential`, `token_revoked`, `unavailable`, or `forbidden` for an account
   *   that whoever is signed in does not hold
   */
  identify(sent: string | SentSession): Promise<KeyCaller | HandleCaller>
}

/** The one way in: identify, limit, validate, replay, admit, run. */
export function core(ports: Ports): Core {
  const known = callers(ports)
  const forgetting: Ports = { ...ports, forgetCallers: () => known.forget() }
  const entrance = new Entrance(forgetting, known)
  return {
    catalog: ports.catalog,
    serve: (call) => entrance.serve(call),
    identify: (sent) => (typeof sent === 'string' ? known.identify(sent) : known.signedIn(sent)),
  }
}

/** Clients that are asked to pay make the same call again, under the same key. */
function paysIn({ pays }: Operation, input: unknown): boolean {
  return pays !== undefined && typeof input === 'object' && input !== null && pays in input
}

/** Of an answer that is kept, and a refusal all the same. */
function refusalOf({ code, message, hint }: Kept, { text }: Answer): Refusal {
  // The answer of an operation is an object.
  const members = JSON.parse(text) as Record<string, unknown>
  return new Refusal(code, message, { ...(hint !== undefined && { hint }), members })
}

/** Whether it may leave something with the account: what concerns the person alone does not. */
function fillsAccount(op: Operation): boolean {
  if (op.auth === 'person' || beginsSession(op)) return false
  return !isRead(op) && op.http.method !== 'DELETE'
}

class Entrance {
  readonly #ports: Ports
  readonly #known: Callers

  constructor(ports: Ports, known: Callers) {
    this.#ports = ports
    this.#known = known
  }

  async serve(call: Call): Promise<Outcome> {
    const seen: { limit?: LimitState } = {}
    try {
      const answer = await this.#admit(call, seen)
      return {
        ...(answer.refused ? { refusal: refusalOf(answer.refused, answer) } : { answer }),
        ...seen,
      }
    } catch (cause) {
      const refusal = this.#refusalOf(cause, call)
      return {
        refusal: isOfCommons(call.operation) ? inCommons(refusal) : refusal,
        ...seen,
      }
    }
  }

  async #admit(call: Call, seen: { limit?: LimitState }): Promise<Answer> {
    const op = call.operation
    // A text has no names and marks of its own, and may fill the body before the address is counted.
    const besides = op.http.raw ? 2000 : 0
    const charactersAtMost = (op.bodyBytes ?? bodyBytesAtMost) + besides
    // Decoded first: base64 of megabytes is no text that has to be normalised.
    const input = op.files ? withFiles(call.input, op.files.member) : call.input
    const walked = walk(input, { verbatim: op.verbatim === true, charactersAtMost })
    const caller = await callerFor(this.#ports, this.#known, call).catch((cause: unknown) =>
      this.#lastAnswer(call, walked.value, seen, cause),
    )
    if (caller instanceof Answer) return caller
    await this.#limit(call, caller, seen)
    const valid = validate(op, walked)
    if (caller.kind === 'member') checkTrust(op, caller)
    const memory = this.#memoryOf(call, caller, walked.value)
    if (memory) {
      const kept = await this.#replayed(call, caller, memory)
      if (kept) return kept
    }
    if (caller.kind === 'key' && fillsAccount(op)) {
      await this.#ports.quotas.admit('stored_bytes', caller)
      if (op.quota) await this.#ports.quotas.admit(op.quota, caller)
    }
    try {
      const kept = { isRecorded: false }
      const context = this.#context(call, caller, memory, kept)
      const result = await (call.follow && op.follow
        ? op.follow(valid, context)
        : op.run(valid, context))
      const answer = result instanceof Answer ? result : new Answer(JSON.stringify(result))
      if (memory && !kept.isRecorded) await this.#record(memory, answer)
      return answer.events ? this.#followed(call, caller, answer.events) : answer
    } catch (cause) {
      // The same key was used twice at once: the other call won, and its answer is the answer, also
      // where what it wrote is what this one was refused for.
      const isBeaten = cause instanceof DuplicateKey && cause.in === 'idempotency'
      if (!memory || !(isBeaten || cause instanceof Refusal)) throw cause
      const kept = await this.#replayed(call, caller, memory)
      if (!kept) throw cause
      return kept
    }
  }

  #followed(call: Call, caller: Caller, events: NonNullable<Answer['events']>): Answer {
    const name = callerName(caller, call.address)
    const isAdmitted = async (): Promise<boolean> =>
      callerName(await callerFor(this.#ports, this.#known, call), call.address) === name
    return new Answer('', { events: whileAdmitted(events, isAdmitted) })
  }

  async #replayed(
    { operation, address }: Call,
    caller: Caller,
    memory: Remembered,
  ): Promise<Answer | undefined> {
    const { store, settings } = this.#ports
    const kept = await replay(store, memory)
    if (kept) await operation.again?.(kept.text, { store, caller, address, settings })
    return kept
  }

  /** Of a token that this very call has ended, and whose answer was lost: the kept answer. */
  async #lastAnswer(
    call: Call,
    input: unknown,
    seen: { limit?: LimitState },
    cause: unknown,
  ): Promise<Answer> {
    const isEnded = cause instanceof Refusal && cause.code === 'token_revoked'
    if (!isEnded || !call.operation.endsToken) throw cause
    const memory = this.#memoryOf(call, anonymous, input)
    if (!memory) throw cause
    // Whoever has an ended token must not use up what its handle may do.
    await this.#limit(call, anonymous, seen)
    const kept = await replay(this.#ports.store, memory)
    if (kept) return kept
    throw cause
  }

  async #limit(call: Call, caller: Caller, seen: { limit?: LimitState }): Promise<void> {
    for (const { name, limit, subject } of limitsOf(call, caller, this.#ports.settings.limits)) {
      const taken = this.#ports.limiter.take(name, limit, subject)
      const state = taken instanceof Promise ? await taken : taken
      if (!seen.limit || state.remaining < seen.limit.remaining) seen.limit = state
      if (state.admitted) continue
      seen.limit = state
      throw overLimit(state)
    }
  }

  #memoryOf(call: Call, caller: Caller, input: unknown): Remembered | undefined {
    const { operation: op, idempotencyKey: key } = call
    if (key === undefined || op.http.method !== 'POST' || op.unkept) return undefined
    const owner =
      op.endsToken && call.credential !== undefined
        ? `token:${digest(call.credential)}`
        : callerName(caller, call.address)
    // Whoever was found out to have a token must not guess the key that its replacement is kept under.
    const isKeyed = caller.kind !== 'anonymous' && !op.endsToken
    const whose = paysIn(op, input) ? `${owner}:paying` : owner
    return remembered(key, { owner: whose, isKeyed }, op, input)
  }

  /** The answer of what ended without a commit of its own. */
  async #record(memory: Remembered, answer: Answer): Promise<void> {
    const { store, clock } = this.#ports
    await store.idempotency.insert(recordOf(memory, answer, clock.now()))
  }

  #context(
    call: Call,
    caller: Caller,
    memory: Remembered | undefined,
    kept: { isRecorded: boolean },
  ): Context {
    const { store, clock, quotas } = this.#ports
    return {
      ...this.#ports,
      caller,
      expected: call.expected,
      bytes: call.bytes,
      unseen: call.unseen === true,
      address: call.address,
      userAgent: call.userAgent,
      signal: call.signal,
      progress: call.progress,
      traceparent: call.traceparent,
      async commit<T>(value: T, writes: readonly Write[], options: CommitOptions = {}) {
        const { text = JSON.stringify(value), bytes = 0, ...rest } = options
        const answer = new Answer<T>(text, rest)
        if (!memory && writes.length > 0) await store.commit(writes)
        if (memory) {
          const insert = recordOf(memory, answer, clock.now())
          kept.isRecorded = true
          await store.commit([{ in: 'idempotency', insert }, ...writes]).catch((cause: unknown) => {
            throw cause instanceof Unmet ? new Unmet(cause.in, cause.index - 1) : cause
          })
        }
        if (caller.accountId !== undefined) quotas.addBytes(caller.accountId, bytes)
        return answer
      },
    }
  }

  #refusalOf(cause: unknown, call: Call): Refusal {
    if (cause instanceof Refusal) return cause
    const fields = { operation: call.operation.name, request_id: call.requestId, cause }
    if (cause instanceof Unavailable) {
      this.#ports.log.warn('the store is unavailable', fields)
      return new Refusal('unavailable', 'The service cannot reach or write its store.', {
        retryAfterSeconds: 2,
        hint: cause.outcomeUnknown
          ? 'It is not known whether the call took effect: retry it with the same idempotency key.'
          : 'Nothing was changed: retry.',
        cause,
      })
    }
    this.#ports.log.error('an operation failed', fields)
    return new Refusal('internal_error', 'The server failed at this request.', {
      hint: `It was logged as ${call.requestId}.`,
      cause,
    })
  }
}
