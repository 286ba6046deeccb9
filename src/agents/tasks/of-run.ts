import type { Store } from '#src/ports/store.ts'
import { taskKey, type StoredTask } from './task.ts'

/** The members that identify a run's task and its owner. */
interface OfTask {
  char_id: string
  task_id: string | null
  owner_id: string
}

/** The task of an agent, of any account. The agent is named too, by which tasks can be divided among shards. */
export async function taskAt(
  { tasks }: Pick<Store, 'tasks'>,
  charId: string,
  taskId: string,
): Promise<StoredTask | undefined> {
  const filter = { id: taskKey(charId, taskId), char_id: charId }
  const [task] = await tasks.find(filter, { limit: 1 })
  return task
}

/**
 * The task of a run; undefined if it is gone, or the run has none. The id of a deleted agent may have
 * been reused by another account, whose task does not belong to a run that was left behind.
 */
export async function taskOf(
  { tasks }: Pick<Store, 'tasks'>,
  { char_id, task_id, owner_id }: OfTask,
): Promise<StoredTask | undefined> {
  if (task_id === null) return undefined
  const task = await taskAt({ tasks }, char_id, task_id)
  return task?.owner_id === owner_id ? task : undefined
}
