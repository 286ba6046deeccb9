import * as z from 'zod'
import { operation } from '#src/core/operation.ts'
import { heartbeatOf } from '#src/runs/schedules/rhythm.ts'
import { resumed } from '#src/runs/schedules/pause.ts'
import { switchTask } from '#src/runs/schedules/switch-task.ts'
import type { KeyCaller } from '#src/core/admission/caller.ts'
import { pausedWithItsApp } from '#src/agents/tasks/policy/change.ts'
import { refuseOwnerOnly } from '#src/agents/tasks/policy/owner-only.ts'
import { ownTask } from '#src/agents/tasks/access.ts'
import { mustBe } from '#src/core/revision.ts'
import { endHeld, releaseHeld } from '#src/runs/waits/release.ts'
import { Task, type StoredTask } from '#src/agents/tasks/task.ts'

export const resume = operation({
  name: 'tasks.resume',
  summary: 'Resume a task that was paused or disabled, and clear the reason.',
  description:
    'Its schedule continues with the next fire; missed fires are not made up. Messages, events ' +
    'and results that came while it was paused wait as queued runs (task_paused): they run now, ' +
    'or with held: "drop" are cancelled.',
  example: { char_id: 'ada', task_id: 'digest' },
  auth: 'key',
  scope: 'agent',
  http: { method: 'POST', path: '/api/characters/{char_id}/tasks/{task_id}/resume' },
  toolsets: ['tasks'],
  repeatable: true,
  input: z.strictObject({
    char_id: z.string().max(128),
    task_id: z.string().max(128),
    held: z.enum(['run', 'drop']).default('run').describe('What becomes of runs that wait for it.'),
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

  async run({ held, ...place }, context) {
    if (held === 'drop') {
      const previous = await ownTask(context, place.char_id, place.task_id)
      const { id, owner_id, revision } = previous
      mustBe(revision, context.expected)
      admitResume(previous, context.caller)
      await endHeld(context, { held: id, owner_id }, 'dropped')
    }
    let task: StoredTask | undefined
    const answer = await switchTask(context, place, async (previous, now) => {
      admitResume(previous, context.caller)
      const switched = resumed(previous, await heartbeatOf(context.store, previous), now)
      task = switched.task
      return switched
    })
    if (task) await releaseHeld(context, task)
    return answer
  },
})

/** @throws Refusal `owner_only` for a task that its owner has paused with the whole app */
function admitResume({ app_paused }: StoredTask, caller: KeyCaller): void {
  if (app_paused && !caller.setsPolicy) refuseOwnerOnly([pausedWithItsApp('/task_id')], caller)
}
