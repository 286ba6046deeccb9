import type { Operation } from '#src/core/operation.ts'
import { invoke as actionsInvoke } from '#src/operations/actions/invoke.ts'
import { decide as approvalsDecide } from '#src/operations/approvals/decide.ts'
import { get as approvalsGet } from '#src/operations/approvals/get.ts'
import { list as approvalsList } from '#src/operations/approvals/list.ts'
import { receive as hooksReceive } from '#src/operations/hooks/receive.ts'
import { cancel } from '#src/operations/runs/cancel.ts'
import { complete } from '#src/operations/runs/complete.ts'
import { remove as runsDelete } from '#src/operations/runs/delete.ts'
import { events } from '#src/operations/runs/events.ts'
import { fail } from '#src/operations/runs/fail.ts'
import { get } from '#src/operations/runs/get.ts'
import { heartbeat } from '#src/operations/runs/heartbeat.ts'
import { lease } from '#src/operations/runs/lease.ts'
import { list } from '#src/operations/runs/list.ts'
import { retryAll } from '#src/operations/runs/retry-all.ts'
import { retry } from '#src/operations/runs/retry.ts'
import { standings } from '#src/operations/runs/standings.ts'

/** The A2A door asks it for the state of many runs; it is not offered. */
export const runStandings: Operation = standings

/** Runs, their approvals, and what starts them from outside. */
export const runs: readonly Operation[] = [
  list,
  get,
  events,
  cancel,
  retry,
  retryAll,
  runsDelete,
  lease,
  heartbeat,
  complete,
  fail,
  standings,
  approvalsList,
  approvalsGet,
  approvalsDecide,
  actionsInvoke,
  hooksReceive,
]
