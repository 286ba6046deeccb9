import type { McpServer, ServerEventBus } from '@modelcontextprotocol/server'
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

export interface McpDoorOptions extends Policies {
  core: Core
  /** What the door offers; by default the core's catalog but for what is of REST alone. */
  catalog?: readonly Operation[]
  /** What the door says of itself; by default how to make agents and run them. */
  guidance?: (facts: GuideFacts) => Guidance
  /** What else is there to read. */
  documents?: readonly PublishedDocument[]
  /** How the server names itself to its clients. */
  name: string
  version: string
  /** Where the service is reached from outside, without a final slash. */
  publicUrl: string
  path: string
  log: Log
  /** Why a tool of this name is not there, where whoever runs the server has decided so. */
  absent?: AbsenceOf
  /** Counts what is no operation and so is not counted by the core: lists, reads, handshakes. */
  admit?: (who: Sender) => LimitState | Promise<LimitState> | undefined
  /** After which a call that waits is broken off, whatever the operation does. */
  waitsAtMostMs?: number
  /** How much may be listened to at once, where it is not as usual. */
  listening?: ListeningBounds
  /** Where what stays open is counted, with that of others; by default by itself. */
  streams?: Streams
  /** Speaks in place of the catalog: for tools, resources and prompts that no operation could be. */
  stage?: Stage
}

/** The SDK's own server, filled by hand. */
export interface Stage {
  /** A new one for each exchange. */
  server(): McpServer
  /** Where it tells those who listen that its lists have changed. */
  bus: ServerEventBus
}
