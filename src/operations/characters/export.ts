import * as z from 'zod'
import { ownRow } from '#src/agents/access.ts'
import { Answer } from '#src/core/answer.ts'
import { operation } from '#src/core/operation.ts'
import { agentTexts } from '#src/agents/view.ts'
import { exportFormat, exportVersion } from '#src/agents/imports/formats.ts'

// `export` is a reserved word.
export const exportCharacter = operation({
  name: 'characters.export',
  summary: 'Read an agent with its tasks as a file that can be imported, without secrets.',
  example: { char_id: 'ada' },
  auth: 'key',
  scope: 'agent',
  http: { method: 'GET', path: '/api/characters/{char_id}/export' },
  toolsets: ['agents'],
  input: z.strictObject({ char_id: z.string().max(128) }),
  output: z.object({
    format: z.literal(exportFormat),
    version: z.literal(exportVersion),
    character: z.looseObject({ name: z.string() }),
    left_out: z
      .array(z.object({ pointer: z.string(), reason: z.string() }))
      .describe('Secrets, by their pointers into the character'),
  }),
  refuses: ['character_not_found', 'forbidden'],

  async run({ char_id }, context) {
    const texts = await agentTexts(context, await ownRow(context, char_id))
    return new Answer(await context.copyist.exported(texts, context.caller.accountId))
  },
})
