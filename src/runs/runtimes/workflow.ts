import { planOf } from '../workflows/plan.ts'
import { startSteps, siblingsOf } from '../workflows/start.ts'
import { RunFailure } from '../failure.ts'
import type { Runtime } from './runtime.ts'

/**
 * The agent's enabled tasks one after the other, from `workflow_entry` on: the output of each is the
 * input of the next, and that of the last the output of the workflow.
 */
export const workflow: Runtime = async (work) => {
  const plan = planOf(await siblingsOf(work), work.task, work.task.workflow_entry ?? null)
  if ('code' in plan) throw new RunFailure(plan.code, plan.message)
  return startSteps(work, plan.tasks)
}
