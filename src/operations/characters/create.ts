import * as z from 'zod'
import { Character, CharacterInput } from '#src/agents/character.ts'
import { characterMade } from '#src/agents/create.ts'
import { operation } from '#src/core/operation.ts'
import { Warning } from '#src/core/schema.ts'

export const create = operation({
  name: 'characters.create',
  summary: 'Create an agent that the account owns.',
  description:
    'Only a name is required; without an id one is made from it. Tasks in heart.tasks are created ' +
    'with it. Unknown members are kept and returned.',
  use: 'For a single agent; a team at once is agent_apps_provision. Next: tasks_create, tasks_run.',
  example: {
    character: { id: 'ada', name: 'Ada', role: 'Researcher', tagline: 'Reads everything' },
  },
  auth: 'key',
  http: { method: 'POST', path: '/api/characters/', status: 201 },
  toolsets: ['core', 'agents'],
  input: z.strictObject({ character: CharacterInput }),
  document: 'character',
  output: Character.extend({ warnings: z.array(Warning).optional() }),
  refuses: ['character_id_taken', 'id_reserved', 'approval_unreachable'],
  quota: 'agents',

  run: ({ character }, context) => characterMade(context, character),
})
