import type { StoredTask, TaskInput } from '#src/tasks/task.ts'

/** Whether a task of a manifest is this one: by its id, and without one by its name. */
export function isSameTask(
  input: Pick<TaskInput, 'task_id' | 'name'>,
  other: Pick<TaskInput, 'task_id' | 'name'>,
): boolean {
  return input.task_id === null ? input.name === other.name : input.task_id === other.task_id
}

/** Whether two manifests mean the same task of an agent. */
export function isSameInput(
  input: Pick<TaskInput, 'task_id' | 'name'>,
  other: Pick<TaskInput, 'task_id' | 'name'>,
): boolean {
  return input.task_id === other.task_id && isSameTask(input, other)
}

/**
 * The task that is there for each of a manifest's: by its id, and for those without one by its
 * name, the eldest first, among those that no id claims.
 */
export function matched(
  inputs: readonly TaskInput[],
  there: readonly StoredTask[],
): (StoredTask | undefined)[] {
  const claimed = new Set(inputs.flatMap(({ task_id }) => task_id ?? []))
  const free = there.filter(({ task_id }) => !claimed.has(task_id)).sort(byAge)
  return inputs.map((input) => {
    const among = input.task_id === null ? free : there
    const found = among.find((task) => isSameTask(input, task))
    if (input.task_id === null && found) free.splice(free.indexOf(found), 1)
    return found
  })
}

/** The eldest first. */
export function byAge(a: StoredTask, b: StoredTask): number {
  if (a.created_at !== b.created_at) return a.created_at < b.created_at ? -1 : 1
  return a.id < b.id ? -1 : 1
}
