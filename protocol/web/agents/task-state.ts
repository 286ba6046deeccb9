import { count } from '#src/core/html/words.ts'
import { isPaused } from '#src/agents/tasks/reliability.ts'
import type { Task } from '#src/agents/tasks/task.ts'
import type { Look } from '#src/views/parts.ts'

type Switched = Pick<Task, 'enabled' | 'reliability'>

/** How a task stands: whether its triggers start it. */
export function lookOfTask(task: Switched): Look {
  if (isPaused(task)) return { word: 'Paused', tone: 'wait', icon: 'hand' }
  return task.enabled
    ? { word: 'On', tone: 'good', icon: 'check' }
    : { word: 'Off', tone: 'calm', icon: 'slash' }
}

/** How an agent stands, by its tasks. */
export function lookOfTasks(tasks: readonly Switched[]): Look {
  const paused = tasks.filter(isPaused).length
  if (tasks.length === 0) return { word: 'No tasks', tone: 'calm', icon: 'slash' }
  if (paused === tasks.length) return { word: 'Paused', tone: 'wait', icon: 'hand' }
  if (paused > 0) return { word: `${paused} of ${tasks.length} paused`, tone: 'wait', icon: 'hand' }
  const on = tasks.filter(({ enabled }) => enabled).length
  return on === 0
    ? { word: 'Off', tone: 'calm', icon: 'slash' }
    : { word: count(on, 'task'), tone: 'good', icon: 'check' }
}
