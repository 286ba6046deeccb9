import * as z from 'zod'
import { operation } from '#src/core/operation.ts'
import { heartbeatOf } from '#src/runs/schedules/rhythm.ts'
import { resumed } from '#src/runs/schedules/pause.ts'
import { switchTask } from '#src/runs/schedules/switch-task.ts'
import { Task } from '#src/agents/tasks/task.ts'

export const resume = operation({
  name: 'tasks.resume',
  summary: 'Resume a task that was paused or disabled, and clear the reason.',
  description: 'Its schedule continues with the next fire; missed fires are not made up.',
  example: { char_id: 'ada', task_id: 'digest' },
  auth: 'key',
  scope: 'agent',
  http: { method: 'POST', path: '/api/characters/{char_id}/tasks/{task_id}/resume' },
  toolsets: ['tasks'],
  repeatable: true,
  input: z.strictObject({ char_id: z.string().max(128), task_id: z.string().max(128) }),
  output: Task,
  refuses: [
    'character_not_found',
    'task_not_found',
    'forbidden',
    'revision_mismatch',
    'write_conflict',
  ],

  run(place, context) {
    return switchTask(context, place, async (task, now) =>
      resumed(task, await heartbeatOf(context.store, task), now),
    )
  },
})
