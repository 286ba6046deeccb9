import type { Answer } from './answer.ts'
import type { SentSession } from './admission/session.ts'
import type { Caller, HandleCaller, KeyCaller } from './admission/caller.ts'
import type { Refusal } from './errors.ts'
import type { LimitState } from './admission/limits.ts'
import type { Operation, SentSignature } from './operation.ts'

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
  /** It is a part of something that stays open and was counted as such already. */
  counted?: boolean | undefined
  /** The caller is told only that there is an answer, and sees nothing of it. */
  unseen?: boolean | undefined
  signal?: AbortSignal | undefined
  /** Told in a few words how it goes, while the call waits for something. */
  progress?: ((message: string) => void) | undefined
  traceparent?: string | undefined
  requestId: string
  /** What signs the body, where the door knows before the body has come. */
  signed?: SentSignature | undefined
  /** Where the core has admitted its heading already. */
  admission?: Admission | undefined
}

/** A call before its input was read. */
export type Heading = Omit<Call, 'input' | 'bytes' | 'admission'>

/** Who makes a call, found out and counted before its input was read. */
export interface Admission {
  caller: Caller
  limit?: LimitState
  /** The body may be signed by whoever makes what it brings; that shows once it has come. */
  isSigned?: boolean
}

/** What a door makes its reply of: an answer or a refusal, with how the rate limit stands. */
export type Outcome = { limit?: LimitState } & (
  | { answer: Answer; refusal?: undefined }
  | { answer?: undefined; refusal: Refusal }
)

/** A call that was refused, with how the rate limit stands. */
export type Refused = Extract<Outcome, { refusal: Refusal }>

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

/** A core that admits a call before its input is read. */
export interface AdmittingCore extends Core {
  /**
   * Finds out who calls and counts it, by the heading alone, so that a door need not read the input of
   * whoever is refused. Undefined where only the whole call tells: it is served without an admission.
   */
  admit(heading: Heading): Promise<(Admission & { refusal?: undefined }) | Refused | undefined>
}
