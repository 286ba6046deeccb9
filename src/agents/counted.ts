import { sizeOf } from '#src/core/counts/quotas.ts'
import { sizeSteps } from '#src/core/counts/size-steps.ts'
import type { Steps } from '#src/core/turns/portions.ts'
import type { StoredCharacter } from './character.ts'
import type { StoredTask } from './tasks/task.ts'

/**
 * What agents count towards the stored bytes of their account, without their tasks: the same however
 * often agents or tasks have been changed.
 */
export function agentBytes(agents: readonly StoredCharacter[]): number {
  return agents.reduce((sum, agent) => sum + sizeOf({ ...agent, revision: 0 }), 0)
}

/** The same of one agent, in steps: it may be large. */
export function agentSteps(agent: StoredCharacter): Steps<number> {
  return sizeSteps({ ...agent, revision: 0 })
}

/**
 * What tasks count: the same however often they have been changed, fired and rated. The state that
 * these leave on a task is written without counting it.
 */
export function taskBytes(tasks: readonly StoredTask[]): number {
  return tasks.reduce((sum, task) => sum + bytesOf(task), 0)
}

function bytesOf(task: StoredTask): number {
  const {
    waiting_run: _run,
    fire_counts: _fires,
    disabled_until: _until,
    last_fire: _lastFire,
    rating_sum: _sum,
    rating_summary,
    ...own
  } = task
  const { average: _average, count: _count, ...summary } = rating_summary ?? {}
  return sizeOf({ ...own, revision: 0, due_at: null }, summary)
}
