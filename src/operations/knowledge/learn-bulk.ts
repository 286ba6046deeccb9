import * as z from 'zod'
import { ownRow } from '#src/agents/access.ts'
import { operation } from '#src/core/operation.ts'
import { retryUnmet } from '#src/core/revision.ts'
import { Warning, withWarnings } from '#src/core/schema.ts'
import { addition } from '#src/knowledge/add.ts'
import { Address, judged, SourceType, sourceWarnings } from '#src/knowledge/address.ts'
import { KnowledgeItem, publicItem } from '#src/knowledge/item.ts'
import { fullShelf } from '#src/knowledge/library.ts'

const Learned = z.object({
  url: z.string().describe('As it was sent.'),
  item: KnowledgeItem.optional(),
  error: z.object({ code: z.string(), message: z.string() }).optional(),
})

export const learnBulk = operation({
  name: 'knowledge.learn_bulk',
  summary: 'Have an agent read up to a hundred addresses, each by itself.',
  description: 'Each address gets its item, or the error for which it was refused.',
  example: { char_id: 'ada', urls: ['https://example.com/a', 'https://example.com/b'] },
  auth: 'key',
  scope: 'agent',
  http: { method: 'POST', path: '/api/characters/{char_id}/knowledge/learn-bulk' },
  toolsets: ['knowledge'],
  learns: 'each',
  reachesOut: true,
  input: z.strictObject({
    char_id: z.string().max(128),
    urls: z.array(Address).min(1).max(100),
    source_type: SourceType.optional(),
  }),
  output: z.object({ items: z.array(Learned), warnings: z.array(Warning).optional() }),
  refuses: ['character_not_found', 'forbidden', 'write_conflict'],

  run({ char_id, urls, source_type }, context) {
    return retryUnmet(async () => {
      await ownRow(context, char_id)
      const verdicts = urls.map((url) => judged(context.sender, url))
      const wanted = verdicts.flatMap(({ url, fault }) => {
        if (fault) return []
        return [{ kind: 'url', refresh: 'none', source_type, title: null, url } as const]
      })
      const { items, writes, bytes } = await addition(context, char_id, wanted, context.clock.now())
      const next = items.values()
      const shown = urls.map((url, i) => {
        const error = verdicts[i]?.fault
        if (error) return { url, error }
        const item = next.next().value
        return item ? { url, item: publicItem(item) } : { url, error: fullShelf(char_id) }
      })
      const warnings = sourceWarnings(source_type, '/source_type')
      return context.commit(withWarnings({ items: shown }, warnings), writes, { bytes })
    })
  },
})
