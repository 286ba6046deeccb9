import { triggersAtMost } from '#src/agents/tasks/trigger.ts'
import { noteAgent, type Inspection } from './inspection.ts'
import {
  agentNamed,
  firstItems,
  items,
  members,
  textOf,
  type AgentOutline,
  type Outline,
  type TaskOutline,
} from './outline.ts'

/** Checks the agents and tasks that an agent's tasks name, and whether shared output has a listener. */
export function noteTaskReferences(inspection: Inspection, agent: AgentOutline): void {
  for (const task of agent.tasks) {
    noteApprovers(inspection, task)
    noteSenders(inspection, task)
    noteSharing(inspection, agent, task)
  }
}

function noteApprovers(inspection: Inspection, { at, raw }: TaskOutline): void {
  const { approvers } = members(raw.approval_gate)
  const { approver_agent_ids, fallback_agent_id } = members(raw.quorum)
  for (const [i, named] of items(approvers).entries()) {
    noteAgent(inspection, named, `${at}/approval_gate/approvers/${i}`)
  }
  for (const [i, named] of items(approver_agent_ids).entries()) {
    noteAgent(inspection, named, `${at}/quorum/approver_agent_ids/${i}`)
  }
  noteAgent(inspection, fallback_agent_id, `${at}/quorum/fallback_agent_id`)
}

function noteSenders(inspection: Inspection, { at, raw }: TaskOutline): void {
  for (const [i, trigger] of items(raw.triggers).entries()) {
    const { type, config } = members(trigger)
    if (type !== 'message') continue
    const pointer = `${at}/triggers/${i}/config/from_agent_id`
    noteAgent(inspection, members(config).from_agent_id, pointer)
  }
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
  if (!receiver) noteAgent(inspection, named, `${at}/target_agent_id`)
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
