import * as z from 'zod'
import { mayActFor, type Reach } from '#src/agents/access.ts'
import { Answer, type StreamEvent } from '#src/core/answer.ts'
import type { Context } from '#src/core/context.ts'
import { lookAgainMs } from '#src/core/listeners.ts'
import { operation } from '#src/core/operation.ts'
import { documentName } from '#src/core/told/touch.ts'
import { KnowledgeItem, publicItem, type StoredItem } from '#src/knowledge/item.ts'

const Standing = z.object({
  item: KnowledgeItem,
  settled_at: z.string().nullable().describe('When a reading of it last ended.'),
})

export const standings = operation({
  name: 'knowledge.standings',
  summary: 'Read the states of some items, of whichever agents, or follow them.',
  example: { item_ids: ['kno_…'] },
  auth: 'key',
  scope: 'agent',
  http: { method: 'GET', path: '/api/knowledge/standings' },
  toolsets: ['knowledge'],
  input: z.strictObject({ item_ids: z.array(z.string().max(64)).min(1).max(100) }),
  output: z.object({ items: z.array(Standing) }),
  refuses: [],
  internal: true,

  async run({ item_ids }, context) {
    return standingsOf(await ownItems(context, item_ids))
  },

  follow: ({ item_ids }, context) =>
    Promise.resolve(new Answer('', { events: stream([...new Set(item_ids)], context) })),
})

/** The items of these that agents of the caller have. */
async function ownItems({ store, caller }: Reach, ids: readonly string[]): Promise<StoredItem[]> {
  const found = await store.knowledge_items.find({ id: { $in: ids } })
  const agents = [...new Set(found.map(({ char_id }) => char_id))]
  const own = agents.filter((id) => mayActFor(caller, id))
  const shelves = await store.knowledge_shelves.find({
    id: { $in: own },
    owner_id: caller.accountId,
  })
  // What belonged to an agent before it was deleted is on none of them.
  const there = new Set(shelves.map(({ shelf }) => shelf))
  return found.filter(({ shelf }) => there.has(shelf))
}

function standingsOf(items: readonly StoredItem[]): { items: z.input<typeof Standing>[] } {
  return {
    items: items.map((item) => ({ item: publicItem(item), settled_at: item.settled_at ?? null })),
  }
}

/** How they stand, at each change, until there is none of them. */
async function* stream(
  ids: readonly string[],
  context: Context<'key'>,
): AsyncGenerator<StreamEvent> {
  let known = ''
  while (!context.signal?.aborted) {
    // Registered before reading, so that nothing is missed in between.
    const done = new AbortController()
    const signal = context.signal ? AbortSignal.any([context.signal, done.signal]) : done.signal
    const milliseconds = lookAgainMs()
    const told = Promise.race(
      ids.map((id) =>
        context.waiting.until(documentName('knowledge_items', id), milliseconds, signal),
      ),
    )
    try {
      const items = await ownItems(context, ids)
      if (items.length === 0) return
      const text = JSON.stringify(standingsOf(items))
      if (text !== known) yield { id: items[0]?.updated_at ?? '', type: 'knowledge.items', text }
      known = text
      await told
    } finally {
      done.abort()
    }
  }
}
