import type { Reach } from '#src/agents/access.ts'
import { resolveAgent, type AppAgent } from '#src/agents/app/app.ts'
import type { Control } from '#src/agents/control.ts'
import { Notices, type Notice } from '../notices.ts'
import type { TaskInput } from '../task.ts'
import { lookedUp, type Asked, type Known } from './look-up.ts'
import { noteNamed, type View } from './note.ts'
import { asksPersons, referencesOf, type References } from './references.ts'

/** The agent whose tasks are written. */
export interface Holder {
  charId: string
  appId: string | null
  control: Control | null
  /** All of its tasks, where all are written; otherwise those that are stored count. */
  tasks?: readonly Step[]
}

/** What of a task says whether others of its agent may start it. */
type Step = Pick<TaskInput, 'task_id' | 'name' | 'enabled' | 'autonomy'>

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

function namesAny(references: References): boolean {
  const { agents, secrets, connections, deciders } = references
  const lists = agents.length + secrets.length + connections.length + deciders.length
  return lists > 0 || namesStep(references)
}

function namesStep({ entry, starter }: References): boolean {
  return entry !== undefined || starter !== undefined
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
  const secrets = all.some((one) => one.secrets.length > 0)
  return { charId, agents, secrets, persons: all.some(asksPersons) }
}

/** The tasks of the agent, where one of them starts others of them. */
async function stepsOf(
  { store }: Reach,
  { charId, tasks }: Holder,
  all: readonly References[],
): Promise<readonly Step[]> {
  if (!all.some(namesStep)) return []
  if (tasks) return tasks
  const members = ['task_id', 'name', 'enabled', 'autonomy'] as const
  const rows = await store.tasks.pick(members, { char_id: charId })
  return rows.map(([task_id, name, enabled, autonomy]) => ({
    task_id: String(task_id),
    name: String(name),
    enabled: enabled === 1,
    autonomy: typeof autonomy === 'string' ? autonomy : null,
  }))
}

function viewOf(
  { charId, control, tasks }: Holder,
  members: readonly AppAgent[],
  known: Known,
  steps: readonly Step[],
): View {
  const channels = new Set(control?.channels.map(({ name }) => name))
  const idOf = (named: string): string => resolveAgent(named, members)
  return {
    isSelf: (named) => idOf(named) === charId,
    isOwn: (named) => idOf(named) === charId || known.isOwn(idOf(named)),
    persons: known.persons,
    // A new agent names itself before it is stored.
    standing: (named, role) =>
      idOf(named) === charId ? 'reached' : known.standing(charId, idOf(named), role),
    hasTask(named, taskId) {
      const id = idOf(named)
      if (id === charId && tasks) return tasks.some(({ task_id }) => task_id === taskId)
      return known.hasTask(id, taskId)
    },
    hasStep: (entry) => steps.some(({ task_id, name }) => task_id === entry || name === entry),
    hasOther: ({ task_id, name }) =>
      steps.some((step) => {
        // A task that is new has no id yet.
        const isSelf = task_id ? step.task_id === task_id : step.name === name
        return !isSelf && step.enabled && step.autonomy !== 'manual'
      }),
    hasSecret: (name) => known.hasSecret(charId, name),
    hasChannel: (name) => channels.has(name),
    agents: [...members.flatMap(({ local_id }) => local_id), ...known.own],
  }
}
