import { secondsAfter } from '#src/core/time.ts'
import { RunFailure } from '../failure.ts'
import { Parking } from '../ending/park.ts'
import type { StoredRun } from '../run.ts'
import type { Work } from '../runtimes/runtime.ts'
import { variablesOf } from '../template.ts'
import type { StoredTask } from '#src/agents/tasks/task.ts'
import { begun } from './step.ts'
import { tasksOf } from '#src/agents/tasks/tasks-of.ts'

/** How long a run may wait for its steps in all; each of them has a budget of its own. */
export const stepsDays = 7

/** The tasks of the run's agent, by order. */
export function siblingsOf({ ports, run }: Work): Promise<StoredTask[]> {
  return tasksOf(ports, [run.char_id])
}

/**
 * Starts the first of these tasks as a step and parks the run until the last has ended. The steps
 * are given the variables of the run.
 * @throws RunFailure `step_missing`, `step_skipped`, `chain_too_deep`, `too_many_runs`,
 * `variable_invalid`
 */
export async function startSteps(
  work: Work,
  tasks: readonly StoredTask[],
  usage?: StoredRun['usage'],
): Promise<Parking> {
  const { ports, run, task } = work
  const variables = variablesOf(task, run)
  const steps = { tasks: tasks.map(({ task_id }) => task_id), at: 0 }
  const by = task.runtime ?? 'workflow'
  const beginning = { steps, by, input: run.input, variables: { ...variables } }
  const writes = await begun(ports, run, beginning, ports.clock.now())
  if ('code' in writes) throw new RunFailure(writes.code, writes.message)
  const due_at = secondsAfter(await ports.store.now(), stepsDays * 86_400)
  const parked = { status: 'running', reason: 'waiting_for_steps', waits_for: 'steps' } as const
  return new Parking({ ...parked, due_at, steps, ...(usage && { usage }) }, writes)
}
