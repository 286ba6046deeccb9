import type { CollectionDefinition } from '#src/ports/documents.ts'
import type { Hit, SearchOptions, SearchQuery } from '#src/ports/search.ts'
import { checkedSearch } from '#adapters/store/checked.ts'
import { where } from '../filter.ts'
import { markToken } from './tables.ts'
import type { SearchThread } from './thread.ts'

/** Searches a collection of the embedded store. @throws TypeError, Unavailable */
export async function searchDocuments(
  thread: SearchThread,
  collection: string,
  definition: CollectionDefinition,
  query: SearchQuery,
  options: SearchOptions<never>,
): Promise<Hit[]> {
  const { search, marks, without, limit } = checkedSearch(collection, definition, query, options)
  if (limit === 0) return []
  const { words, phrases, mode } = query
  const places = search.marks ?? []
  return thread.ask({
    collection,
    sought: {
      words,
      phrases,
      mode,
      weights: Object.values(search.words),
      marks: marks.map(([path, value]) => markToken(places.indexOf(path), value)),
      without: without.flatMap(([path, values]) =>
        values.map((value) => markToken(places.indexOf(path), value)),
      ),
    },
    filter: where(definition, options.filter ?? {}),
    limit,
    textless: options.textless === true,
  })
}
