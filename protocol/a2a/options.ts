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
  /** What the door offers; by default the core's catalog but for what is of REST alone. */
  operations?: readonly Operation[]
  /** What its card says in words of its own; by default how to make agents and run them. */
  presentation?: (facts: PresentedFacts) => Presentation
  store: Pick<Store, 'a2a_tasks'>
  /** Counts what is kept of tasks for each sender; where it is missing nothing is counted. */
  counts?: Pick<Quotas, 'admit' | 'admitKeys' | 'addBytes'>
  clock: Clock
  log: Log
  /** The key that signs the card derives from it, and so do task ids that a retry must find again. */
  sealer: Sealer
  /** How the agent behind the door names itself. */
  name: string
  version: string
  /** Where the service is reached from outside, without a final slash. */
  publicUrl: string
  /** Where the door answers, `/a2a`. */
  path: string
  /** Why a method or operation of this name is not there, where whoever runs the server has decided so. */
  absent?: AbsenceOf
  /** Counts what is no operation and so is not counted by the core: the protocol's own methods. */
  admit?: (who: Sender) => LimitState | Promise<LimitState> | undefined
}

/** The card as it is served, with what lets caches keep it. */
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
   * The signed card, in the form of the protocol's version that the request asks for: exactly that
   * of 1.0, or with the members that clients of 0.3 look for beside them. Differs by `A2A-Version`.
   * @param version the header of the request, if any
   */
  card(version?: string): Promise<CardText>
  /** The public keys that signatures of cards are checked with. */
  keySet(): JwkSet
}
