import * as z from 'zod'
import { operation } from '#src/core/operation.ts'
import { Warning } from '#src/core/schema.ts'
import { Address, SourceType } from '#src/knowledge/address.ts'
import { KnowledgeItem } from '#src/knowledge/item.ts'
import { learned } from '#src/knowledge/learn.ts'

export const learn = operation({
  name: 'knowledge.learn',
  summary: 'Have an agent read the page or file at an address, or read it again.',
  description:
    'It is read soon: knowledge.get shows the status indexed when it is done. source_type is ' +
    'web, file, feed or sitemap.',
  example: { char_id: 'ada', url: 'https://example.com/handbook' },
  auth: 'key',
  scope: 'agent',
  http: { method: 'POST', path: '/api/characters/{char_id}/knowledge/learn' },
  toolsets: ['knowledge'],
  learns: 'all',
  reachesOut: true,
  input: z.strictObject({
    char_id: z.string().max(128),
    url: Address,
    source_type: SourceType.optional(),
  }),
  output: KnowledgeItem.extend({ warnings: z.array(Warning).optional() }),
  refuses: ['character_not_found', 'forbidden', 'write_conflict'],

  run: ({ char_id, url, source_type }, context) =>
    learned(context, char_id, {
      kind: 'url',
      refresh: 'none',
      url,
      source_type,
      typedAt: '/source_type',
      title: null,
    }),
})
