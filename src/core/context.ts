import type { Clock } from '#src/ports/clock.ts'
import type { Containers } from '#src/ports/containers.ts'
import type { Extractor } from '#src/ports/extractor.ts'
import type { Files } from '#src/ports/files.ts'
import type { Images } from '#src/ports/images.ts'
import type { Log } from '#src/ports/log.ts'
import type { Mailer } from '#src/ports/mail/mailer.ts'
import type { Models } from '#src/ports/model.ts'
import type { OAuth, Providers } from '#src/ports/oauth.ts'
import type { Payments } from '#src/ports/payments.ts'
import type { Sender } from '#src/ports/sender.ts'
import type { Shell } from '#src/ports/shell.ts'
import type { Meter } from '#src/ports/meter.ts'
import type { Space } from '#src/ports/space.ts'
import type { Store, Write } from '#src/ports/store.ts'
import type { Traces } from '#src/ports/traces/traces.ts'
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

/** The services that the core uses: one of each, made in the composition root. */
export interface Ports {
  store: Store
  /** How much room there is. */
  space: Space
  /** Bytes that are not documents. */
  files: Files
  extractor: Extractor
  images: Images
  clock: Clock
  log: Log
  sender: Sender
  /** This service as a client of others' authorization servers. */
  oauth: OAuth
  /** Those that say who a person is. */
  providers: Providers
  /** Takes payments: a provider, or the built-in one that charges nothing. */
  payments: Payments
  /** Verifies and settles payments by x402; null if the operator has not configured it. */
  facilitator: Facilitator | null
  /** The guarded fetch for the services of channels, where the operator has put them. */
  messengers: Sender
  /** Null if the operator has named no mail server: then nothing waits for a mail. */
  mailer: Mailer | null
  models: Models
  toolServers: ToolServers
  /** Null if the operator has not switched it on. */
  shell: Shell | null
  containers: Containers | null
  wake: Wake
  /** Counts for the operator. */
  meter: Meter
  /** Follows what a request causes, where the operator has it followed. */
  traces: Traces
  /** Callers of this process that wait for the end of a run. */
  waiting: Waiting
  sealer: Sealer
  limiter: Limiter
  quotas: Quotas
  members: Members
  invitations: Invitations
  settings: Settings
  /** The conformance report that was shipped, as its text; null if there was none. */
  conformance: () => Promise<string | null>
  /** Clears the cache of callers: after a key was revoked or an account changed. */
  forgetCallers: () => void
  /** Every operation, for those that describe the others. */
  catalog: readonly OperationFacts[]
}

/** What an answer has in addition to its value. */
export interface CommitOptions {
  /** Work was accepted for later. */
  pending?: boolean
  /** The refusal for the caller although everything is stored; the answer has its members. */
  refused?: Kept
  /** A note to the caller about the answer. */
  notice?: string | undefined
  /** The revision of the resource in the answer. */
  revision?: number
  /** The session token that the browser keeps from now on. */
  session?: SessionChange
  /** By how much the stored bytes of the account grow, or shrink: documents count as JSON text. */
  bytes?: number
  /** The answer's wire text, if it is not simply the value stringified. */
  text?: string
}

type CallerOf<A extends Auth> = A extends 'key'
  ? KeyCaller
  : A extends 'commons'
    ? MemberCaller
    : A extends 'person'
      ? PersonCaller
      : Caller

/** What an operation receives in addition to its input. */
export interface Context<A extends Auth = Auth> extends Ports {
  caller: CallerOf<A>
  /** The input as it was understood, before its schema filled in what it lacked: checked, and of its form. */
  sent: unknown
  /** The revision that the caller expects to change, from `If-Match`. */
  expected: number | undefined
  /** The body byte for byte, where the operation asks for it: signatures are over these bytes. */
  bytes: Uint8Array | undefined
  /** The caller is shown nothing of the answer, so nothing of it counts as read. */
  unseen: boolean
  /** The caller's address, cut to its network. */
  address: string
  /** What the caller's program calls itself, if the door knows. */
  userAgent: string | undefined
  /** Aborted when the caller has gone away. */
  signal: AbortSignal | undefined
  /**
   * Tells a waiting caller in a few words how the work is going, if it listens; or, with the facts about them,
   * words of others, such as text that a model writes.
   */
  progress: ((message: string, about?: Record<string, unknown>) => void) | undefined
  /** The caller's trace, passed on to everything that the call starts. */
  traceparent: string | undefined
  /**
   * Ends an operation that writes: all writes and the record of the answer are stored, or nothing is.
   * @throws DuplicateKey, Unmet (numbered without the record), Unavailable
   */
  commit: <T>(answer: T, writes: readonly Write[], options?: CommitOptions) => Promise<Answer<T>>
}
