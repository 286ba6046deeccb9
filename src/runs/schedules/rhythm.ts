import type { Store } from '#src/ports/store.ts'
import { isHeartbeatTask } from '#src/agents/tasks/heartbeat.ts'
import type { StoredTask } from '#src/agents/tasks/task.ts'

/** What of an agent decides on its fires. */
export interface Rhythm {
  /** Its heartbeat_interval. */
  heartbeat: string | null
  timezone: string | null
}

/** The heartbeat_interval of a task's agent, which is only read where the heartbeat runs the task. */
export async function heartbeatOf(
  store: Pick<Store, 'characters'>,
  task: Pick<StoredTask, 'char_id' | 'task_id' | 'name'>,
): Promise<string | null> {
  if (!isHeartbeatTask(task)) return null
  return (await rhythmOf(store, task)).heartbeat
}

/** The rhythm of a task's agent. */
export async function rhythmOf(
  store: Pick<Store, 'characters'>,
  task: Pick<StoredTask, 'char_id'>,
): Promise<Rhythm> {
  const character = await store.characters.get(task.char_id)
  const { heartbeat_interval = null, timezone = null } = character?.heart ?? {}
  return { heartbeat: heartbeat_interval, timezone }
}
