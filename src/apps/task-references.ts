import { isCharacterId } from '#src/agents/name.ts'
import type { Asked } from '#src/agents/tasks/references/look-up.ts'
import { noteNamed, type View } from '#src/agents/tasks/references/note.ts'
import { asksPersons, referencesOf } from '#src/agents/tasks/references/references.ts'
import { triggersAtMost } from '#src/agents/tasks/trigger.ts'
import { firstItems, items, members, textOf } from '#src/core/input/loose.ts'
import { textsAtMost } from '#src/core/schema-parts.ts'
import type { Inspection } from './inspection.ts'
import { agentNamed, type AgentOutline, type Outline, type TaskOutline } from './outline.ts'

/** Checks what an agent's tasks name, and whether shared output has a listener. */
export function noteTaskReferences(inspection: Inspection, agent: AgentOutline): void {
  const view = viewOf(inspection, agent)
  for (const task of agent.tasks) {
    noteNamed(inspection, referencesOf(task.raw, task.at), view)
    noteSharing(inspection, agent, task)
  }
}

/** What the tasks of a manifest's agents name outside of it. */
export function askedOf(outline: Outline): Asked[] {
  return outline.agents.map((agent) => {
    const all = agent.tasks.map(({ raw, at }) => referencesOf(raw, at))
    const named = all.flatMap(({ agents, connections }) => [
      ...agents.map(({ named, role, task }) => ({ id: named, role, taskId: task?.named })),
      ...connections.map(({ named }) => ({ id: named, role: 'sender' as const })),
    ])
    return {
      charId: agent.id ?? '',
      agents: named.filter(({ id }) => isCharacterId(id) && !agentNamed(outline, id)),
      secrets: all.some(({ secrets }) => secrets.length > 0),
      persons: all.some(asksPersons),
    }
  })
}

function viewOf({ outline, known }: Inspection, agent: AgentOutline): View {
  const charId = agent.id ?? ''
  const secrets = secretsFor(outline, agent)
  const channels = items(members(agent.raw.control).channels).map((one) => members(one).name)
  const names = new Set(channels)
  const steps = new Set(agent.tasks.flatMap(({ taskId, name }) => [taskId, name]))
  return {
    isSelf: (named) => agentNamed(outline, named) === agent,
    isOwn: (named) => agentNamed(outline, named) !== undefined || known.isOwn(named),
    persons: known.persons,
    standing: (named, role) =>
      agentNamed(outline, named) ? 'reached' : known.standing(charId, named, role),
    hasTask(named, taskId, role) {
      const inside = agentNamed(outline, named)
      if (!inside) return known.hasTask(named, taskId)
      // Of output that is shared within the manifest more is said.
      return role === 'receiver' ? undefined : inside.tasks.some((one) => one.taskId === taskId)
    },
    hasStep: (entry) => steps.has(entry),
    hasOther: (raw) =>
      agent.tasks.some(
        (one) => one.raw !== raw && one.raw.enabled !== false && one.raw.autonomy !== 'manual',
      ),
    hasSecret: (name) => secrets.has(name) || known.hasSecret(charId, name),
    hasChannel: (name) => names.has(name),
    agents: [...outline.localIds.keys(), ...known.own],
  }
}

/** The names of the secrets that the manifest asks for an agent. */
function secretsFor({ raw }: Outline, { localId, id }: AgentOutline): ReadonlySet<unknown> {
  const asked = firstItems(raw.secrets, textsAtMost).map(members)
  const own = asked.filter(({ agents }) => {
    const named = items(agents)
    return named.length === 0 || named.includes(localId) || named.includes(id)
  })
  return new Set(own.map(({ name }) => name))
}

function noteSharing(
  inspection: Inspection,
  sender: AgentOutline,
  { at: taskAt, raw }: TaskOutline,
): void {
  const sharing = members(raw.output_sharing)
  const named = textOf(sharing.target_agent_id)
  if (sharing.enabled !== true || named === undefined) return
  const at = `${taskAt}/output_sharing`
  const receiver = agentNamed(inspection.outline, named)
  const target = textOf(sharing.target_task_id)
  if (target !== undefined) {
    if (receiver) noteTarget(inspection, receiver, target, `${at}/target_task_id`)
    return
  }
  const isHeard = receiver
    ? hears(inspection.outline, receiver, sender)
    : sender.id === undefined || !inspection.isUnheard({ from: sender.id, to: named })
  if (isHeard) return
  const message =
    `"${named}" has no enabled task with a message trigger for this sender, ` +
    'so the result goes to its inbox and nothing runs.'
  inspection.warnings.add('share_target_has_no_listener', `${at}/target_agent_id`, message)
}

function noteTarget(
  { errors }: Inspection,
  receiver: AgentOutline,
  target: string,
  pointer: string,
): void {
  if (errors.isFull || receiver.tasks.some((task) => task.taskId === target)) return
  const ids = receiver.tasks.flatMap((task) => task.taskId ?? [])
  const unnamed = receiver.tasks.some((task) => task.taskId === undefined && task.name === target)
  const hint = unnamed ? ': the task of this name needs a task_id to be a target' : ''
  const message = `The receiving agent has no task with the task_id "${target.slice(0, 100)}"${hint}`
  errors.add('unknown_task', pointer, message, errors.suggest(target, ids))
}

/** The senders that start a task of an agent: all, or these. */
interface Ears {
  anySender: boolean
  senders: ReadonlySet<AgentOutline>
}

// Many tasks share with one agent; its triggers are read once.
const earsOf = new WeakMap<AgentOutline, Ears>()

/** Whether a message from this sender starts a task of the receiver. */
function hears(outline: Outline, receiver: AgentOutline, sender: AgentOutline): boolean {
  const ears = earsOf.get(receiver) ?? readEars(outline, receiver)
  earsOf.set(receiver, ears)
  return ears.anySender || ears.senders.has(sender)
}

function readEars(outline: Outline, { tasks }: AgentOutline): Ears {
  const senders = new Set<AgentOutline>()
  let anySender = false
  for (const { raw } of tasks) {
    if (raw.enabled === false || raw.autonomy === 'manual') continue
    for (const item of firstItems(raw.triggers, triggersAtMost)) {
      const { type, enabled, config } = members(item)
      if (type !== 'message' || enabled === false) continue
      const from = textOf(members(config).from_agent_id)
      const named = from === undefined ? undefined : agentNamed(outline, from)
      if (from === undefined) anySender = true
      else if (named) senders.add(named)
    }
  }
  return { anySender, senders }
}
