import type { Store } from '#src/ports/store.ts'
import { parseQuery } from '#src/core/text/search-query.ts'
import type { Standing } from '../thread.ts'
import type { ThreadQuery } from './query.ts'

/** How many threads found by words are listed: the best matches. */
const wordedAtMost = 200

/** The listed threads that hold every word and phrase, in no particular order. @throws Unavailable */
export async function worded(
  store: Store,
  q: string,
  { board, tag, author, state }: ThreadQuery,
): Promise<Standing[]> {
  const marks = {
    ...(board !== undefined && { board }),
    ...(tag !== undefined && { tags: tag }),
    ...(author !== undefined && { 'author.handle': author }),
  }
  const query = parseQuery(q)
  const hits = await store.search('commons_threads', query, { limit: wordedAtMost, marks })
  if (hits.length === 0) return []
  const found = await store.commons_standings.find({ id: { $in: hits.map(({ id }) => id) } })
  return found.filter((one) => one.listed === 1 && (state === undefined || one.state === state))
}
