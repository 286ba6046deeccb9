import type { Brain } from '#src/agents/brain.ts'
import type { StoredTask, TaskInput } from '../task.ts'
import type { TaskTool } from '../tool.ts'
import type { SecretShelf } from '#src/agents/secrets/stored-secrets.ts'
import { secretPlacesOf, type SecretPlaces } from './secret-places.ts'
import { kindOfAny, targetsOf, usedBy } from './targets.ts'

/** An index of what the tasks of an agent guard and have, built once. */
export interface Guards {
  /** The tasks that restrict the agent, by each of their targets and uses: the strictest of each kind. */
  at: ReadonlyMap<string, readonly StoredTask[]>
  /** What tasks without a gate use. */
  open: ReadonlySet<string>
  /** Whether a task of the agent has this same tool; an enabled tool matches only an enabled one. */
  hasTool: (tool: TaskTool) => boolean
  /** The secrets that its tasks select. */
  secrets: ReadonlySet<string>
  /** Where the tasks send their secrets, and where these may go. */
  secretPlaces: SecretPlaces
}

/** Two tasks of each kind per target are enough: one of them may be the task in question. */
const ofOneKind = 2

/** Whether a task waits for an approval before it starts. */
export function hasGate({ approval_gate }: Pick<TaskInput, 'approval_gate'>): boolean {
  return approval_gate?.requires_approval === true
}

/** Whether its owner set the gate: a key that acts as the agent may have gated its own tasks. */
export function hasOwnersGate(task: StoredTask): boolean {
  return hasGate(task) && !(task.by_agent ?? []).includes('approval_gate')
}

/** How far its autonomy holds a task back: most where only a person starts it, less where one decides some of its calls. */
export function restraintOf({ autonomy }: Pick<TaskInput, 'autonomy'>): number {
  if (autonomy === 'manual') return 2
  return autonomy === 'supervised' ? 1 : 0
}

/** @param strictness rates how hard the gate of a task is to pass */
export function guardsOf(
  tasks: readonly StoredTask[],
  { brain, shelf }: { brain: Brain | null; shelf?: SecretShelf | undefined },
  strictness: (task: StoredTask) => number,
): Guards {
  const at = new Map<string, StoredTask[]>()
  const open = new Set<string>()
  const secrets = new Set<string>()
  // The strictest first, so that it comes first at each of its targets.
  const ranked = [...tasks].sort((a, b) => strictness(b) - strictness(a))
  for (const task of ranked) {
    const uses = usedBy(task, brain)
    if (!hasGate(task)) for (const one of uses) open.add(one)
    for (const name of task.selected_secrets) secrets.add(name)
    const isGated = hasOwnersGate(task)
    if (!isGated && restraintOf(task) === 0) continue
    const targets = [...targetsOf(task)]
    const kinds = targets.flatMap((one) => kindOfAny(one) ?? [])
    for (const one of new Set([...targets, ...kinds, ...uses])) put(at, one, task)
  }
  return {
    at,
    open,
    secrets,
    secretPlaces: { known: secretPlacesOf(tasks), shelf },
    hasTool: finderOfTools(tasks),
  }
}

/** Most tasks have no tools, so the index is built only when one has. */
function finderOfTools(tasks: readonly StoredTask[]): Guards['hasTool'] {
  let known: { all: Set<string>; on: Set<string> } | undefined
  return (tool) => {
    if (!known) {
      const tools = tasks.flatMap((task) => task.tools)
      const on = tools.filter(({ enabled }) => enabled).map(textOfTool)
      known = { all: new Set(tools.map(textOfTool)), on: new Set(on) }
    }
    return (tool.enabled ? known.on : known.all).has(textOfTool(tool))
  }
}

function put(at: Map<string, StoredTask[]>, target: string, task: StoredTask): void {
  const there = at.get(target)
  if (!there) {
    at.set(target, [task])
    return
  }
  const gated = there.filter(hasOwnersGate).length
  const alike = there.filter(({ autonomy }) => autonomy === task.autonomy).length
  const isNeeded =
    (hasOwnersGate(task) && gated < ofOneKind) || (restraintOf(task) > 0 && alike < ofOneKind)
  if (isNeeded) there.push(task)
}

/** A canonical text of a tool, the same whether it is on or off. */
function textOfTool(tool: TaskTool): string {
  return ordered({ ...tool, enabled: true })
}

/** JSON with sorted members: stores may return them in another order. */
function ordered(value: unknown): string {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value ?? null)
  if (Array.isArray(value)) return `[${value.map(ordered).join(',')}]`
  const members = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1))
  return `{${members.map(([name, member]) => `${JSON.stringify(name)}:${ordered(member)}`).join(',')}}`
}
