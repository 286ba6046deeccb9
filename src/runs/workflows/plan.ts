import type { StoredTask } from '#src/agents/tasks/task.ts'

/**
 * The tasks that others of the same agent may start as their steps, in order: the enabled ones but
 * the starter itself, and but those that only a person starts.
 * @param tasks of the agent, by order
 */
export function startable(tasks: readonly StoredTask[], starter: StoredTask): StoredTask[] {
  return tasks.filter(
    (task) => task.enabled && task.autonomy !== 'manual' && task.id !== starter.id,
  )
}

/** What a workflow goes through; or why there is nothing, as a code and a sentence. */
export type Plan = { tasks: StoredTask[] } | { code: string; message: string }

/**
 * The steps of a workflow: from the entry on, or from the first task where none is named.
 * @param entry a task_id, or else the name of a task
 */
export function planOf(
  tasks: readonly StoredTask[],
  workflow: StoredTask,
  entry: string | null,
): Plan {
  const steps = startable(tasks, workflow)
  if (!entry) {
    const message = 'The agent has no other enabled task that the workflow could run.'
    return steps.length > 0 ? { tasks: steps } : { code: 'workflow_empty', message }
  }
  const named = steps.find((step) => step.task_id === entry) ?? steps.find(isCalled(entry))
  if (named) return { tasks: steps.slice(steps.indexOf(named)) }
  const hidden = tasks.find((task) => task.task_id === entry) ?? tasks.find(isCalled(entry))
  const message = hidden
    ? `The workflow_entry "${entry}" ${objectionTo(hidden, workflow)}.`
    : `The agent has no task "${entry}", which workflow_entry names.`
  return { code: 'workflow_entry_invalid', message }
}

function isCalled(name: string) {
  return (task: StoredTask): boolean => task.name === name
}

function objectionTo(task: StoredTask, workflow: StoredTask): string {
  if (task.id === workflow.id) return 'names the workflow itself'
  return task.enabled ? 'has the autonomy "manual": only a person starts it' : 'is disabled'
}
