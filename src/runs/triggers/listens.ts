import { agentOf } from '#src/agents/app/agent-reference.ts'
import type { Store } from '#src/ports/store.ts'
import type { StoredTask } from '#src/agents/tasks/task.ts'
import { isPaused } from '#src/agents/tasks/reliability.ts'
import { messageCall } from '#src/agents/tasks/calls.ts'
import { tasksOf } from '#src/agents/tasks/tasks-of.ts'
import type { Ports } from '#src/core/context.ts'

/**
 * Whether a message from this agent starts the task: it is enabled, or paused so that the run waits, may act on its
 * own, and has an enabled trigger of type `message` that names no other sender.
 */
export async function listens(
  store: Pick<Store, 'apps'>,
  task: StoredTask,
  from: string,
): Promise<boolean> {
  if (!(task.enabled || isPaused(task)) || task.autonomy === 'manual') return false
  for (const trigger of task.triggers) {
    if (trigger.type !== 'message' || !trigger.enabled) continue
    const only = trigger.config.from_agent_id
    if (typeof only !== 'string' || only === '') return true
    if ((await agentOf(store, task.app_id, only)) === from) return true
  }
  return false
}

/** The tasks of an agent that messages may start, in their order. */
export function messagedTasks(
  source: Pick<Ports, 'store' | 'clock'>,
  charId: string,
): Promise<StoredTask[]> {
  return tasksOf(source, [charId], { awaited_calls: { $all: [messageCall] } })
}

/** Those of the tasks that a message from this agent starts. */
export async function listeners(
  store: Pick<Store, 'apps'>,
  tasks: readonly StoredTask[],
  from: string,
): Promise<StoredTask[]> {
  const listening = await Promise.all(tasks.map((task) => listens(store, task, from)))
  return tasks.filter((_, i) => listening[i])
}
