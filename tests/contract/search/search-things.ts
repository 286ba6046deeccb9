import { afterAll } from 'vitest'
import { collections } from '#src/collections.ts'
import { parseQuery } from '#src/core/text/search-query.ts'
import type { SearchDefinition } from '#src/ports/documents.ts'
import type { Hit, SearchOptions } from '#src/ports/search.ts'
import { hiding, keyed, plain, type Thing, type Things } from '#tests/contract/store-things.ts'

/** What the suite searches: to a store, what a collection is about makes no difference. */
const searches: Record<typeof plain | typeof hiding | typeof keyed, SearchDefinition> = {
  [plain]: { words: { title: 8, body: 1 }, marks: ['board', 'tags', 'author.handle'] },
  // All of it is hidden but the output.
  [hiding]: { words: { output: 4, claim: 1 }, marks: ['family'], only: 'open' },
  [keyed]: { words: { name: 1 } },
}

/** Makes the collections of the suite searchable, in every store that the tests of a file open. */
export function makeSearchable(): void {
  for (const [name, search] of Object.entries(searches)) {
    const collection = collections[name as keyof typeof searches]
    const before = { ...collection }
    Object.assign(collection, { search })
    // Other files see the same definitions.
    afterAll(() => {
      if (!('search' in before)) Reflect.deleteProperty(collection, 'search')
      Object.assign(collection, before)
    })
  }
}

type Options = Partial<SearchOptions<Thing>> & { in?: keyof typeof searches; mode?: 'all' | 'any' }

/** The hits of what a caller types. */
export function find(store: Things, text: string, options: Options = {}): Promise<Hit[]> {
  const { in: name = plain, mode, limit = 20, ...rest } = options
  return store.search(name, parseQuery(text, mode), { limit, ...rest })
}

/** The ids of what is found, sorted, for tests that do not depend on rank. */
export async function found(store: Things, text: string, options?: Options): Promise<string[]> {
  return (await find(store, text, options)).map(({ id }) => id).toSorted()
}
