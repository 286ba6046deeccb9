import * as z from 'zod'
import { ownRow } from '#src/characters/access.ts'
import { PlainName } from '#src/characters/name.ts'
import { operation } from '#src/core/operation.ts'
import { retryUnmet } from '#src/core/revision.ts'
import { Warning, withWarnings } from '#src/core/schema.ts'
import { addition } from '#src/knowledge/adding.ts'
import { Address, SourceType, sourceWarnings, takenAddress } from '#src/knowledge/address.ts'
import { KnowledgeItem, publicItem } from '#src/knowledge/item.ts'
import { noRoom } from '#src/knowledge/shelf.ts'

export const add = operation({
  name: 'knowledge.sources.add',
  summary: 'Have an agent follow an address: it is read now and again and again.',
  description:
    'type is web, file, feed (read daily, others weekly) or sitemap: its pages, up to 200 of the ' +
    'same host, become items of their own.',
  example: { char_id: 'ada', url: 'https://example.com/feed.xml', type: 'feed', name: 'News' },
  auth: 'key',
  scope: 'agent',
  http: { method: 'POST', path: '/api/characters/{char_id}/knowledge/sources' },
  toolsets: ['knowledge'],
  input: z.strictObject({
    char_id: z.string().max(128),
    url: Address,
    type: SourceType.optional(),
    name: PlainName.optional(),
  }),
  output: KnowledgeItem.extend({ warnings: z.array(Warning).optional() }),
  refuses: ['character_not_found', 'forbidden', 'write_conflict'],

  run({ char_id, url, type, name = null }, context) {
    return retryUnmet(async () => {
      await ownRow(context, char_id)
      const wanted = {
        kind: 'source',
        refresh: type === 'feed' ? 'daily' : 'weekly',
        source_type: type,
        title: name,
        url: takenAddress(context.sender, url),
      } as const
      const { items, writes, bytes } = await addition(
        context,
        char_id,
        [wanted],
        context.clock.now(),
      )
      const [item] = items
      if (!item) return noRoom(char_id)
      const shown = withWarnings(publicItem(item), sourceWarnings(type, '/type'))
      const answer = await context.commit(shown, writes, { bytes })
      context.wake.knowledge()
      return answer
    })
  },
})
