import * as z from 'zod'
import { ownRow } from '#src/agents/access.ts'
import { operation } from '#src/core/operation.ts'
import { findKnowledge, KnowledgeHit } from '#src/knowledge/search.ts'
import { shelfOf } from '#src/knowledge/library.ts'

export const search = operation({
  name: 'knowledge.search',
  summary: 'Find what an agent knows about something, best pieces first.',
  description: 'A piece ranks higher the more of the words it contains, and the rarer they are.',
  example: { char_id: 'ada', q: 'opening hours' },
  auth: 'key',
  scope: 'agent',
  http: { method: 'GET', path: '/api/characters/{char_id}/knowledge/search' },
  toolsets: ['knowledge'],
  input: z.strictObject({
    char_id: z.string().max(128),
    q: z.string().min(1).max(500),
    limit: z.int().min(1).max(50).default(10),
  }),
  output: z.object({ items: z.array(KnowledgeHit) }),
  refuses: ['character_not_found', 'forbidden'],
  untrusted: true,

  async run({ char_id, q, limit }, context) {
    await ownRow(context, char_id)
    const shelf = await shelfOf(context.store, char_id, context.caller.accountId)
    return { items: shelf ? await findKnowledge(context, shelf, q, limit) : [] }
  },
})
