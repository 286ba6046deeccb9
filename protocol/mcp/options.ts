import type { McpServer, Server, ServerEventBus } from '@modelcontextprotocol/server'
import type { Streams } from '#src/core/admission/streams.ts'
import type { Core } from '#src/core/door.ts'
import type { AbsenceOf } from '#src/core/commons/absence.ts'
import type { LimitState } from '#src/core/admission/limits.ts'
import type { Operation } from '#src/core/operation.ts'
import type { Log } from '#src/ports/log.ts'
import type { Sender } from '#protocol/admission.ts'
import type { Policies } from '#protocol/policies.ts'
import type { ListeningBounds } from './listener-bounds.ts'
import type { Guidance, GuideFacts, PublishedDocument } from './prompts/guidance.ts'
import type { MadeTools } from './descriptor.ts'

export interface McpDoorOptions extends Policies {
  core: Core
  /** The operations offered; by default the core's catalog except those that are only for REST. */
  catalog?: readonly Operation[]
  /** The tools of these operations, if they are made already. */
  tools?: MadeTools | undefined
  /** Reads the states of runs for subscribers; without it no one can subscribe. */
  standings?: Operation
  /** Reads how items of knowledge stand; without it what has them read becomes no task. */
  itemStandings?: Operation
  /** The door's description of itself; by default how to make agents and run them. */
  guidance?: (facts: GuideFacts) => Guidance
  /** Further readable documents. */
  documents?: readonly PublishedDocument[]
  /** The server's name for its clients. */
  name: string
  version: string
  /** The public URL of the service, without a final slash. */
  publicUrl: string
  path: string
  /** The address for hosts that sign a person in, if there is one: calls that lack a credential are told it. */
  signsInAt?: string
  log: Log
  /** Why there is no tool of this name, if the operator has switched it off. */
  absent?: AbsenceOf
  /** Counts requests that are not operations, which the core does not count: lists, reads, handshakes. */
  admit?: (who: Sender) => LimitState | Promise<LimitState> | undefined
  /** A waiting call is broken off after this time, even if the operation goes on. */
  waitsAtMostMs?: number
  /** The limits of subscriptions, if they differ from the usual ones. */
  listening?: ListeningBounds
  /** Counts open streams together with those of other doors; by default only this door's. */
  streams?: Streams
  /** Answers instead of the catalog: for tools, resources and prompts that no operation could be. */
  stage?: Stage
}

/** The SDK's own server, with handlers added by hand. */
export interface Stage {
  /** Creates one for each exchange. */
  server(): McpServer | Server
  /** Where it announces to subscribers that its lists have changed. */
  bus: ServerEventBus
}
