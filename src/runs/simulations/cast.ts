import { taskAt } from '#src/agents/tasks/of-run.ts'
import { agentOf } from '#src/agents/app/agent-reference.ts'
import type { StoredCharacter } from '#src/agents/character.ts'
import { isLetIn, mayDo } from '#src/agents/friends/permission.ts'
import { isSelected } from '../output/handoff-input.ts'
import type { Ports } from '#src/core/context.ts'
import { listeners, messagedTasks } from '../triggers/listens.ts'
import { isByAgent } from '#src/agents/tasks/policy/provenance.ts'
import type { StoredTask } from '#src/agents/tasks/task.ts'
import type { handoffReasons, SimulatedHandoff } from './answer.ts'

type Reason = (typeof handoffReasons)[number]

/** What a result of a task comes to at one receiver, whenever it is handed on. */
export interface Passing {
  to: SimulatedHandoff['to']
  outcome: SimulatedHandoff['outcome']
  reason: Reason | null
  /** The task that runs, or would if it were not skipped. */
  task: StoredTask | undefined
}

type Needed = Pick<Ports, 'store' | 'clock'>

/** The agents and tasks that results are handed to, each read once. */
export class Cast {
  readonly #ports: Needed
  readonly #passings = new Map<string, Promise<Passing[]>>()
  readonly #agents = new Map<string, Promise<StoredCharacter | undefined>>()
  readonly #tasks = new Map<string, Promise<StoredTask[]>>()

  constructor(ports: Needed) {
    this.#ports = ports
  }

  /** Whom the result of a task is handed to; empty where it is not shared. */
  passingsOf(task: StoredTask): Promise<Passing[]> {
    const known = this.#passings.get(task.id) ?? this.#look(task)
    this.#passings.set(task.id, known)
    return known
  }

  async #look(task: StoredTask): Promise<Passing[]> {
    const sharing = task.output_sharing
    if (!sharing?.enabled || !sharing.target_agent_id) return []
    const named = sharing.target_agent_id
    const target = await agentOf(this.#ports.store, task.app_id, named)
    const task_id = sharing.target_task_id || null
    const dropped = (reason: Reason): Passing[] => [
      { to: { char_id: target, task_id }, outcome: 'dropped', reason, task: undefined },
    ]
    if (!isSelected(task.selected_connections, [named, target])) return dropped('not_selected')
    const receiver = await this.#agent(target)
    if (!receiver) return dropped('no_such_agent')
    const giver = { id: task.char_id, owner_id: task.owner_id }
    const isSibling = receiver.owner_id === task.owner_id && isByAgent(task, 'output_sharing')
    const starts = !isSibling || (await isLetIn(this.#ports.store, giver, receiver, 'run_task'))
    const isOpen = await mayDo(this.#ports.store, giver, receiver, 'run_task')
    if (!isOpen || (task_id !== null && !starts)) return dropped('not_friends')
    if (task_id !== null) {
      const only = await taskAt(this.#ports.store, target, task_id)
      return only ? [passingTo(only)] : dropped('no_such_task')
    }
    const listening = starts ? await this.#listeners(target, task.char_id) : []
    if (listening.length > 0) return listening.map(passingTo)
    const to = { char_id: target, task_id: null }
    const reason = starts ? 'no_listener' : 'not_friends'
    return [{ to, outcome: 'inbox', reason, task: undefined }]
  }

  async #listeners(charId: string, from: string): Promise<StoredTask[]> {
    const known = this.#tasks.get(charId) ?? messagedTasks(this.#ports, charId)
    this.#tasks.set(charId, known)
    return listeners(this.#ports.store, await known, from)
  }

  #agent(id: string): Promise<StoredCharacter | undefined> {
    const known = this.#agents.get(id) ?? this.#ports.store.characters.get(id)
    this.#agents.set(id, known)
    return known
  }
}

function passingTo(task: StoredTask): Passing {
  const to = { char_id: task.char_id, task_id: task.task_id }
  if (!task.enabled) return { to, outcome: 'skipped', reason: 'task_disabled', task }
  if (task.autonomy === 'manual') return { to, outcome: 'skipped', reason: 'autonomy_manual', task }
  return { to, outcome: 'run', reason: null, task }
}
