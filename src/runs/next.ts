import { budgetReason } from './spend/hold.ts'
import { noPaidCall } from './waits/paid-calls.ts'
import type { Next } from '#src/core/words/next-call.ts'

/** Of a run, what says whom it waits for. */
export interface Waiting {
  char_id: string
  task_id: string | null
  status: string
  reason: string | null
  approval_id: string | null
}

/** The reasons of runs that wait for an agent that leases them. */
const forWorkers: ReadonlySet<string> = new Set(['waiting_for_worker', noPaidCall])

/** What a run waits for, if it is someone outside: an agent that leases it, or who decides. */
export function nextOf(run: Waiting): Next | undefined {
  const { char_id, task_id, status, reason, approval_id } = run
  if (status === 'queued' && reason !== null && forWorkers.has(reason)) {
    return { operation: 'runs.lease', input: { char_id, ...(task_id !== null && { task_id }) } }
  }
  if (status === 'queued' && reason === 'task_paused' && task_id !== null) {
    return { operation: 'tasks.resume', input: { char_id, task_id } }
  }
  if (status === 'queued' && reason === budgetReason) {
    return { operation: 'budgets.list', input: {} }
  }
  if (status === 'waiting_approval' && approval_id !== null) {
    return { operation: 'approvals.decide', input: { approval_id } }
  }
  return undefined
}

/** A run with what to call next, if it waits for someone outside. */
export function withNext<R extends Waiting>(run: R): R & { next?: Next } {
  const next = nextOf(run)
  return next ? { ...run, next } : run
}

/** In the stored text of a run that has not ended. */
const openMember = '"finished_at":null'

/** The same for the stored text of a run. */
export function textWithNext(text: string): string {
  // Most runs that are read have ended: nothing of them is parsed.
  if (!text.includes(openMember)) return text
  // It was written by this server.
  const next = nextOf(JSON.parse(text) as Waiting)
  return next ? `${text.slice(0, -1)},"next":${JSON.stringify(next)}}` : text
}
