import * as z from 'zod'
import { ownRow } from '#src/agents/access.ts'
import { operation } from '#src/core/operation.ts'
import { retryUnmet } from '#src/core/revision.ts'
import { itemOn, itemRemoval } from '#src/knowledge/remove.ts'

// `delete` is a reserved word.
export const remove = operation({
  name: 'knowledge.delete',
  summary: 'Let an agent forget an item; a sitemap is deleted with the pages that it listed.',
  example: { char_id: 'ada', item_id: 'kno_…' },
  auth: 'key',
  scope: 'agent',
  http: { method: 'DELETE', path: '/api/characters/{char_id}/knowledge/{item_id}' },
  toolsets: ['knowledge'],
  input: z.strictObject({ char_id: z.string().max(128), item_id: z.string().max(64) }),
  output: z.object({ id: z.string(), deleted: z.literal(true) }),
  refuses: ['character_not_found', 'forbidden', 'knowledge_not_found', 'write_conflict'],
  destructive: true,

  run({ char_id, item_id }, context) {
    return retryUnmet(async () => {
      await ownRow(context, char_id)
      const { item, shelf } = await itemOn(context, char_id, item_id)
      const removal = await itemRemoval(context, item, shelf)
      const gone = { id: item_id, deleted: true as const }
      const answer = await context.commit(gone, removal.writes, { bytes: -removal.bytes })
      await removal.finish()
      return answer
    })
  },
})
