import type { Core } from '#src/core/door.ts'
import type { LimitState } from '#src/core/admission/limits.ts'
import type { Operation } from '#src/core/operation.ts'
import type { Sealer } from '#src/core/seal.ts'
import type { Clock } from '#src/ports/clock.ts'
import type { Log } from '#src/ports/log.ts'
import type { Sender } from '#protocol/admission.ts'
import type { Door } from '#protocol/door.ts'
import type { CardText } from '#protocol/a2a/options.ts'
import type { PushOperations } from '#protocol/a2a/push/configs.ts'
import type { Policies } from '#protocol/policies.ts'

/** The operations behind the doors of agents: internal ones, which these doors alone call. */
export interface ChatOperations {
  send: Operation
  get: Operation
  list: Operation
  cancel: Operation
  events: Operation
  face: Operation
  push: PushOperations
}

export interface AgentDoorsOptions extends Policies {
  core: Core
  operations: ChatOperations
  clock: Clock
  log: Log
  /** The key that signs the cards derives from it. */
  sealer: Pick<Sealer, 'derive'>
  /** Who provides the agents, by name. */
  name: string
  /** Where the service is reached from outside, without a final slash. */
  publicUrl: string
  /** Counts what calls no operation. */
  admit?: (who: Sender) => LimitState | Promise<LimitState> | undefined
}

/** Who asks for a card, and in the form of which version. */
export interface CardAsked {
  /** The header of the request, if any. */
  version: string | undefined
  /** The bearer token, if one was sent. */
  credential: string | undefined
  address: string
  requestId: string
  traceparent?: string | undefined
}

/** A card with whom it may be shown to. */
export interface AgentCardText extends CardText {
  /** It is shown to the keys of the agent's account alone. */
  isPrivate: boolean
}

/** The doors of all hosted agents, each at its own address. */
export interface AgentDoors {
  /** The door of the agent with this id, whether or not there is one. */
  at(charId: string): Door
  /** @throws Refusal `character_not_found`, `rate_limited` */
  card(charId: string, asked: CardAsked): Promise<AgentCardText>
  /** Ends the streams that are still open. */
  close(): Promise<void>
}

/** Where the door of an agent answers, relative to the service's own address. */
export function doorPath(charId: string): string {
  return `/a2a/${charId}`
}
