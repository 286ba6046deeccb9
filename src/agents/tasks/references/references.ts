import { firstItems, items, members, textOf } from '#src/core/input/loose.ts'
import { textsAtMost } from '#src/core/schema-parts.ts'

/** What a task names another agent as. */
export type Role = 'receiver' | 'tool' | 'approver' | 'fallback' | 'sender'

/** A name in a task, and where it stands. */
export interface Named {
  named: string
  pointer: string
}

/** An agent that a task names, with the task of it where it names one. */
export interface NamedAgent extends Named {
  role: Role
  task?: Named
}

/** The agents whose votes alone decide; none stands for the agent itself. */
export interface Deciders {
  approvers: readonly string[]
  /** Of the list. */
  pointer: string
  /** Of the gate or the quorum. */
  at: string
  /** Whether only a person may vote as them, and how many must. */
  needsPerson: boolean
  needed: number
}

/** Everything that a task names and that must exist elsewhere. */
export interface References {
  agents: readonly NamedAgent[]
  secrets: readonly Named[]
  connections: readonly Named[]
  /** The first step of a workflow. */
  entry: Named | undefined
  /** Of a task that starts others of its agent without naming one: where its runtime stands, and itself. */
  starter: { pointer: string; raw: Readonly<Record<string, unknown>> } | undefined
  deciders: readonly Deciders[]
}

/** Whether several persons must decide. */
export function asksPersons({ deciders }: Pick<References, 'deciders'>): boolean {
  return deciders.some(({ needsPerson, needed }) => needsPerson && needed > 1)
}

/** What a task names, read from input that may be wrong anywhere. @param at the pointer of the task */
export function referencesOf(raw: Readonly<Record<string, unknown>>, at: string): References {
  const entry = raw.runtime === 'workflow' ? textOf(raw.workflow_entry) : undefined
  return {
    agents: [...approvers(raw, at), ...senders(raw, at), ...receivers(raw, at), ...tools(raw, at)],
    secrets: texts(raw.selected_secrets, `${at}/selected_secrets`),
    connections: texts(raw.selected_connections, `${at}/selected_connections`),
    entry: entry === undefined ? undefined : { named: entry, pointer: `${at}/workflow_entry` },
    starter: startsAny(raw, entry) ? { pointer: `${at}/runtime`, raw } : undefined,
    deciders: deciders(raw, at),
  }
}

function startsAny({ runtime }: Readonly<Record<string, unknown>>, entry?: string): boolean {
  return runtime === 'router' || (runtime === 'workflow' && entry === undefined)
}

function texts(list: unknown, at: string): Named[] {
  return firstItems(list, textsAtMost).flatMap((one, i) => named(one, `${at}/${i}`))
}

function named(value: unknown, pointer: string): Named[] {
  const text = textOf(value)
  return text === undefined ? [] : [{ named: text, pointer }]
}

function as(role: Role, all: readonly Named[]): NamedAgent[] {
  return all.map((one) => ({ ...one, role }))
}

function approvers(raw: Readonly<Record<string, unknown>>, at: string): NamedAgent[] {
  const quorum = members(raw.quorum)
  const gate = members(raw.approval_gate)
  return [
    ...as('approver', texts(gate.approvers, `${at}/approval_gate/approvers`)),
    ...as('approver', texts(quorum.approver_agent_ids, `${at}/quorum/approver_agent_ids`)),
    ...as('fallback', named(quorum.fallback_agent_id, `${at}/quorum/fallback_agent_id`)),
  ]
}

function deciders(raw: Readonly<Record<string, unknown>>, at: string): Deciders[] {
  const gate = members(raw.approval_gate)
  const quorum = members(raw.quorum)
  const listed = (list: unknown): string[] => items(list).flatMap((one) => textOf(one) ?? [])
  const found: Deciders[] = []
  const add = (place: string, held: Readonly<Record<string, unknown>>, list: string): void => {
    const { require_person, min_approvals, [list]: approvers } = held
    found.push({
      approvers: listed(approvers),
      pointer: `${place}/${list}`,
      at: place,
      needsPerson: require_person === true,
      needed: typeof min_approvals === 'number' ? min_approvals : 1,
    })
  }
  if (gate.requires_approval === true) {
    add(`${at}/approval_gate`, gate, 'approvers')
  }
  const votes = listed(quorum.approver_agent_ids)
  if (raw.runtime === 'human_approval' && votes.length > 0) {
    add(`${at}/quorum`, quorum, 'approver_agent_ids')
  }
  return found
}

function senders(raw: Readonly<Record<string, unknown>>, at: string): NamedAgent[] {
  return items(raw.triggers).flatMap((trigger, i) => {
    const { type, config } = members(trigger)
    const pointer = `${at}/triggers/${i}/config/from_agent_id`
    return type === 'message' ? as('sender', named(members(config).from_agent_id, pointer)) : []
  })
}

function receivers(raw: Readonly<Record<string, unknown>>, at: string): NamedAgent[] {
  const sharing = members(raw.output_sharing)
  if (sharing.enabled !== true) return []
  const [task] = named(sharing.target_task_id, `${at}/output_sharing/target_task_id`)
  const agents = named(sharing.target_agent_id, `${at}/output_sharing/target_agent_id`)
  return agents.map((one) => ({ ...one, role: 'receiver', ...(task && { task }) }))
}

function tools(raw: Readonly<Record<string, unknown>>, at: string): NamedAgent[] {
  return items(raw.tools).flatMap((tool, i): NamedAgent[] => {
    const { type, config } = members(tool)
    if (type !== 'agent') return []
    const own = members(config)
    const place = `${at}/tools/${i}/config`
    const [agent] = eitherOf(own, ['agent_id', 'target_agent_id'], place)
    const [task] = eitherOf(own, ['task_id', 'target_task_id'], place)
    return agent ? [{ ...agent, role: 'tool', ...(task && { task }) }] : []
  })
}

/** The first of two names of a member that is there. */
function eitherOf(
  holder: Readonly<Record<string, unknown>>,
  names: readonly [string, string],
  at: string,
): Named[] {
  return names.flatMap((name) => named(holder[name], `${at}/${name}`))
}
