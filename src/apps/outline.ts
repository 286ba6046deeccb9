import { tasksAtMost } from '#src/agents/heart.ts'
import { firstItems, members, textOf } from '#src/core/input/loose.ts'
import { agentsAtMost } from './manifest.ts'

/** A task of a manifest as far as it can be read, and where it is. */
export interface TaskOutline {
  at: string
  taskId: string | undefined
  name: string | undefined
  raw: Readonly<Record<string, unknown>>
}

/** An agent of a manifest as far as it can be read, and where it is. */
export interface AgentOutline {
  at: string
  raw: Readonly<Record<string, unknown>>
  localId: string | undefined
  /** Given, or built from the app's id and the local id. */
  id: string | undefined
  tasks: TaskOutline[]
}

/** What references in a manifest can point at, read from unvalidated input. */
export interface Outline {
  raw: Readonly<Record<string, unknown>>
  agents: AgentOutline[]
  localIds: ReadonlyMap<string, AgentOutline>
  ids: ReadonlyMap<string, AgentOutline>
}

/** Reads the outline of a manifest that may be wrong anywhere. Of duplicates the first counts. */
export function outlineOf(sent: unknown): Outline {
  const raw = members(sent)
  const appId = textOf(raw.app_id)
  const agents = firstItems(raw.agents, agentsAtMost).map((agent, i) =>
    agentOutline(members(agent), i, appId),
  )
  return {
    raw,
    agents,
    localIds: firstBy(agents, (agent) => agent.localId),
    ids: firstBy(agents, (agent) => agent.id),
  }
}

function agentOutline(
  raw: Readonly<Record<string, unknown>>,
  position: number,
  appId: string | undefined,
): AgentOutline {
  const at = `/agents/${position}`
  const localId = textOf(raw.local_id)
  const made = appId && localId ? `${appId}--${localId}` : undefined
  const sent = firstItems(members(raw.heart).tasks, tasksAtMost)
  const tasks = sent.map((task, i): TaskOutline => {
    const raw = members(task)
    const [taskId, name] = [textOf(raw.task_id), textOf(raw.name)]
    return { at: `${at}/heart/tasks/${i}`, taskId, name, raw }
  })
  return { at, raw, localId, id: textOf(raw.id) ?? made, tasks }
}

function firstBy<T>(all: readonly T[], keyOf: (item: T) => string | undefined): Map<string, T> {
  const first = new Map<string, T>()
  for (const item of all) {
    const key = keyOf(item)
    if (key !== undefined && !first.has(key)) first.set(key, item)
  }
  return first
}

/** The agent that a text names: by its local id first, else by its id. */
export function agentNamed(outline: Outline, named: string): AgentOutline | undefined {
  return outline.localIds.get(named) ?? outline.ids.get(named)
}
