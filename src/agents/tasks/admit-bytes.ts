import { refuse } from '#src/core/errors.ts'
import { heavyBytes } from '#src/core/input/bounds.ts'
import { sizeOf } from '#src/core/counts/quotas.ts'
import type { Store } from '#src/ports/store.ts'
import type { StoredTask } from './task.ts'

/** What the tasks of one agent may hold together: whatever starts one of them reads them all. */
export const tasksBytesAtMost = 2 ** 20

/**
 * Checks that a new or replaced task leaves the tasks of its agent within bounds.
 * @returns whether the commit has to be bound to the agent as read: otherwise each of many large tasks
 *   created at once would see room
 * @throws Refusal `invalid_input`
 */
export async function admitTaskBytes(
  { tasks }: Pick<Store, 'tasks'>,
  task: StoredTask,
  previous?: StoredTask,
): Promise<boolean> {
  const size = sizeOf(task)
  const grown = size - (previous ? sizeOf(previous) : 0)
  if (grown <= 0) return false
  const charactersAtMost = tasksBytesAtMost
  const texts = await tasks.text({ char_id: task.char_id }, { charactersAtMost })
  const kept = texts.reduce((sum, { text }) => sum + text.length, 0)
  if (kept + grown <= tasksBytesAtMost) return size > heavyBytes
  const message = `The tasks of one agent may hold at most ${tasksBytesAtMost} bytes together.`
  return refuse('invalid_input', message, {
    errors: [{ pointer: '/task', message, code: 'too_many_tasks' }],
    hint: 'Delete tasks, shorten them, or give some to another agent.',
  })
}
