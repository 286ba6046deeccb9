import * as z from 'zod'
import { ownCharacter } from '#src/agents/access.ts'
import { Character, CharacterInput } from '#src/agents/character.ts'
import { replaced } from '#src/agents/replace.ts'
import { patchedCharacter } from '#src/agents/stored-character.ts'
import { refuse } from '#src/core/errors.ts'
import { parsed } from '#src/core/input/validate.ts'
import { operation } from '#src/core/operation.ts'
import { mustBe, retryUnmet } from '#src/core/revision.ts'
import { mergedDocument, Warning } from '#src/core/schema.ts'
import { tasksOf } from '#src/agents/tasks/tasks-of.ts'

export const update = operation({
  name: 'characters.update',
  summary: 'Change an agent: what is sent is merged, everything else stays.',
  description:
    'Objects merge deeply, lists and scalars replace, null sets null; a null inside config, env ' +
    'or variables removes the entry. heart.tasks replaces the list: tasks match by task_id. ' +
    'tools, control, visibility, brain.mcps and brain.hooks, and what tasks.update names of its ' +
    'tasks, are for its owner: a key that acts as the agent changes them only with the right ' +
    'policy.',
  use: 'Rename an agent, change its profile or brain. Read it first with characters_get.',
  example: { char_id: 'ada', character: { tagline: 'Reads even more' } },
  auth: 'key',
  scope: 'agent',
  http: { method: 'PUT', path: '/api/characters/{char_id}' },
  toolsets: ['core', 'agents'],
  input: z.strictObject({
    char_id: z.string().max(128),
    character: mergedDocument(CharacterInput),
  }),
  document: 'character',
  output: Character.extend({ warnings: z.array(Warning).optional() }),
  refuses: [
    'character_not_found',
    'forbidden',
    'owner_only',
    'revision_mismatch',
    'write_conflict',
    'approval_unreachable',
  ],

  run({ char_id, character: { char_id: again = char_id, ...patch } }, context) {
    if (Object.hasOwn(patch, 'id') && patch.id !== char_id) return fixed('id')
    if (again !== char_id) return fixed('char_id')
    return retryUnmet(async () => {
      const kept = await ownCharacter(context, char_id)
      mustBe(kept.revision, context.expected)
      const tasks = await tasksOf(context, [char_id])
      const { merged, tasksKept } = patchedCharacter(kept, patch)
      const input = parsed(CharacterInput, merged, '/character')
      const how = { operation: 'characters.update', tasksKept, sent: patch }
      return replaced(context, { kept, tasks }, input, how)
    })
  },
})

/** @throws Refusal `invalid_input` always */
function fixed(name: 'id' | 'char_id'): never {
  const message = 'An id never changes.'
  const errors = [{ pointer: `/character/${name}`, message, code: 'id_fixed' }]
  return refuse('invalid_input', message, { errors })
}
