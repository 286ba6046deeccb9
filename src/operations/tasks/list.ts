import * as z from 'zod'
import { ownRow } from '#src/agents/access.ts'
import { operation } from '#src/core/operation.ts'
import { pageAnswer, pageInput, pageOf, readPage } from '#src/core/page.ts'
import { Task, slimTask } from '#src/agents/tasks/task.ts'

export const list = operation({
  name: 'tasks.list',
  summary: 'List the tasks of an agent, in their order.',
  use: 'To find the task_id for tasks_run.',
  example: { char_id: 'ada' },
  auth: 'key',
  scope: 'agent',
  http: { method: 'GET', path: '/api/characters/{char_id}/tasks' },
  toolsets: ['core', 'tasks'],
  proposes: { member: 'task_id', from: 'task_id', narrowedBy: 'char_id', limit: 100 },
  input: z.strictObject({ char_id: z.string().max(128), ...pageInput }),
  output: pageOf(Task),
  slim: slimTask,
  refuses: ['character_not_found', 'forbidden', 'cursor_invalid'],

  async run({ char_id, ...page }, context) {
    await ownRow(context, char_id)
    const order = { list: `tasks ${char_id}`, by: 'order', direction: 1 } as const
    const { rows, next } = await readPage(context.store.tasks, { char_id }, page, order)
    return pageAnswer(
      rows.map((row) => row.text),
      next,
    )
  },
})
