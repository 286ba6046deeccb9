import { unknownAgentWords } from '#src/agents/access.ts'
import { isCharacterId } from '#src/agents/name.ts'
import { unknownTaskWords } from '../access.ts'
import { call } from '#src/core/words/reference.ts'
import type { Notices } from '../notices.ts'
import type { Deciders, NamedAgent, References, Role } from './references.ts'

/** Whether a named agent exists, and may be reached as what it is named. */
export type Standing = 'reached' | 'unreached' | 'missing'

/** What is around an agent whose tasks name things. */
export interface View {
  isSelf(named: string): boolean
  /** Whether it is an agent of the account that writes. */
  isOwn(named: string): boolean
  /** How many persons may decide for that account, counted where several are asked; 0 if no one holds it. */
  persons: number
  standing(named: string, role: Role): Standing
  /** Whether an agent has a task; undefined where that is not known, or not for the caller to know. */
  hasTask(named: string, taskId: string, role: Role): boolean | undefined
  /** Whether a text is the id or the name of a task of the agent itself. */
  hasStep(entry: string): boolean
  /** Whether the agent has a task that this one, as it was sent, may start as a step. */
  hasOther(raw: Readonly<Record<string, unknown>>): boolean
  hasSecret(name: string): boolean
  /** Whether a text is the name of a channel of the agent. */
  hasChannel(name: string): boolean
  /** Names of agents that may have been meant. */
  agents: Iterable<string>
}

/** Where what is found goes. */
export interface Findings {
  warnings: Notices
  /** Takes what can never work; the warnings too, where nothing is refused. */
  errors: Notices
}

const cut = (text: string): string => text.slice(0, 100)

/** Notes what a task names and what does not exist, or cannot be reached. */
export function noteNamed(findings: Findings, references: References, view: View): void {
  const { warnings } = findings
  for (const one of references.agents) noteAgent(findings, one, view)
  for (const { named, pointer } of references.connections) {
    if (warnings.isFull) return
    if (view.hasChannel(named) || view.standing(named, 'sender') !== 'missing') continue
    const message = `"${cut(named)}" is no agent and no channel of this agent: it opens no connection.`
    warnings.add('unknown_connection', pointer, message, warnings.suggest(named, view.agents))
  }
  for (const { named, pointer } of references.secrets) {
    if (view.hasSecret(named)) continue
    const message = `The agent has no secret "${cut(named)}": ${call('characters.secrets.update')} sets it.`
    warnings.add('unknown_secret', pointer, message)
  }
  const { entry } = references
  if (entry && !view.hasStep(entry.named)) {
    const message = `Runs fail: no task of the agent has the task_id or name "${cut(entry.named)}".`
    warnings.add('unknown_step', entry.pointer, message)
  }
  const { starter } = references
  if (starter && !view.hasOther(starter.raw)) {
    const message = 'Runs fail: the agent has no other enabled task that could be a step.'
    warnings.add('runtime_incomplete', starter.pointer, message)
  }
  for (const one of references.deciders) {
    const { approvers, pointer } = one
    if (one.needsPerson) {
      notePersons(warnings, one, view)
      continue
    }
    if (!approvers.every((named) => view.isSelf(named))) continue
    const message =
      'The agent alone approves what it does itself; name another agent among the approvers to have it checked.'
    warnings.add('approves_itself', pointer, message)
  }
}

/** Notes where no person, or too few, could decide. Of other accounts it is not known who holds them. */
function notePersons(
  warnings: Notices,
  { approvers, at, needed: many }: Deciders,
  view: View,
): void {
  if (!approvers.every((named) => view.isOwn(named))) return
  if (view.persons === 0) {
    const message =
      'No person holds the account yet, so no one can decide: a person takes it over at its claim_url, which <agent_claim.create> has given.'
    warnings.add('no_person', `${at}/require_person`, message)
  }
  // Each decides as another of the agents that are asked; without any it is the agent itself.
  const most = Math.min(Math.max(1, new Set(approvers).size), Math.max(1, view.persons))
  if (many > most) {
    const who = most === 1 ? 'one may' : `${most} may`
    const message = `It needs ${many} persons, and ${who} decide for the agents that are asked: its runs fail.`
    warnings.add('approval_unreachable', `${at}/min_approvals`, message)
  }
}

const needed: Readonly<Record<Role, string>> = {
  receiver: 'run_task',
  tool: 'run_task',
  approver: 'approve',
  fallback: 'approve',
  sender: 'message',
}

/** The permission that an agent of another account must have given for what it is named as. */
export function permissionFor(role: Role): string {
  return needed[role]
}

function noteAgent(findings: Findings, agent: NamedAgent, view: View): void {
  const { warnings } = findings
  if (warnings.isFull) return
  const { named, pointer, role, task } = agent
  const standing = view.standing(named, role)
  if (standing === 'missing') return noteMissing(findings, agent, view)
  if (standing === 'unreached') {
    const message =
      `"${cut(named)}" belongs to another account, and no accepted friendship with the permission ` +
      `"${permissionFor(role)}" leads there: ${call('friends.request')} asks for one.`
    warnings.add('agent_not_reached', pointer, message)
  } else if (task && view.hasTask(named, task.named, role) === false) {
    const message = unknownTaskWords(cut(named), cut(task.named))
    warnings.add('unknown_task', task.pointer, message)
  }
}

function noteMissing(
  { warnings, errors }: Findings,
  { named, pointer }: NamedAgent,
  view: View,
): void {
  const meant = warnings.suggest(named, view.agents)
  if (isCharacterId(named)) {
    warnings.add('unknown_agent', pointer, unknownAgentWords(named), meant)
  } else {
    const message = `"${cut(named)}" is no agent, and cannot be the id of one`
    errors.add('unknown_agent', pointer, message, meant)
  }
}
