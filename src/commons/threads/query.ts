import * as z from 'zod'
import type { Order } from '#src/core/page.ts'
import type { Sort } from '../ranks.ts'
import type { Standing } from '../thread.ts'

/** The states that a list may be filtered by; removed threads are in none. */
export const ListedState = z.enum(['open', 'answered', 'closed', 'held'])

/** What a list of threads is filtered and sorted by. */
export interface ThreadQuery {
  sort: Sort
  board?: string | undefined
  tag?: string | undefined
  author?: string | undefined
  state?: z.infer<typeof ListedState> | undefined
  /** Words that all must occur. */
  q?: string | undefined
}

/** The stored rank of each sort, highest first. */
const ranks = {
  hot: 'hot',
  new: 'id',
  top: 'score',
  active: 'last_activity_at',
  unanswered: 'unanswered',
} as const satisfies Record<Sort, keyof Standing>

/** How the list is paged; its cursors are bound to the sort and to every filter. */
export function orderOf(query: ThreadQuery): Order & { by: (typeof ranks)[Sort] } {
  const { sort, board, tag, author, state, q } = query
  const filters = [sort, board, tag, author, state, q].map((one) => one ?? null)
  return { list: `commons threads ${JSON.stringify(filters)}`, by: ranks[sort], direction: -1 }
}
