import * as z from 'zod'
import { ownRow } from '#src/characters/access.ts'
import { operation } from '#src/core/operation.ts'
import { retryUnmet } from '#src/core/revision.ts'
import { Warning, withWarnings } from '#src/core/schema.ts'
import { addition } from '#src/knowledge/adding.ts'
import { Address, SourceType, sourceWarnings, takenAddress } from '#src/knowledge/address.ts'
import { KnowledgeItem, publicItem } from '#src/knowledge/item.ts'
import { noRoom } from '#src/knowledge/shelf.ts'

export const learn = operation({
  name: 'knowledge.learn',
  summary: 'Have an agent read the page or file at an address, or read it again.',
  description:
    'It is read soon: knowledge.get tells when its status is indexed. source_type is web, file, ' +
    'feed or sitemap.',
  example: { char_id: 'ada', url: 'https://example.com/handbook' },
  auth: 'key',
  scope: 'agent',
  http: { method: 'POST', path: '/api/characters/{char_id}/knowledge/learn' },
  toolsets: ['knowledge'],
  input: z.strictObject({
    char_id: z.string().max(128),
    url: Address,
    source_type: SourceType.optional(),
  }),
  output: KnowledgeItem.extend({ warnings: z.array(Warning).optional() }),
  refuses: ['character_not_found', 'forbidden', 'write_conflict'],

  run({ char_id, url, source_type }, context) {
    return retryUnmet(async () => {
      await ownRow(context, char_id)
      const wanted = {
        kind: 'url',
        refresh: 'none',
        source_type,
        title: null,
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
      const shown = withWarnings(publicItem(item), sourceWarnings(source_type, '/source_type'))
      const answer = await context.commit(shown, writes, { bytes })
      context.wake.knowledge()
      return answer
    })
  },
})
