import { agentOf } from '#src/agents/app/agent-reference.ts'
import type { Store } from '#src/ports/store.ts'
import type { StoredTask } from '#src/agents/tasks/task.ts'

/**
 * Whether a message from this agent starts the task: it is enabled, may act on its own, and has an
 * enabled trigger of type `message` that names no other sender.
 */
export async function listens(
  store: Pick<Store, 'apps'>,
  task: StoredTask,
  from: string,
): Promise<boolean> {
  if (!task.enabled || task.autonomy === 'manual') return false
  for (const trigger of task.triggers) {
    if (trigger.type !== 'message' || !trigger.enabled) continue
    const only = trigger.config.from_agent_id
    if (typeof only !== 'string' || only === '') return true
    if ((await agentOf(store, task.app_id, only)) === from) return true
  }
  return false
}
