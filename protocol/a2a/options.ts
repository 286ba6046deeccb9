import type { Core } from '#src/core/door.ts'
import type { AbsenceOf } from '#src/core/commons/absence.ts'
import type { LimitState } from '#src/core/admission/limits.ts'
import type { Operation } from '#src/core/operation.ts'
import type { Quotas } from '#src/core/counts/quotas.ts'
import type { Sealer } from '#src/core/seal.ts'
import type { Clock } from '#src/ports/clock.ts'
import type { Log } from '#src/ports/log.ts'
import type { Store } from '#src/ports/store.ts'
import type { Sender } from '#protocol/admission.ts'
import type { Door } from '#protocol/door.ts'
import type { Policies } from '#protocol/policies.ts'
import type { Presentation, PresentedFacts } from './card/presentation.ts'

export interface A2aDoorOptions extends Policies {
  core: Core
  /** The operations offered; by default the core's catalog except those that are only for REST. */
  operations?: readonly Operation[]
  /** Reads the states of many runs, so that a list need not read each; without it each is read. */
  standings?: Operation
  /** The parts of the card that differ by door; by default how to make agents and run them. */
  presentation?: (facts: PresentedFacts) => Presentation
  store: Pick<Store, 'a2a_tasks'>
  /** Counts stored tasks for each sender; without it nothing is counted. */
  counts?: Pick<Quotas, 'admit' | 'admitKeys' | 'addBytes'>
  clock: Clock
  log: Log
  /** Derives the key that signs the card, and task ids that a retry must find again. */
  sealer: Sealer
  /** The name of the agent behind the door. */
  name: string
  version: string
  /** The public URL of the service, without a final slash. */
  publicUrl: string
  /** The path of the door, `/a2a`. */
  path: string
  /** Why there is no method or operation of this name, if the operator has switched it off. */
  absent?: AbsenceOf
  /** Counts the protocol's own methods, which are not operations and so are not counted by the core. */
  admit?: (who: Sender) => LimitState | Promise<LimitState> | undefined
}

/** The card as it is served, with its headers for caches. */
export interface CardText {
  text: string
  /** In quotes, strong. */
  etag: string
  /** An HTTP date. */
  lastModified: string
}

export interface JwkSet {
  keys: readonly Record<string, unknown>[]
}

export interface A2aDoor extends Door {
  /**
   * The signed card, in the form of the protocol version that the request asks for: exactly that of
   * 1.0, or with additional members for clients of 0.3. Differs by `A2A-Version`.
   * @param version the header of the request, if any
   */
  card(version?: string): Promise<CardText>
  /** The public keys that verify the signatures of cards. */
  keySet(): JwkSet
}
