import type { Clock } from '#src/ports/clock.ts'
import type { Containers } from '#src/ports/containers.ts'
import type { Extractor } from '#src/ports/extractor.ts'
import type { Files } from '#src/ports/files.ts'
import type { Images } from '#src/ports/images.ts'
import type { Log } from '#src/ports/log.ts'
import type { Models } from '#src/ports/model.ts'
import type { Payments } from '#src/ports/payments.ts'
import type { Sender } from '#src/ports/sender.ts'
import type { Shell } from '#src/ports/shell.ts'
import type { Meter } from '#src/ports/meter.ts'
import type { Space } from '#src/ports/space.ts'
import type { Store, Write } from '#src/ports/store.ts'
import type { ToolServers } from '#src/ports/tool-server.ts'
import type { Wake } from '#src/ports/wake.ts'
import type { Facilitator } from '#src/ports/x402.ts'
import type { Auth, OperationFacts } from './operation-facts.ts'
import type { Answer, Kept } from './answer.ts'
import type { Caller, KeyCaller, MemberCaller, Members, PersonCaller } from './admission/caller.ts'
import type { Limiter } from './admission/limits.ts'
import type { Quotas } from './counts/quotas.ts'
import type { Sealer } from './seal.ts'
import type { SessionChange } from './admission/session.ts'
import type { Settings } from './settings.ts'
import type { Invitations } from './admission/sign-up.ts'
import type { Waiting } from './listeners.ts'

/** What the outside world gives to the core: one of each, made in the composition root. */
export interface Ports {
  store: Store
  /** What room there is for more. */
  space: Space
  /** Bytes that are no documents. */
  files: Files
  extractor: Extractor
  images: Images
  clock: Clock
  log: Log
  sender: Sender
  /** Takes payments: a provider, or the built-in one that charges nothing. */
  payments: Payments
  /** Verifies and settles payments by x402; null where the operator has not configured it. */
  facilitator: Facilitator | null
  models: Models
  toolServers: ToolServers
  /** Null where the operator has not switched it on. */
  shell: Shell | null
  containers: Containers | null
  wake: Wake
  /** Counts what the operator may want to see. */
  meter: Meter
  /** Who waits for the end of which run, in this process. */
  waiting: Waiting
  sealer: Sealer
  limiter: Limiter
  quotas: Quotas
  members: Members
  invitations: Invitations
  settings: Settings
  /** The conformance report that was shipped, as it was written; null where none was. */
  conformance: () => Promise<string | null>
  /** Drops what is remembered of callers: after a key was revoked or an account changed. */
  forgetCallers: () => void
  /** Every operation, for those that speak of the others. */
  catalog: readonly OperationFacts[]
}

/** What an answer is beside its value. */
export interface CommitOptions {
  /** Work was accepted for later. */
  pending?: boolean
  /** What the caller is refused with, though all of it is kept: the members are those of the answer. */
  refused?: Kept
  /** What the caller should know beside the answer itself. */
  notice?: string | undefined
  /** The revision of the resource in the answer. */
  revision?: number
  /** What the browser is to keep from now on of who is signed in at it. */
  session?: SessionChange
  /** By how much the stored bytes of the account grow, or shrink: documents count as JSON text. */
  bytes?: number
  /** The answer's wire text where it is not simply the value stringified. */
  text?: string
}

type CallerOf<A extends Auth> = A extends 'key'
  ? KeyCaller
  : A extends 'commons'
    ? MemberCaller
    : A extends 'person'
      ? PersonCaller
      : Caller

/** What an operation receives beside its input. */
export interface Context<A extends Auth = Auth> extends Ports {
  caller: CallerOf<A>
  /** The revision that the caller expects to change, of `If-Match`. */
  expected: number | undefined
  /** The body as it came, byte for byte, where the operation asks for it: what signatures are over. */
  bytes: Uint8Array | undefined
  /** Nothing of the answer is shown to the caller, so that nothing of it counts as read. */
  unseen: boolean
  /** The caller's address, cut to its network. */
  address: string
  /** What the caller's program says of itself, where the door knows. */
  userAgent: string | undefined
  /** Aborted when the caller has gone away. */
  signal: AbortSignal | undefined
  /** Tells the caller in a few words how it goes, where it listens while it waits. */
  progress: ((message: string) => void) | undefined
  /** The caller's trace, kept on what the call sets going. */
  traceparent: string | undefined
  /**
   * How an operation that writes ends: all writes and the record of the answer, or nothing.
   * @throws DuplicateKey, Unmet (numbered without the record), Unavailable
   */
  commit: <T>(answer: T, writes: readonly Write[], options?: CommitOptions) => Promise<Answer<T>>
}
