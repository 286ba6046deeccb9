import type { Reach } from '#src/agents/access.ts'
import { resolveAgent, type AppAgent } from '#src/agents/app/app.ts'
import type { Control } from '#src/agents/control.ts'
import { Notices, type Notice } from '../notices.ts'
import type { TaskInput } from '../task.ts'
import { lookedUp, type Asked, type Known } from './look-up.ts'
import { noteNamed, type View } from './note.ts'
import { referencesOf, type References } from './references.ts'

/** The agent whose tasks are written. */
export interface Holder {
  charId: string
  appId: string | null
  control: Control | null
  /** All of its tasks, where all are written; otherwise those that are stored count. */
  tasks?: readonly { task_id: string | null; name: string }[]
}

/** A task that is written, and its pointer. */
export interface Written {
  task: TaskInput
  at: string
}

/** Warnings about what the tasks of an agent name and what does not exist, or cannot be reached. */
export async function referenceWarnings(
  reach: Reach,
  holder: Holder,
  written: readonly Written[],
): Promise<Notice[]> {
  const all = written.map(({ task, at }) => referencesOf(task, at)).filter(namesAny)
  if (all.length === 0) return []
  const app = holder.appId === null ? undefined : await reach.store.apps.get(holder.appId)
  const members = app?.agents ?? []
  const known = await lookedUp(reach, [askedBy(holder, all, members)])
  const steps = await stepsOf(reach, holder, all)
  const view = viewOf(holder, members, known, steps)
  const notices = new Notices(() => undefined)
  for (const one of all) noteNamed({ warnings: notices, errors: notices }, one, view)
  return notices.all
}

function namesAny({ agents, secrets, connections, entry, deciders }: References): boolean {
  const lists = agents.length + secrets.length + connections.length + deciders.length
  return lists > 0 || entry !== undefined
}

function askedBy(
  { charId }: Holder,
  all: readonly References[],
  members: readonly AppAgent[],
): Asked {
  const agents = all.flatMap(({ agents, connections }) => [
    ...agents.map(({ named, role, task }) => ({
      id: resolveAgent(named, members),
      role,
      taskId: task?.named,
    })),
    ...connections.map(({ named }) => ({
      id: resolveAgent(named, members),
      role: 'sender' as const,
    })),
  ])
  return { charId, agents, secrets: all.some(({ secrets }) => secrets.length > 0) }
}

/** The ids and names of the tasks of the agent, where one of them is to be the first step of a workflow. */
async function stepsOf(
  { store }: Reach,
  { charId, tasks }: Holder,
  all: readonly References[],
): Promise<ReadonlySet<string>> {
  if (all.every(({ entry }) => entry === undefined)) return new Set()
  if (tasks) return new Set(tasks.flatMap(({ task_id, name }) => [task_id ?? '', name]))
  const rows = await store.tasks.pick(['task_id', 'name'], { char_id: charId })
  return new Set(rows.flat().map(String))
}

function viewOf(
  { charId, control, tasks }: Holder,
  members: readonly AppAgent[],
  known: Known,
  steps: ReadonlySet<string>,
): View {
  const channels = new Set(control?.channels.map(({ name }) => name))
  const idOf = (named: string): string => resolveAgent(named, members)
  return {
    isSelf: (named) => idOf(named) === charId,
    isOwn: (named) => idOf(named) === charId || known.isOwn(idOf(named)),
    isHeld: known.isHeld,
    // A new agent names itself before it is stored.
    standing: (named, role) =>
      idOf(named) === charId ? 'reached' : known.standing(charId, idOf(named), role),
    hasTask(named, taskId) {
      const id = idOf(named)
      if (id === charId && tasks) return tasks.some(({ task_id }) => task_id === taskId)
      return known.hasTask(id, taskId)
    },
    hasStep: (entry) => steps.has(entry),
    hasSecret: (name) => known.hasSecret(charId, name),
    hasChannel: (name) => channels.has(name),
    agents: [...members.flatMap(({ local_id }) => local_id), ...known.own],
  }
}
