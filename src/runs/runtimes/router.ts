import type { StoredTask } from '#src/agents/tasks/task.ts'
import { pickedByModel } from '../workflows/ask-model.ts'
import { bestMatch } from '../workflows/match.ts'
import { startable } from '../workflows/plan.ts'
import { startSteps, siblingsOf } from '../workflows/start.ts'
import { RunFailure } from '../failure.ts'
import type { StoredRun } from '../run.ts'
import type { Runtime, Work } from './runtime.ts'

/**
 * Hands the input to one of the agent's other tasks and ends with the output of that task: to the
 * one that `router_model` picks, or else to the one whose texts fit the input best.
 */
export const router: Runtime = async (work) => {
  const { run, task } = work
  const candidates = startable(await siblingsOf(work), task)
  const { input } = run
  const text = typeof input === 'string' ? input : JSON.stringify(input ?? '')
  let usage: StoredRun['usage'] | undefined
  if (task.router_model && candidates.length > 0) {
    const picked = await pickedByModel(work, candidates, text)
    usage = picked.usage
    if ('task' in picked) {
      await work.note('router.picked', { task_id: picked.task.task_id, by: 'model' })
      return startSteps(work, [picked.task], usage)
    }
    await work.note('router.fell_back', { reason: picked.reason })
  }
  return startSteps(work, [await matched(work, candidates, text)], usage)
}

async function matched(
  work: Work,
  candidates: readonly StoredTask[],
  text: string,
): Promise<StoredTask> {
  const match = bestMatch(text, candidates)
  if (!match) {
    const message = 'No other enabled task of the agent has a word of the input in its texts.'
    throw new RunFailure('no_route', message)
  }
  const score = Math.round(match.score * 100) / 100
  await work.note('router.picked', { task_id: match.task.task_id, by: 'text', score })
  return match.task
}
