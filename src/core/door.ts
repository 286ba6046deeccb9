import type { Answer } from './answer.ts'
import type { SentSession } from './admission/session.ts'
import type { Caller, HandleCaller, KeyCaller } from './admission/caller.ts'
import type { Refusal } from './errors.ts'
import type { Understood } from './input/understood.ts'
import type { LimitState } from './admission/limits.ts'
import type { Words } from './words/reference.ts'
import type { Operation, SentSignature } from './operation.ts'

/** A call of an operation through any door. */
export interface Call {
  operation: Operation
  /** Parsed, not yet checked. */
  input: unknown
  /** How the door itself understood what was sent. */
  understood?: readonly Understood[] | undefined
  /** The raw body, where the operation asks for its bytes. */
  bytes?: Uint8Array | undefined
  /** The bearer token, if one was sent. */
  credential: string | undefined
  /** The session of the browser that sent it; used only if there is no credential. */
  session?: SentSession | undefined
  /** The caller's address, cut to its network: /24 or /64. */
  address: string
  userAgent?: string | undefined
  idempotencyKey?: string | undefined
  /** The revision from `If-Match`. */
  expected?: number | undefined
  /** The caller asks for events as they happen, if the operation supports that. */
  follow?: boolean | undefined
  /** It is part of a request, or of an open stream, that is counted already. */
  counted?: boolean | undefined
  /** The caller learns only that there is an answer, and sees nothing of it. */
  unseen?: boolean | undefined
  signal?: AbortSignal | undefined
  /** Called with a short text on progress, while the call waits for something; with facts about words of others. */
  progress?: ((message: string, about?: Record<string, unknown>) => void) | undefined
  traceparent?: string | undefined
  requestId: string
  /** How the door names calls in warnings and findings; by default by their names. */
  words?: Words | undefined
  /** The signature of the body, if the door has it before the body. */
  signed?: SentSignature | undefined
  /** The result of admission, if the core has already admitted the heading. */
  admission?: Admission | undefined
}

/** A call before its input is read. */
export type Heading = Omit<Call, 'input' | 'bytes' | 'admission'>

/** The caller, identified and counted before the input is read. */
export interface Admission {
  caller: Caller
  limit?: LimitState
  /** The body may carry a signature of the sender; it is checked once the body has come. */
  isSigned?: boolean
}

/** What is told of a call, answered or refused. */
export interface Told {
  /** The state of the rate limit. */
  limit?: LimitState
  /** How an input was understood that was not sent as the schema has it. */
  understood?: readonly Understood[]
}

/**
 * What a door builds its reply from: an answer or a refusal, with the state of the rate limit, and with how
 * an input was understood that was not sent as the schema has it.
 */
export type Outcome = Told &
  (Answered | { answer?: undefined; whole?: undefined; refusal: Refusal })

interface Answered {
  answer: Answer
  /** All of it, for the door itself, where the caller has asked for less. */
  whole?: Answer
  refusal?: undefined
}

/** A call that was refused, with the state of the rate limit. */
export type Refused = Extract<Outcome, { refusal: Refusal }>

/** The core as the doors know it. */
export interface Core {
  readonly catalog: readonly Operation[]
  /** Takes a call from admission to its end. Never rejects: a fault of the server is a refusal too. */
  serve(call: Call): Promise<Outcome>
  /**
   * Who this bearer token or session belongs to.
   * @throws Refusal `invalid_credential`, `token_revoked`, `unavailable`, or `forbidden` for an account
   *   that the signed-in person does not hold
   */
  identify(sent: string | SentSession): Promise<KeyCaller | HandleCaller>
}

/** A core that admits a call before its input is read. */
export interface AdmittingCore extends Core {
  /**
   * Identifies and counts the caller by the heading alone, so that a door need not read the body of a
   * caller that is refused. Undefined if that takes the whole call: it is then served without an admission.
   */
  admit(heading: Heading): Promise<(Admission & { refusal?: undefined }) | Refused | undefined>
}

/** The HTTP status of an answer: what REST sends, and what other doors would. */
export function statusOfAnswer({ http }: Pick<Operation, 'http'>, answer: Answer): number {
  if (answer.pending) return 202
  return answer.preview || answer.events ? 200 : (http.status ?? 200)
}

/** The HTTP status of a call, answered or refused. */
export function statusOf(operation: Pick<Operation, 'http'>, outcome: Outcome): number {
  return outcome.refusal ? outcome.refusal.status : statusOfAnswer(operation, outcome.answer)
}
