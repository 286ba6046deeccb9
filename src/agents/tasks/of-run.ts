import type { Store } from '#src/ports/store.ts'
import { taskKey, type StoredTask } from './task.ts'

/** What names a run's task, and whose it is. */
interface OfTask {
  char_id: string
  task_id: string | null
  owner_id: string
}

/**
 * The task of a run; undefined where it is gone, or the run is of none. The id of a deleted agent may have been taken anew
 * by another account: its task is not that of a run that was left behind.
 */
export async function taskOf(
  { tasks }: Pick<Store, 'tasks'>,
  { char_id, task_id, owner_id }: OfTask,
): Promise<StoredTask | undefined> {
  if (task_id === null) return undefined
  const task = await tasks.get(taskKey(char_id, task_id))
  return task?.owner_id === owner_id ? task : undefined
}
