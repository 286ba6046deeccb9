import { brokenCursor, openCursor, sealCursor, type Order, type Page } from '#src/core/page.ts'
import { parseQuery } from '#src/core/text/search-query.ts'
import type { SearchQuery } from '#src/ports/search.ts'
import type { CommonsHit } from './hit.ts'
import { meant, merged, type Meaning } from './meant.ts'
import { termsOf } from './reasons.ts'
import { foundBy, shownHits, type Found, type Narrowing } from './search.ts'

/** Hits that can be paged through. */
const hitsAtMost = 200

/** A page of results. */
export interface SearchPage {
  items: CommonsHit[]
  mode: SearchQuery['mode']
  next: string | null
}

/**
 * A page of hits, best first: by words, and by meaning if the operator has chosen a model. If nothing has every
 * word, it holds the best of those that have some.
 * @throws Refusal `cursor_invalid`; Unavailable
 */
export async function searchPage(
  ports: Meaning,
  q: string,
  narrowing: Narrowing,
  { limit, cursor }: Page,
): Promise<SearchPage> {
  const { store } = ports
  const order: Order = { list: orderName(q, narrowing), by: 'place', direction: 1 }
  const { from, began } = placeOf(order, cursor)
  const near = await meant(ports, q, narrowing)
  // Merged with another ranking, a hit may come from anywhere in this one.
  const most = near.length > 0 ? hitsAtMost : Math.min(hitsAtMost, from + limit + 1)
  const { query, found: worded } = await bothWays(store, q, narrowing, most, began)
  const found = merged(worded, near)
  const shown = found.slice(from, Math.min(from + limit, hitsAtMost))
  const hasMore = found.length > from + limit && from + limit < hitsAtMost
  return {
    items: await shownHits(ports, query, shown),
    mode: query.mode,
    next: hasMore ? sealCursor(order, [from + limit, query.mode]) : null,
  }
}

/** Cursors can be forged, and this position is a number of hits. */
function placeOf(
  order: Order,
  cursor: string | undefined,
): { from: number; began: string | undefined } {
  if (cursor === undefined) return { from: 0, began: undefined }
  const [from, began] = openCursor(order, cursor)
  const isPlace = typeof from === 'number' && Number.isInteger(from) && from > 0
  if (isPlace && from < hitsAtMost && (began === 'all' || began === 'any')) return { from, began }
  return brokenCursor()
}

async function bothWays(
  store: Meaning['store'],
  q: string,
  narrowing: Narrowing,
  most: number,
  began: string | undefined,
): Promise<{ query: SearchQuery; found: Found[] }> {
  const strict = parseQuery(q)
  if (began !== 'any') {
    const found = await foundBy(store, strict, narrowing, most)
    if (found.length > 0 || began === 'all' || termsOf(strict) < 2) return { query: strict, found }
  }
  const loose: SearchQuery = { ...strict, mode: 'any' }
  return { query: loose, found: await foundBy(store, loose, narrowing, most) }
}

/** A cursor is valid only for the same search. */
function orderName(q: string, { board, tag, author }: Narrowing): string {
  return JSON.stringify(['commons.search', q, board, tag, author])
}
