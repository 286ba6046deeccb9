import * as z from 'zod'
import { operation } from '#src/core/operation.ts'
import { sizeOf } from '#src/core/quotas.ts'
import { mustBe, retryUnmet } from '#src/core/revision.ts'
import { emitted } from '#src/events/emitting.ts'
import { pauseHappening, paused } from '#src/schedules/pausing.ts'
import { ownTask } from '#src/tasks/access.ts'
import { publicTask } from '#src/tasks/keeping.ts'
import { Task } from '#src/tasks/task.ts'

export const pause = operation({
  name: 'tasks.pause',
  summary: 'Pause a task: no trigger starts it until it is resumed.',
  description: 'Runs under way go on, and tasks.run still starts one.',
  example: { char_id: 'ada', task_id: 'digest', reason: 'The source is being moved.' },
  auth: 'key',
  scope: 'agent',
  http: { method: 'POST', path: '/api/characters/{char_id}/tasks/{task_id}/pause' },
  toolsets: ['tasks'],
  input: z.strictObject({
    char_id: z.string().max(128),
    task_id: z.string().max(128),
    reason: z.string().min(1).max(500).default('Paused on request.'),
  }),
  output: Task,
  refuses: [
    'character_not_found',
    'task_not_found',
    'forbidden',
    'revision_mismatch',
    'write_conflict',
  ],

  async run({ char_id, task_id, reason }, context) {
    const { clock, commit, store, wake } = context
    const answer = await retryUnmet(async () => {
      const previous = await ownTask(context, char_id, task_id)
      mustBe(previous.revision, context.expected)
      const now = clock.now()
      const { task, writes } = paused(previous, reason, now)
      const happening = pauseHappening(task, reason)
      const heard = previous.enabled ? await emitted(store, happening, now) : []
      return commit(publicTask(task), [...writes, ...heard], {
        revision: task.revision,
        bytes: sizeOf(task) - sizeOf(previous),
      })
    })
    wake.events()
    return answer
  },
})
