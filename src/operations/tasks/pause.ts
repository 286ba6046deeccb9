import * as z from 'zod'
import { operation } from '#src/core/operation.ts'
import { emitted } from '#src/events/emit.ts'
import { pauseHappening, paused } from '#src/runs/schedules/pause.ts'
import { switchTask } from '#src/runs/schedules/switch-task.ts'
import { isQuorumTask, quorumStays } from '#src/agents/tasks/policy/change.ts'
import { refuseOwnerOnly } from '#src/agents/tasks/policy/owner-only.ts'
import { Task } from '#src/agents/tasks/task.ts'

export const pause = operation({
  name: 'tasks.pause',
  summary: 'Pause a task: no trigger starts it until it is resumed.',
  description:
    'Runs under way continue, and tasks.run still starts one; what messages, events and results ' +
    'of others would start waits for tasks.resume. Only the owner may pause a task ' +
    'that a quorum decides: workflows skip a step that is off.',
  aliases: ['pause a scheduled task'],
  example: { char_id: 'ada', task_id: 'digest', reason: 'The source is being moved.' },
  auth: 'key',
  scope: 'agent',
  http: { method: 'POST', path: '/api/characters/{char_id}/tasks/{task_id}/pause' },
  toolsets: ['tasks'],
  repeatable: true,
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
    'owner_only',
    'revision_mismatch',
    'write_conflict',
  ],

  async run({ reason, ...place }, context) {
    return switchTask(context, place, async (task, now) => {
      if (!context.caller.setsPolicy && isQuorumTask(task)) {
        refuseOwnerOnly([quorumStays('/task_id')], context.caller)
      }
      const pausing = paused(task, reason, now)
      // Listeners are told of a change, not of a repeated request.
      if (!task.enabled) return pausing
      const happening = pauseHappening(pausing.task, reason)
      return { ...pausing, also: await emitted(context.store, happening, now) }
    })
  },
})
