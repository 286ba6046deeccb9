import { taskBytes } from '#src/agents/counted.ts'
import * as z from 'zod'
import { operation } from '#src/core/operation.ts'
import { mustBe, retryUnmet } from '#src/core/revision.ts'
import { timestamp } from '#src/core/time.ts'
import { buried } from '#src/core/tombstones.ts'
import type { Write } from '#src/ports/store.ts'
import { cancelRuns } from '#src/runs/ending/cancel.ts'
import { ownCharacter } from '#src/agents/access.ts'
import { ownTask } from '#src/agents/tasks/access.ts'
import { touched } from '#src/agents/tasks/owner.ts'
import { commitAudited } from '#src/accounts/audit/commit.ts'
import { guardsRecorded } from '#src/agents/tasks/policy/recorded.ts'
import { admitRemoval } from '#src/agents/tasks/policy/admit.ts'

// `delete` is a reserved word.
export const remove = operation({
  name: 'tasks.delete',
  summary: 'Delete a task. Its ended runs are kept; those under way are cancelled.',
  description:
    'Only the owner may delete one with an approval gate, a quorum or an autonomy that holds it back.',
  example: { char_id: 'ada', task_id: 'digest' },
  auth: 'key',
  scope: 'agent',
  http: { method: 'DELETE', path: '/api/characters/{char_id}/tasks/{task_id}' },
  toolsets: ['tasks'],
  input: z.strictObject({ char_id: z.string().max(128), task_id: z.string().max(128) }),
  output: z.object({ id: z.string(), deleted: z.literal(true) }),
  refuses: [
    'character_not_found',
    'task_not_found',
    'forbidden',
    'owner_only',
    'revision_mismatch',
    'write_conflict',
  ],
  destructive: true,

  run({ char_id, task_id }, context) {
    return retryUnmet(async () => {
      const task = await ownTask(context, char_id, task_id)
      const agent = await ownCharacter(context, char_id)
      const { id, revision } = task
      const now = context.clock.now()
      mustBe(revision, context.expected)
      admitRemoval(context.caller, task)
      const burial = await buried(context.store, 'characters', [agent], now)
      const writes: Write[] = [
        // Bound to the revision, so that what is deleted is what was decided on.
        { in: 'tasks', update: { id, char_id, revision }, change: { $set: { revision } } },
        { in: 'tasks', delete: { id, char_id } },
        ...burial.writes,
        touched(agent, timestamp(now)),
      ]
      const gone = { id: task_id, deleted: true as const }
      const recorded = guardsRecorded('tasks.delete', { before: task }, now)
      const bytes = burial.bytes - taskBytes([task])
      const all = [...writes, ...recorded.writes]
      const answer = await commitAudited(context, gone, all, recorded.note, { bytes })
      await cancelRuns(context, { char_id, task_id }, 'task_deleted')
      return answer
    })
  },
})
