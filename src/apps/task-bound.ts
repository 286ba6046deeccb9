import { jsonBytes, tasksBytesAtMost } from '#src/agents/tasks/admit-bytes.ts'
import type { Finding } from './check.ts'
import { agentsAtMost } from './manifest.ts'
import { firstItems, items, members } from '#src/core/input/loose.ts'
import type { Provision, Standing } from './plan.ts'

/** How many tasks the agents of an app may have in all: they are read, compared and written together. */
export const tasksOfAppAtMost = 1000

/** Whether a manifest has too many of something; then nothing else of it is checked. */
export function noteTooMany(raw: unknown): Finding[] {
  const agents = firstItems(members(raw).agents, agentsAtMost)
  const count = agents.reduce<number>(
    (sum, agent) => sum + items(members(members(agent).heart).tasks).length,
    0,
  )
  if (count > tasksOfAppAtMost) {
    const message = `An app has ${tasksOfAppAtMost} tasks at most, and this manifest names ${count}`
    return [tooMany(message)]
  }
  return agents.flatMap((agent, i) => {
    const tasks = items(members(members(agent).heart).tasks)
    if (jsonBytes(tasks) <= tasksBytesAtMost) return []
    const message = `The tasks of one agent hold ${tasksBytesAtMost} bytes together at most`
    return [tooMany(message, `/agents/${i}/heart/tasks`)]
  })
}

/** What the manifest no longer names stays without `prune`, and counts. */
export function noteTooManyLeft(
  { tasks, left }: Pick<Provision, 'tasks' | 'left'>,
  standing: Pick<Standing, 'tasks'>,
  prune: boolean,
): Finding[] {
  if (prune) return []
  const large = agentTooLarge(tasks, left.tasks)
  if (large !== undefined) {
    const most = `${tasksBytesAtMost} bytes`
    return [
      tooMany(
        `With what the manifest no longer names the tasks of "${large}" would hold more than ${most}: prune removes it`,
      ),
    ]
  }
  const gone = new Set(left.characters.map(({ id }) => id))
  const ofLeft = standing.tasks.filter(({ char_id }) => gone.has(char_id)).length
  const stays = left.tasks.length + ofLeft
  if (stays === 0 || tasks.length + stays <= tasksOfAppAtMost) return []
  const message =
    `With the ${stays} tasks that the manifest no longer names the app would have more than ` +
    `${tasksOfAppAtMost}: prune removes them`
  return [tooMany(message)]
}

/** The agent that would become too large if the tasks stay that the manifest does not name. */
function agentTooLarge(
  tasks: Provision['tasks'],
  staying: Provision['left']['tasks'],
): string | undefined {
  const wanted = Map.groupBy(tasks, ({ char_id }) => char_id)
  return [...Map.groupBy(staying, ({ char_id }) => char_id)].find(
    ([id, own]) => jsonBytes([...own, ...(wanted.get(id) ?? [])]) > tasksBytesAtMost,
  )?.[0]
}

function tooMany(message: string, pointer = '/agents'): Finding {
  return { severity: 'error', code: 'too_many_tasks', pointer, message }
}
