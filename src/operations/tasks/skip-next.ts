import * as z from 'zod'
import { refuse } from '#src/core/errors.ts'
import { operation } from '#src/core/operation.ts'
import { skippingNext } from '#src/runs/schedules/skip-next.ts'
import { switchTask } from '#src/runs/schedules/switch-task.ts'
import { Task } from '#src/agents/tasks/task.ts'

export const skipNext = operation({
  name: 'tasks.skip_next',
  summary: 'Skip the next fire of a schedule, and only that one.',
  description: 'It sets skip_next_run_at to the next fire in the active window.',
  example: { char_id: 'ada', task_id: 'digest' },
  auth: 'key',
  scope: 'agent',
  http: { method: 'POST', path: '/api/characters/{char_id}/tasks/{task_id}/skip-next' },
  toolsets: ['tasks'],
  input: z.strictObject({ char_id: z.string().max(128), task_id: z.string().max(128) }),
  output: Task,
  refuses: [
    'character_not_found',
    'task_not_found',
    'forbidden',
    'nothing_scheduled',
    'revision_mismatch',
    'write_conflict',
  ],

  run(place, context) {
    return switchTask(context, place, async (task, now) => {
      const skipping = await skippingNext(context.store, task, now)
      if (skipping) return skipping
      return refuse('nothing_scheduled', 'The task has no coming fire to skip.', {
        hint: '<tasks.schedule> says in words why it does not fire.',
      })
    })
  },
})
