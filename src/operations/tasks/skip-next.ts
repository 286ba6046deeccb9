import * as z from 'zod'
import { refuse } from '#src/core/errors.ts'
import { operation } from '#src/core/operation.ts'
import { sizeOf } from '#src/core/quotas.ts'
import { mustBe, retryUnmet } from '#src/core/revision.ts'
import { skippingNext } from '#src/schedules/skip-next.ts'
import { ownTask } from '#src/tasks/access.ts'
import { publicTask } from '#src/tasks/keeping.ts'
import { Task } from '#src/tasks/task.ts'

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

  run({ char_id, task_id }, context) {
    return retryUnmet(async () => {
      const previous = await ownTask(context, char_id, task_id)
      mustBe(previous.revision, context.expected)
      const skipping = await skippingNext(context.store, previous, context.clock.now())
      if (!skipping) {
        return refuse('nothing_scheduled', 'The task has no coming fire that could be skipped.', {
          hint: 'tasks.schedule says in words why it does not fire.',
        })
      }
      const { task, writes } = skipping
      return context.commit(publicTask(task), writes, {
        revision: task.revision,
        bytes: sizeOf(task) - sizeOf(previous),
      })
    })
  },
})
