import * as z from 'zod'
import { ownRow } from '#src/characters/access.ts'
import { Character } from '#src/characters/character.ts'
import { withTasks } from '#src/characters/showing.ts'
import { revisionIn } from '#src/characters/wire.ts'
import { Answer } from '#src/core/answer.ts'
import { operation } from '#src/core/operation.ts'

export const get = operation({
  name: 'characters.get',
  summary: 'Read one agent with its tasks.',
  example: { char_id: 'ada' },
  auth: 'key',
  scope: 'agent',
  http: { method: 'GET', path: '/api/characters/{char_id}' },
  toolsets: ['core', 'agents'],
  input: z.strictObject({ char_id: z.string().max(128) }),
  output: Character,
  refuses: ['character_not_found', 'forbidden'],

  async run({ char_id }, context) {
    const row = await ownRow(context, char_id)
    const [text = row.text] = await withTasks(context.store, [row])
    return new Answer(text, { revision: revisionIn(row) })
  },
})
