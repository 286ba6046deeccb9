import type { Store } from '#src/ports/store.ts'
import { taskKey, type StoredTask } from './task.ts'

/** The members that identify a run's task and its owner. */
interface OfTask {
  char_id: string
  task_id: string | null
  owner_id: string
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
  const task = await tasks.get(taskKey(char_id, task_id))
  return task?.owner_id === owner_id ? task : undefined
}
