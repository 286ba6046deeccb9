import * as z from 'zod'
import { operation } from '#src/core/operation.ts'
import { pageInput, pageOf, readPage } from '#src/core/page.ts'
import { shownPrices } from '#src/money/orders/prices/shown-prices.ts'
import { publicAgent } from '#src/agents/public/read.ts'
import { publicOffer, PublicTask } from '#src/money/orders/public-offer.ts'
import type { StoredTask } from '#src/agents/tasks/task.ts'

export const tasks = operation({
  name: 'public.tasks',
  summary: 'List what a public or unlisted agent offers: its public tasks and services.',
  example: { char_id: 'ada' },
  auth: 'none',
  http: { method: 'GET', path: '/api/public/agents/{char_id}/tasks' },
  toolsets: ['agents'],
  input: z.strictObject({
    char_id: z.string().max(128),
    ...pageInput,
    limit: z.int().min(1).max(100).default(100).describe('Items a page.'),
  }),
  output: pageOf(PublicTask),
  refuses: ['character_not_found', 'cursor_invalid'],
  untrusted: true,

  async run({ char_id, ...page }, context) {
    const { store, settings } = context
    const { owner_id } = await publicAgent(store, char_id)
    const order = { list: `public tasks ${char_id}`, by: 'order', direction: 1 } as const
    const open = { char_id, owner_id, public: true }
    const { rows, next } = await readPage(store.tasks, open, page, order)
    // Documents that the server stored itself; their hidden members are never shown.
    const tasks = rows.map(({ text }) => JSON.parse(text) as StoredTask)
    const priceOf = await shownPrices(context, tasks)
    const { publicUrl } = settings
    const items = tasks.map((task) => publicOffer(task, { price: priceOf(task), publicUrl }))
    return { items, next_cursor: next }
  },
})
