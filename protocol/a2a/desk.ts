import type { Version } from './names.ts'
import type { AgentCard } from '@a2a-js/sdk'
import type { AbsenceOf } from '#src/core/commons/absence.ts'
import type { Operation } from '#src/core/operation.ts'
import type { Signpost } from '#src/core/words/signpost.ts'
import type { Clock } from '#src/ports/clock.ts'
import type { Log } from '#src/ports/log.ts'
import type { Exchange } from './exchange.ts'
import type { TaskIds } from './ids.ts'
import type { Runs } from '#protocol/runs.ts'
import type { TaskStore } from './kept/task-store.ts'

/** What the protocol's methods use; one for each door. */
export interface Desk {
  operations: ReadonlyMap<string, Operation>
  /** The same, in document order. */
  catalog: readonly Operation[]
  /** Leads to the operations. */
  signpost: Signpost
  absent?: AbsenceOf | undefined
  card: AgentCard
  /** The card in which every operation is described. */
  extendedCard(version: Version): Promise<AgentCard>
  store: TaskStore
  runs: Runs
  ids: TaskIds
  clock: Clock
  log: Log
  /** Aborted when the door closes: nothing is awaited after that. */
  closing: AbortSignal
  /**
   * Counts a request that calls no operation.
   * @throws Refusal `rate_limited`
   */
  count(exchange: Exchange): Promise<void>
}
