import { agentOf } from '#src/agent-apps/reference.ts'
import type { StoredCharacter } from '#src/characters/character.ts'
import { depthAtMost, roomFor, runsARoot } from '#src/runs/handoff.ts'
import { mayDo } from '#src/friends/permission.ts'
import { isSelected } from '#src/output/handing.ts'
import type { Work } from '#src/runs/runtimes/runtime.ts'
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
  if (!agent) throw new ToolFault(`There is no agent "${named}".`)
  const self = { id: run.char_id, owner_id: run.owner_id }
  if (await mayDo(ports.store, self, agent, permission)) return agent
  throw new ToolFault(`"${named}" is no accepted friend with the permission ${permission}.`)
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
