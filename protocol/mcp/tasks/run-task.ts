import type { Outcome } from '#src/core/door.ts'
import type { Operation } from '#src/core/operation.ts'
import { call, inWords, type Words } from '#src/core/words/reference.ts'
import { changedAt, type RunShown, type Standing } from '#protocol/run-shown.ts'
import { runAnswered } from '#protocol/runs.ts'
import { openApproval, requestFor, requestKey, votersLeft } from './asked.ts'
import { runTaskId } from './names.ts'
import {
  pollMs,
  pollWaitingMs,
  type ClientCapabilities,
  type InputRequest,
  type Task,
} from './wire.ts'

/** Whether the answers of an operation may be runs that it has started. */
export function mayStartRun({ http, output }: Operation): boolean {
  return http.mayAccept === true || (http.status === 202 && output.meta()?.id === 'Run')
}

/** Whether each of its answers is a run that it has started. */
export function startsRun({ output }: Operation): boolean {
  return output.meta()?.id === 'Run'
}

/** The run of an answer if it goes on by itself: of one that waits for its own caller the answer says how to act. */
function startedRun(operation: Operation, outcome: Outcome): RunShown | undefined {
  const run = outcome.answer?.pending ? runIn(operation, outcome) : undefined
  if (!run || run.finished_at) return undefined
  return run.status === 'queued' && run.next !== undefined ? undefined : run
}

/** The run of an answer, also where its caller has asked for less of it. */
export function runIn(
  operation: Operation,
  { answer, whole = answer }: Outcome,
): RunShown | undefined {
  return whole && runAnswered(operation, whole.text)
}

/** The task that the start of a run has become, as its handle says it; undefined where the answer is the result. */
export function begunTask(
  operation: Operation,
  input: unknown,
  outcome: Outcome,
): Task | undefined {
  const run = startedRun(operation, outcome)
  return run && goingTask(runTaskId(run.id, input), run)
}

/** A run that goes on, as a handle says it. */
export function goingTask(taskId: string, run: RunShown): Task {
  return {
    taskId,
    status: 'working',
    statusMessage: stateOf(run),
    createdAt: run.created_at,
    lastUpdatedAt: run.created_at,
    ttlMs: null,
    pollIntervalMs: intervalOf(run),
  }
}

/** Whether nothing happens to a run by itself: it has ended, or waits for someone. */
export function isSettled({ status, finished_at }: RunShown): boolean {
  return finished_at !== null || status.startsWith('waiting_')
}

/** A run as a task, unless it has ended with a result. */
export function openTask(
  taskId: string,
  standing: Standing,
  client: ClientCapabilities,
  words: Words,
): Task | undefined {
  const { run, approval, begun_at } = standing
  const facts = {
    taskId,
    createdAt: begun_at ?? run.created_at,
    lastUpdatedAt: changedAt(run, approval?.created_at ?? null),
    ttlMs: null,
  }
  if (run.status === 'cancelled') {
    return { ...facts, status: 'cancelled', statusMessage: stateOf(run) }
  }
  if (run.finished_at !== null) return undefined
  const statusMessage = inWords(saidOf(standing), words)
  const going = { ...facts, statusMessage, pollIntervalMs: intervalOf(run) }
  const inputRequests = requestsFor(standing, client)
  return inputRequests
    ? { ...going, status: 'input_required', inputRequests }
    : { ...going, status: 'working' }
}

/** A run that has ended, but was not cancelled, as a task with the result that its call would have had. */
export function endedTask(taskId: string, { run, begun_at }: Standing, result: object): Task {
  return {
    taskId,
    status: 'completed',
    statusMessage: stateOf(run),
    createdAt: begun_at ?? run.created_at,
    lastUpdatedAt: changedAt(run, null),
    ttlMs: null,
    result,
  }
}

function requestsFor(
  standing: Standing,
  client: ClientCapabilities,
): Record<string, InputRequest> | undefined {
  const open = openApproval(standing)
  const request = open && requestFor(open, client)
  return open && request && { [requestKey(open)]: request }
}

function intervalOf({ status, reason }: RunShown): number {
  return status === 'running' || (status === 'queued' && !reason) ? pollMs : pollWaitingMs
}

/** In our own words: the texts of a run and its error may be those of others. */
function stateOf({ id, status, reason, error }: RunShown): string {
  const why = error?.code ?? reason
  return `The run ${id} is ${status}${why ? `: ${why}` : ''}.`
}

/** The same, with what someone has to do before it goes on. */
function saidOf(standing: Standing): string {
  const { run, decide, lease } = standing
  const open = openApproval(standing)
  if (open && decide) {
    const waits = `${stateOf(run)} It waits for the approval ${open.id}`
    const at = open.url === undefined ? '' : ` at ${open.url}`
    if (open.require_person) return `${waits}, which only a person who signs in decides${at}.`
    const isOthers = open.approvers.length > 0 && votersLeft(open).length === 0
    if (isOthers) return `${waits}${at}, which others decide.`
    const by = call(decide.name, { approval_id: open.id })
    return `${waits}: ${by}.${at && ` A person decides it${at}.`}`
  }
  if (run.reason !== 'waiting_for_worker' || !lease) return stateOf(run)
  const work = call(lease.name, { char_id: run.char_id, task_id: run.task_id })
  return `${stateOf(run)} A worker takes it by ${work}.`
}
