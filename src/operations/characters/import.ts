import * as z from 'zod'
import { Character } from '#src/agents/character.ts'
import { characterMade, newCharacterId } from '#src/agents/create.ts'
import { CharacterId } from '#src/agents/name.ts'
import { operation } from '#src/core/operation.ts'
import { Warning } from '#src/core/schema.ts'
import { encodedFileBytesAtMost, File } from '#src/core/input/upload.ts'
import { pictured } from '#src/agents/imports/pictures.ts'
import { ImportReport } from '#src/agents/imports/report.ts'
import { makingWith, mediaMade } from '#src/agents/imports/with-media.ts'

const example = Buffer.from('{"name": "Ada", "role": "Researcher"}').toString('base64')

// `import` is a reserved word.
export const importCharacter = operation({
  name: 'characters.import',
  summary: 'Make an agent from a file: an export, a character card, an elizaOS or A2A description.',
  description:
    'JSON, or a PNG with a card inside, up to 10 MB. import_report says what was done with each ' +
    'part; secrets in the file are never imported. An id in use is refused unless new_id is ' +
    'given.',
  example: { file: { filename: 'ada.json', data: example } },
  auth: 'key',
  http: { method: 'POST', path: '/api/characters/import' },
  toolsets: ['agents'],
  input: z.strictObject({
    file: File,
    new_id: CharacterId.optional().describe('Replaces the id in the file'),
  }),
  files: { member: 'file', most: 1 },
  bodyBytes: encodedFileBytesAtMost,
  output: Character.extend({
    import_report: ImportReport,
    warnings: z.array(Warning).optional(),
  }),
  refuses: ['import_unreadable', 'character_id_taken', 'id_reserved'],
  quota: 'agents',
  untrusted: true,

  async run({ file, new_id }, context) {
    const draft = await context.copyist.read(file.bytes, context.caller.accountId)
    const { name, id: given } = draft.input
    const id = await newCharacterId(context, { id: new_id ?? given, name })
    const to = { charId: id, ownerId: context.caller.accountId }
    const { input, report, kept } = await pictured(context, draft, to)
    return makingWith(context, kept, () =>
      characterMade(
        context,
        { ...input, id },
        {
          ...mediaMade(kept),
          more: draft.more,
          warnings: draft.warnings,
          extra: { import_report: report },
        },
      ),
    )
  },
})
