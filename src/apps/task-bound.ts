import type { Finding } from './check.ts'
import { agentsAtMost } from './manifest.ts'
import { firstItems, items, members } from './outline.ts'
import type { Provision, Standing } from './plan.ts'

/** How many tasks the agents of an app may have in all: they are read, compared and written together. */
export const tasksOfAppAtMost = 1000

/** What a manifest says too much of; nothing else of it is looked at then. */
export function noteTooMany(raw: unknown): Finding[] {
  const agents = firstItems(members(raw).agents, agentsAtMost)
  const count = agents.reduce<number>(
    (sum, agent) => sum + items(members(members(agent).heart).tasks).length,
    0,
  )
  if (count <= tasksOfAppAtMost) return []
  return [tooMany(`An app has ${tasksOfAppAtMost} tasks at most, and this manifest names ${count}`)]
}

/** What the manifest no longer names stays without `prune`, and counts. */
export function noteTooManyLeft(
  { tasks, left }: Pick<Provision, 'tasks' | 'left'>,
  standing: Pick<Standing, 'tasks'>,
  prune: boolean,
): Finding[] {
  if (prune) return []
  const gone = new Set(left.characters.map(({ id }) => id))
  const ofLeft = standing.tasks.filter(({ char_id }) => gone.has(char_id)).length
  const stays = left.tasks.length + ofLeft
  if (stays === 0 || tasks.length + stays <= tasksOfAppAtMost) return []
  const message =
    `With the ${stays} tasks that the manifest no longer names the app would have more than ` +
    `${tasksOfAppAtMost}: prune removes them`
  return [tooMany(message)]
}

function tooMany(message: string): Finding {
  return { severity: 'error', code: 'too_many_tasks', pointer: '/agents', message }
}
