import * as z from 'zod'
import { ownCharacter } from '#src/characters/access.ts'
import { Character, CharacterInput, type StoredCharacter } from '#src/characters/character.ts'
import { shownCharacter } from '#src/characters/showing.ts'
import { characterFrom, patchedCharacter } from '#src/characters/storing.ts'
import { characterWarnings } from '#src/characters/warnings.ts'
import type { Context } from '#src/core/context.ts'
import { refuse } from '#src/core/errors.ts'
import { parsed } from '#src/core/input.ts'
import { operation } from '#src/core/operation.ts'
import { sizeOf } from '#src/core/quotas.ts'
import { mustBe, retryUnmet } from '#src/core/revision.ts'
import { uncheckedDocument, Warning, withWarnings } from '#src/core/schema.ts'
import { timestamp } from '#src/core/time.ts'
import { inOrder, replacingTasks } from '#src/tasks/keeping.ts'
import type { StoredTask } from '#src/tasks/task.ts'

export const update = operation({
  name: 'characters.update',
  summary: 'Change an agent: what is sent is merged, everything else stays.',
  description:
    'Objects merge deep, lists and scalars replace, null sets null; a null inside config, env or ' +
    'variables removes the entry. heart.tasks replaces the list: tasks match by task_id.',
  example: { char_id: 'ada', character: { tagline: 'Reads even more' } },
  auth: 'key',
  scope: 'agent',
  http: { method: 'PUT', path: '/api/characters/{char_id}' },
  toolsets: ['core', 'agents'],
  input: z.strictObject({
    char_id: z.string().max(128),
    character: uncheckedDocument(CharacterInput.partial()),
  }),
  document: 'character',
  output: Character.extend({ warnings: z.array(Warning).optional() }),
  refuses: [
    'character_not_found',
    'forbidden',
    'revision_mismatch',
    'write_conflict',
    'approval_unreachable',
  ],

  run({ char_id, character: patch }, context) {
    if (Object.hasOwn(patch, 'id') && patch.id !== char_id) {
      const errors = [
        { pointer: '/character/id', message: 'An id never changes.', code: 'id_fixed' },
      ]
      return refuse('invalid_input', 'An id never changes.', { errors })
    }
    return retryUnmet(async () => {
      const kept = await ownCharacter(context, char_id)
      mustBe(kept.revision, context.expected)
      const tasks = await context.store.tasks.find({ char_id })
      return change(kept, tasks, patch, context)
    })
  },
})

async function change(
  kept: StoredCharacter,
  keptTasks: StoredTask[],
  patch: Record<string, unknown>,
  { clock, commit, sender, sealer, store }: Context<'key'>,
) {
  const { merged, tasksKept } = patchedCharacter(kept, patch)
  const input = parsed(CharacterInput, merged, '/character')
  const now = clock.now()
  const next = characterFrom(input, {
    id: kept.id,
    ownerId: kept.owner_id,
    appId: kept.app_id,
    localId: kept.local_id,
    revision: kept.revision + 1,
    now: timestamp(now),
    createdAt: kept.created_at,
  })
  const owner = { charId: kept.id, ownerId: kept.owner_id, appId: kept.app_id }
  const sent = input.heart?.tasks ?? []
  const { tasks, writes } = tasksKept
    ? { tasks: inOrder(keptTasks), writes: [] }
    : await replacingTasks(keptTasks, sent, owner, now, { sealer, store })
  const warnings = characterWarnings(input, {
    objection: (url) => sender.objection(url),
    previous: kept,
    tasksKept,
    previousTasks: new Map(keptTasks.map((task) => [task.task_id, task])),
  })
  return commit(
    withWarnings(shownCharacter(next, tasks), warnings),
    [
      { in: 'characters', update: { id: kept.id, revision: kept.revision }, replace: next },
      ...writes,
    ],
    { revision: next.revision, bytes: sizeOf(next, ...tasks) - sizeOf(kept, ...keptTasks) },
  )
}
