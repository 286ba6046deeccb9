import * as z from 'zod'
import { ownCharacter } from '#src/agents/access.ts'
import { Character } from '#src/agents/character.ts'
import { replaced } from '#src/agents/replace.ts'
import { keptCharacter, restorable } from '#src/agents/restore.ts'
import { keptRevision } from '#src/agents/revisions.ts'
import { operation } from '#src/core/operation.ts'
import { withoutLostPhotos } from '#src/agents/media/lost-photos.ts'
import { mustBe, retryUnmet } from '#src/core/revision.ts'
import { Warning } from '#src/core/schema.ts'
import { tasksOf } from '#src/agents/tasks/tasks-of.ts'

export const restore = operation({
  name: 'characters.revisions.restore',
  summary: 'Restore an agent to what it was before a change, as a new revision.',
  description:
    'Profile and heart.tasks are restored: tasks match by task_id, later ones are deleted. The ' +
    'state before the restore is kept as a revision too. A key that acts as the agent restores ' +
    'nothing that it may not change.',
  example: { char_id: 'ada', revision: 3 },
  auth: 'key',
  scope: 'agent',
  http: { method: 'POST', path: '/api/characters/{char_id}/revisions/{revision}/restore' },
  toolsets: ['agents'],
  input: z.strictObject({ char_id: z.string().max(128), revision: z.int().min(1) }),
  output: Character.extend({ warnings: z.array(Warning).optional() }),
  refuses: [
    'character_not_found',
    'forbidden',
    'owner_only',
    'revision_not_found',
    'revision_mismatch',
    'write_conflict',
  ],
  destructive: true,

  run({ char_id, revision }, context) {
    return retryUnmet(async () => {
      const kept = await ownCharacter(context, char_id)
      mustBe(kept.revision, context.expected)
      const past = await keptRevision(context.store, char_id, revision)
      const tasks = await tasksOf(context, [char_id])
      const was = await withoutLostPhotos(context, keptCharacter(past))
      const { input, warnings } = restorable(was.input, { kept, tasks }, context.sealer)
      warnings.push(...was.warnings)
      const how = { operation: 'characters.revisions.restore', tasksKept: false, warnings }
      return replaced(context, { kept, tasks }, input, how)
    })
  },
})
