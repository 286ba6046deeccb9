import * as z from 'zod'
import { Answer } from '#src/core/answer.ts'
import { operation } from '#src/core/operation.ts'
import { ownTaskRow } from '#src/agents/tasks/access.ts'
import { Task, slimTask } from '#src/agents/tasks/task.ts'
import { revisionInTask } from '#src/agents/tasks/wire.ts'

export const get = operation({
  name: 'tasks.get',
  summary: 'Read one task of an agent.',
  use: 'Before you change a task, or to see why it was paused.',
  example: { char_id: 'ada', task_id: 'digest' },
  auth: 'key',
  scope: 'agent',
  http: { method: 'GET', path: '/api/characters/{char_id}/tasks/{task_id}' },
  toolsets: ['core', 'tasks'],
  input: z.strictObject({ char_id: z.string().max(128), task_id: z.string().max(128) }),
  output: Task,
  slim: slimTask,
  refuses: ['character_not_found', 'task_not_found', 'forbidden'],

  async run({ char_id, task_id }, context) {
    const row = await ownTaskRow(context, char_id, task_id)
    return new Answer(row.text, { revision: revisionInTask(row.text) })
  },
})
