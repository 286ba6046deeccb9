import * as z from 'zod'
import { PlainName } from '#src/agents/name.ts'
import { operation } from '#src/core/operation.ts'
import { Warning } from '#src/core/schema.ts'
import { Address, SourceType } from '#src/knowledge/address.ts'
import { KnowledgeItem } from '#src/knowledge/item.ts'
import { learned } from '#src/knowledge/learn.ts'

export const add = operation({
  name: 'knowledge.sources.add',
  summary: 'Have an agent follow an address: it is read now, and regularly after that.',
  description:
    'type is web, file, feed (read daily, others weekly) or sitemap: its pages, up to 200 of the ' +
    'same host, become items of their own.',
  example: { char_id: 'ada', url: 'https://example.com/feed.xml', type: 'feed', name: 'News' },
  auth: 'key',
  scope: 'agent',
  http: { method: 'POST', path: '/api/characters/{char_id}/knowledge/sources' },
  toolsets: ['knowledge'],
  learns: 'all',
  reachesOut: true,
  input: z.strictObject({
    char_id: z.string().max(128),
    url: Address,
    type: SourceType.optional(),
    name: PlainName.optional(),
  }),
  output: KnowledgeItem.extend({ warnings: z.array(Warning).optional() }),
  refuses: ['character_not_found', 'forbidden', 'write_conflict'],

  run: ({ char_id, url, type, name = null }, context) =>
    learned(context, char_id, {
      kind: 'source',
      refresh: type === 'feed' ? 'daily' : 'weekly',
      url,
      source_type: type,
      typedAt: '/type',
      title: name,
    }),
})
