import type { StoredTask, TaskInput } from '#src/agents/tasks/task.ts'

/** Identifies a task of a manifest among those of its agent: its id, or without one its name. */
export function taskKeyOf({ task_id, name }: Pick<TaskInput, 'task_id' | 'name'>): string {
  return task_id === null ? `name ${name}` : `id ${task_id}`
}

/**
 * The existing task for each task of a manifest: by its id, or without an id by its name, the oldest first,
 * among those that no id claims.
 */
export function matched(
  inputs: readonly TaskInput[],
  there: readonly StoredTask[],
): (StoredTask | undefined)[] {
  const claimed = new Set(inputs.flatMap(({ task_id }) => task_id ?? []))
  const byId = new Map(there.map((task) => [task.task_id, task]))
  const free = Map.groupBy(
    there.filter(({ task_id }) => !claimed.has(task_id)).sort(byAge),
    ({ name }) => name,
  )
  return inputs.map(({ task_id, name }) =>
    task_id === null ? free.get(name)?.shift() : byId.get(task_id),
  )
}

/** Oldest first. */
export function byAge(a: StoredTask, b: StoredTask): number {
  if (a.created_at !== b.created_at) return a.created_at < b.created_at ? -1 : 1
  return a.id < b.id ? -1 : 1
}
