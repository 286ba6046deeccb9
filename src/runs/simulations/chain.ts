import { depthAtMost, runsARoot } from '../ending/handoff.ts'
import type { StoredTask } from '#src/agents/tasks/task.ts'
import type { SimulatedHandoff } from './answer.ts'
import type { Cast, Passing } from './cast.ts'

/** A handoff of a chain, whenever that is set off. */
export type Link = Omit<SimulatedHandoff, 'at' | 'message'> & {
  /** The account whose run it starts, where it starts one. */
  runOf: string | null
}

/**
 * Everything that one run of a task sets going by handing on its result, where each run succeeds:
 * bounded in depth and number as it is in life.
 */
export async function chainOf(cast: Cast, task: StoredTask): Promise<Link[]> {
  const links: Link[] = []
  const waiting = [{ task, depth: 0 }]
  let family = 1
  for (let next = waiting.shift(); next; next = waiting.shift()) {
    const { char_id, task_id } = next.task
    const depth = next.depth + 1
    for (const passing of await cast.passingsOf(next.task)) {
      const bounded = withinBounds(passing, depth, family)
      const { to, outcome, reason, task: receiver } = bounded
      // A run that is skipped counts too.
      if (receiver) family += 1
      const isRun = outcome === 'run' && receiver !== undefined
      const runOf = isRun ? receiver.owner_id : null
      links.push({ from: { char_id, task_id }, to, depth, outcome, reason, runOf })
      if (isRun) waiting.push({ task: receiver, depth })
    }
  }
  return links
}

function withinBounds(passing: Passing, depth: number, family: number): Passing {
  if (passing.outcome === 'dropped') return passing
  const dropped = { ...passing, outcome: 'dropped', task: undefined } as const
  if (depth > depthAtMost) return { ...dropped, reason: 'chain_too_deep' }
  return passing.task && family >= runsARoot ? { ...dropped, reason: 'too_many_runs' } : passing
}
