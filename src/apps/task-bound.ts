import { jsonBytes, tasksBytesAtMost } from '#src/agents/tasks/admit-bytes.ts'
import type { Finding } from './check.ts'
import { agentsAtMost } from './manifest.ts'
import { sizeSteps } from '#src/core/counts/size-steps.ts'
import type { Steps } from '#src/core/turns/portions.ts'
import { firstItems, items, members } from '#src/core/input/loose.ts'
import type { Provision, Standing } from './plan.ts'

/** How many tasks the agents of an app may have in all: they are read, compared and written together. */
export const tasksOfAppAtMost = 1000

/** Whether a manifest has too many of something; then nothing else of it is checked. */
export function* tooManySteps(raw: unknown): Steps<Finding[]> {
  const agents = firstItems(members(raw).agents, agentsAtMost)
  const count = agents.reduce<number>(
    (sum, agent) => sum + items(members(members(agent).heart).tasks).length,
    0,
  )
  if (count > tasksOfAppAtMost) {
    const message = `An app has ${tasksOfAppAtMost} tasks at most, and this manifest names ${count}`
    return [tooMany(message)]
  }
  const findings: Finding[] = []
  for (const [i, agent] of agents.entries()) {
    let bytes = 0
    for (const task of items(members(members(agent).heart).tasks)) {
      bytes += yield* sizeSteps(task, (text) => Buffer.byteLength(text))
      yield
    }
    if (bytes <= tasksBytesAtMost) continue
    const message = `The tasks of one agent hold ${tasksBytesAtMost} bytes together at most`
    findings.push(tooMany(message, `/agents/${i}/heart/tasks`))
  }
  return findings
}

/** What the manifest no longer names stays without `prune`, and counts. */
export function* tooManyLeftSteps(
  { tasks, left }: Pick<Provision, 'tasks' | 'left'>,
  standing: Pick<Standing, 'tasks'>,
  prune: boolean,
): Steps<Finding[]> {
  if (prune) return []
  const large = yield* tooLargeSteps(tasks, left.tasks)
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
function* tooLargeSteps(
  tasks: Provision['tasks'],
  staying: Provision['left']['tasks'],
): Steps<string | undefined> {
  const wanted = Map.groupBy(tasks, ({ char_id }) => char_id)
  for (const [id, own] of Map.groupBy(staying, ({ char_id }) => char_id)) {
    let bytes = 0
    for (const task of [...own, ...(wanted.get(id) ?? [])]) {
      bytes += jsonBytes([task])
      yield
    }
    if (bytes > tasksBytesAtMost) return id
  }
  return undefined
}

function tooMany(message: string, pointer = '/agents'): Finding {
  return { severity: 'error', code: 'too_many_tasks', pointer, message }
}
