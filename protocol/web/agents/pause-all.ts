import { agentOperations } from '#src/catalog/agent-pages.ts'
import type { Character } from '#src/agents/character.ts'
import type { Task } from '#src/agents/tasks/task.ts'
import { answered } from '../ask.ts'
import type { Looking } from '../console/reader.ts'

/** By this reason tasks are known that were paused together: others were paused for reasons of their own. */
const reason = 'Paused with all tasks of the agent.'

const { pause, resume } = agentOperations.tasks

/** Whether a task was paused with all others of its agent. */
export function isPausedWithAll({ enabled, reliability }: Task): boolean {
  return !enabled && reliability?.pause_reason === reason
}

/** Pauses each task of an agent that is on, one after the other. */
export async function pauseAll({ terms, as }: Looking, agent: Character): Promise<void> {
  for (const { char_id, task_id, enabled } of agent.heart?.tasks ?? []) {
    if (enabled) await answered(terms, pause, { char_id, task_id, reason }, as)
  }
}

/** Lets those go on that were paused so. */
export async function resumeAll({ terms, as }: Looking, agent: Character): Promise<void> {
  for (const task of (agent.heart?.tasks ?? []).filter(isPausedWithAll)) {
    await answered(terms, resume, { char_id: task.char_id, task_id: task.task_id }, as)
  }
}
