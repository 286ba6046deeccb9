import { agentOf } from '#src/agents/app/agent-reference.ts'
import type { StoredCharacter } from '#src/agents/character.ts'
import { depthAtMost, roomFor, runsARoot } from '#src/runs/ending/handoff.ts'
import { isLetIn, mayDo } from '#src/agents/friends/permission.ts'
import { isSelected } from '#src/runs/output/handoff-input.ts'
import type { StoredRun } from '#src/runs/run.ts'
import type { Work } from '#src/runs/runtimes/runtime.ts'
import { isByAgent } from '#src/agents/tasks/policy/provenance.ts'
import { unknownAgentWords } from '#src/agents/access.ts'
import { ToolFault } from '../tool.ts'

/**
 * Another agent that a run may do this to: one of its own account, or an accepted friend with the
 * permission; among the task's selected connections where it selects some.
 * @throws ToolFault
 */
export async function reached(
  { ports, run, task }: Work,
  named: string,
  permission: 'message' | 'run_task',
): Promise<StoredCharacter> {
  const id = await agentOf(ports.store, run.app_id, named)
  if (!isSelected(task.selected_connections, [named, id])) {
    throw new ToolFault(`This task may not reach "${named}".`)
  }
  const agent = await ports.store.characters.get(id)
  if (!agent) throw new ToolFault(unknownAgentWords(named))
  const self = { id: run.char_id, owner_id: run.owner_id }
  if (await mayDo(ports.store, self, agent, permission)) return agent
  throw new ToolFault(`"${named}" is no accepted friend with the permission ${permission}.`)
}

/** What tells a model what to do. */
const words = ['prompt', 'variables'] as const

/**
 * Whether what a run says may start tasks of that agent. Where a key that acts as its own agent has
 * told it what to say, agents of its account too are only started over a friendship.
 */
export async function mayStart(
  { ports, run, task }: Work,
  receiver: Pick<StoredCharacter, 'id' | 'owner_id'>,
): Promise<boolean> {
  if (receiver.owner_id !== run.owner_id) return true
  const isTold = words.some((member) => isByAgent(task, member))
  if (!isTold && !isBegunByAgent(run) && !(await isBegunByRoot(ports.store, run))) return true
  return isLetIn(ports.store, { id: run.char_id }, receiver, 'run_task')
}

/** Whether a key or a program that acts as the agent of a run has begun it. */
function isBegunByAgent({ trigger, char_id }: Pick<StoredRun, 'trigger' | 'char_id'>): boolean {
  const { key_id, connection_id, char_id: as } = trigger.caller ?? {}
  return (key_id ?? connection_id) !== undefined && as === char_id
}

async function isBegunByRoot(
  { runs }: Work['ports']['store'],
  { id, root_run_id }: StoredRun,
): Promise<boolean> {
  const root = root_run_id === id ? undefined : await runs.get(root_run_id)
  return root !== undefined && isBegunByAgent(root)
}

/** How many runs this one may still set off. @throws ToolFault where it may none */
export async function roomLeft({ ports, run }: Work): Promise<number> {
  if (run.depth + 1 > depthAtMost) {
    throw new ToolFault(`The chain of runs is ${depthAtMost} deep: nothing more is set off.`)
  }
  const room = await roomFor(ports, run)
  if (room >= 1) return room
  throw new ToolFault(`The first run of the chain has set off ${runsARoot} runs: no more are.`)
}
