import * as z from 'zod'
import { ownRow } from '#src/agents/access.ts'
import { RevisionShown } from '#src/agents/revision-record.ts'
import { operation } from '#src/core/operation.ts'
import { pageAnswer, pageInput, pageOf, readPage } from '#src/core/page.ts'

export const list = operation({
  name: 'characters.revisions.list',
  summary: 'List the revisions of an agent, as it was before each recent change, newest first.',
  description:
    'The newest 50 are kept; characters.revisions.get reads one, and characters.revisions.restore ' +
    'restores it.',
  example: { char_id: 'ada' },
  auth: 'key',
  scope: 'agent',
  http: { method: 'GET', path: '/api/characters/{char_id}/revisions' },
  toolsets: ['agents'],
  input: z.strictObject({ char_id: z.string().max(128), ...pageInput }),
  output: pageOf(RevisionShown),
  refuses: ['character_not_found', 'forbidden', 'cursor_invalid'],

  async run({ char_id, ...page }, context) {
    await ownRow(context, char_id)
    const order = { list: `revisions ${char_id}`, by: 'revision', direction: -1 } as const
    const { rows, next } = await readPage(
      context.store.character_revisions,
      { char_id },
      page,
      order,
    )
    return pageAnswer(
      rows.map((row) => row.text),
      next,
    )
  },
})
