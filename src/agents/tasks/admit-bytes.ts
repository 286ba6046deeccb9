import { refuse } from '#src/core/errors.ts'
import { heavyBytes } from '#src/core/input/bounds.ts'
import type { StoredTask } from './task.ts'
import { taskTexts, type TaskSource } from './tasks-of.ts'

/** What the tasks of one agent may hold together: starting one of them reads them all. */
export const tasksBytesAtMost = 2 ** 20

/** The bytes of tasks as JSON text in UTF-8, which is what reading them costs. */
export function jsonBytes(tasks: readonly unknown[]): number {
  return tasks.reduce<number>((sum, task) => sum + Buffer.byteLength(JSON.stringify(task)), 0)
}

/**
 * Checks that a new or replaced task leaves the tasks of its agent within bounds.
 * @returns whether the commit has to be bound to the agent as read: otherwise each of many large tasks
 *   created at once would see room
 * @throws Refusal `invalid_input`
 */
export async function admitTaskBytes(
  source: TaskSource,
  task: StoredTask,
  previous?: StoredTask,
): Promise<boolean> {
  const size = jsonBytes([task])
  const grown = size - (previous ? jsonBytes([previous]) : 0)
  if (grown <= 0) return false
  const texts = await taskTexts(source, task.char_id)
  const kept = texts.reduce((sum, text) => sum + Buffer.byteLength(text), 0)
  if (kept + grown <= tasksBytesAtMost) return size > heavyBytes
  const message = `The tasks of one agent may hold at most ${tasksBytesAtMost} bytes together.`
  return refuse('invalid_input', message, {
    errors: [{ pointer: '/task', message, code: 'too_many_tasks' }],
    hint: 'Delete tasks, shorten them, or give some to another agent.',
  })
}
