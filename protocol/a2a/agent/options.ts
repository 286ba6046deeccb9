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

/** The operations behind the doors of agents: internal ones, called only by these doors. */
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
  /** Derives the key that signs the cards. */
  sealer: Pick<Sealer, 'derive'>
  /** The name of the provider of the agents. */
  name: string
  /** The public URL of the service, without a final slash. */
  publicUrl: string
  /** Counts requests that call no operation. */
  admit?: (who: Sender) => LimitState | Promise<LimitState> | undefined
}

/** The caller that requests a card, and the version requested. */
export interface CardAsked {
  /** The header of the request, if any. */
  version: string | undefined
  /** The bearer token, if one was sent. */
  credential: string | undefined
  address: string
  requestId: string
  traceparent?: string | undefined
}

/** A card, and who may see it. */
export interface AgentCardText extends CardText {
  /** Only keys of the agent's account may see it. */
  isPrivate: boolean
}

/** The doors of all hosted agents, each at its own address. */
export interface AgentDoors {
  /** The door of the agent with this id, whether or not the agent exists. */
  at(charId: string): Door
  /** @throws Refusal `character_not_found`, `rate_limited` */
  card(charId: string, asked: CardAsked): Promise<AgentCardText>
  /** Ends the open streams. */
  close(): Promise<void>
}
