import { isResumed, isTurnedDown } from '../approvals/verdict.ts'
import type { Ports } from '#src/core/context.ts'
import type { Write } from '#src/ports/store.ts'
import type { Outcome } from '../ended.ts'
import type { StoredRun } from '../run.ts'
import { begun, stepName } from './step.ts'

const open = ['queued', 'running', 'waiting_approval', 'waiting_input'] as const

/** A run that is about to end, as it will be. */
interface Ended {
  run: StoredRun
  outcome: Outcome
  now: Date
}

/** What the end of a step, or of a run with steps, changes for the others. */
export interface Further {
  /** The next step. */
  writes: Write[]
  /** The runs that end with it, and how: the one that waited for it, or the step it waited for. */
  ends: { run: StoredRun; outcome: Outcome }[]
}

/**
 * The end of a step begins the next or ends the run that waits; the end of a run that still waits
 * ends its step. Undefined at once for every other run.
 * @param by the run whose end is the cause of this one
 */
export function steppingOf(
  ports: Ports,
  ended: Ended,
  by: string | undefined,
): Promise<Further> | undefined {
  const { run, outcome } = ended
  if (run.steps && outcome.status !== 'completed') return whatWaits(ports, ended, by)
  return isStep(run, by) ? afterStep(ports, ended) : undefined
}

function isStep(run: StoredRun, by: string | undefined): boolean {
  return run.step != null && run.parent_run_id !== null && run.parent_run_id !== by
}

/** The open steps of a run that ends before them, and what waits for that run in its turn. */
async function whatWaits(ports: Ports, ended: Ended, by: string | undefined): Promise<Further> {
  const { id, root_run_id } = ended.run
  const steps = await ports.store.runs.find({
    root_run_id,
    parent_run_id: id,
    status: { $in: open },
  })
  const outcome = { status: 'cancelled', error: null, reason: 'workflow_ended' } as const
  const ends = steps
    .filter((step) => step.step != null && step.id !== by)
    .map((run) => ({ run, outcome }))
  if (!isStep(ended.run, by)) return { writes: [], ends }
  const above = await afterStep(ports, ended)
  return { writes: above.writes, ends: [...ends, ...above.ends] }
}

async function afterStep(ports: Ports, { run, outcome, now }: Ended): Promise<Further> {
  const nothing = { writes: [], ends: [] }
  // Paused for an approval that was given: the run that goes on with it takes over the step.
  if (isResumed(run)) return nothing
  const waiter = await ports.store.runs.get(run.parent_run_id ?? '')
  if (!waiter?.steps || waiter.waits_for !== 'steps' || waiter.steps.at !== run.step) return nothing
  const failure = failureOf(run, outcome, stepName(waiter.steps))
  if (failure) return { writes: [], ends: [{ run: waiter, outcome: failure }] }
  const { output, artifacts } = run
  const { tasks, at } = waiter.steps
  if (at + 1 >= tasks.length) {
    const completed = { status: 'completed', output, artifacts } as const
    return { writes: [], ends: [{ run: waiter, outcome: completed }] }
  }
  const steps = { tasks, at: at + 1 }
  const next = { steps, by: 'workflow', input: output, variables: run.variables }
  const writes = await begun(ports, waiter, next, now)
  if ('code' in writes) {
    return { writes: [], ends: [{ run: waiter, outcome: { status: 'failed', error: writes } }] }
  }
  // What ends the waiting run meanwhile has read another step as the open one: one of both fails.
  const still = { id: waiter.id, waits_for: 'steps', 'steps.at': at } as const
  const moved: Write = { in: 'runs', update: still, change: { $set: { 'steps.at': at + 1 } } }
  return { writes: [moved, ...writes], ends: [] }
}

/** The end of the run that waits, where its step brought nothing. */
function failureOf(run: StoredRun, outcome: Outcome, which: string): Outcome | undefined {
  const isRejected = outcome.status === 'abandoned' && outcome.reason === 'rejected'
  if (isRejected || isTurnedDown(run)) {
    return failed('step_rejected', `${which} was not agreed to (${run.id}).`)
  }
  if (outcome.status === 'completed') return undefined
  const { error, reason } = outcome
  const why = error ? `${error.code}: ${error.message}` : (reason ?? '')
  const how = outcome.status.replace('_', ' ')
  return failed(
    `step_${outcome.status}`,
    `${which} ended as ${how} (${run.id})${why && `: ${why}`}`,
  )
}

function failed(code: string, message: string): Outcome {
  return { status: 'failed', error: { code, message } }
}
