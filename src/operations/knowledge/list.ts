import * as z from 'zod'
import { ownRow } from '#src/agents/access.ts'
import { operation } from '#src/core/operation.ts'
import { pageAnswer, pageInput, pageOf, readPage } from '#src/core/page.ts'
import { itemStatuses, KnowledgeItem, pageOf as pageRead } from '#src/knowledge/item.ts'
import { withMarks } from '#src/core/text/untrusted.ts'
import { ownShelf } from '#src/knowledge/library.ts'

export const list = operation({
  name: 'knowledge.list',
  summary: 'List what an agent was given to know, newest first.',
  example: { char_id: 'ada', status: 'indexed' },
  auth: 'key',
  scope: 'agent',
  http: { method: 'GET', path: '/api/characters/{char_id}/knowledge' },
  toolsets: ['knowledge'],
  input: z.strictObject({
    char_id: z.string().max(128),
    status: z.enum(itemStatuses).optional(),
    ...pageInput,
  }),
  output: pageOf(KnowledgeItem),
  refuses: ['character_not_found', 'forbidden', 'cursor_invalid'],
  untrusted: true,

  async run({ char_id, status, ...page }, context) {
    await ownRow(context, char_id)
    const { shelf } = await ownShelf(context, char_id)
    const among = { shelf: shelf.shelf, ...(status !== undefined && { status }) }
    const list = `knowledge ${char_id} ${status ?? ''}`
    const order = { list, by: 'id', direction: -1 } as const
    const { rows, next } = await readPage(context.store.knowledge_items, among, page, order)
    return pageAnswer(
      // The items are small, and this server has written them.
      rows.map(({ text }) => withMarks(text, pageRead(JSON.parse(text) as KnowledgeItem))),
      next,
    )
  },
})
