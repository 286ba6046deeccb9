import * as z from 'zod'
import { ownRow } from '#src/agents/access.ts'
import { operation } from '#src/core/operation.ts'
import { KnowledgeItem, publicItem } from '#src/knowledge/item.ts'
import { itemOn } from '#src/knowledge/remove.ts'

export const get = operation({
  name: 'knowledge.get',
  summary: 'Read the state of an item that an agent was given to know.',
  example: { char_id: 'ada', item_id: 'kno_…' },
  auth: 'key',
  scope: 'agent',
  http: { method: 'GET', path: '/api/characters/{char_id}/knowledge/{item_id}' },
  toolsets: ['knowledge'],
  input: z.strictObject({ char_id: z.string().max(128), item_id: z.string().max(64) }),
  output: KnowledgeItem,
  refuses: ['character_not_found', 'forbidden', 'knowledge_not_found'],
  untrusted: true,

  async run({ char_id, item_id }, context) {
    await ownRow(context, char_id)
    return publicItem((await itemOn(context, char_id, item_id)).item)
  },
})
