import * as z from 'zod'
import { Character, slimCharacter } from '#src/agents/character.ts'
import { ownWithTasks } from '#src/agents/view.ts'
import { revisionIn } from '#src/agents/wire.ts'
import { Answer } from '#src/core/answer.ts'
import { operation } from '#src/core/operation.ts'

export const get = operation({
  name: 'characters.get',
  summary: 'Read one agent with its tasks.',
  use: 'Before you change an agent, or to see its settings.',
  example: { char_id: 'ada' },
  auth: 'key',
  scope: 'agent',
  http: { method: 'GET', path: '/api/characters/{char_id}' },
  toolsets: ['core', 'agents'],
  role: 'read_agent',
  input: z.strictObject({ char_id: z.string().max(128) }),
  output: Character,
  slim: slimCharacter,
  refuses: ['character_not_found', 'forbidden'],

  async run({ char_id }, context) {
    const { row, text } = await ownWithTasks(context, char_id)
    return new Answer(text, { revision: revisionIn(row) })
  },
})
