import type { Version } from '#protocol/a2a/names.ts'
import type { AgentCard } from '@a2a-js/sdk'
import type { Operation } from '#src/core/operation.ts'
import type { Clock } from '#src/ports/clock.ts'
import type { Exchange } from '#protocol/a2a/exchange.ts'
import type { ChatOperations } from './options.ts'
import type { Face } from './shown.ts'

/** What the protocol's methods use at the doors of agents; one for all doors. */
export interface AgentDesk {
  operations: ChatOperations
  /** Decides an approval, as at every other door; undefined if the catalog has no such operation. */
  decide: Operation | undefined
  /** Takes a run that waits for a worker; undefined if the catalog has no such operation. */
  lease: Operation | undefined
  clock: Clock
  /** Aborted when the doors close: nothing is awaited after that. */
  closing: AbortSignal
  /**
   * Counts a request that calls no operation.
   * @throws Refusal `rate_limited`
   */
  count(exchange: Exchange): Promise<void>
  /** The signed card of an agent for callers that may see all of it. */
  extendedCard(face: Face, version: Version): Promise<AgentCard>
}
