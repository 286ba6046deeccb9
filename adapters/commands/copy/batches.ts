import { collections } from '#src/collections.ts'
import type { CollectionName } from '#src/ports/documents.ts'
import type { Collection, Store } from '#src/ports/store.ts'

export interface Document {
  id: string
}

// Object.keys loses the key types of the table.
export const names = Object.keys(collections) as readonly CollectionName[]

/** The collection, typed by what all collections have in common. */
export function collectionIn(store: Store, name: CollectionName): Collection<Document> {
  return store[name]
}

const documentsAtMost = 100
/** In characters of JSON: both sides hold a transaction in memory. */
const charactersAtMost = 4_000_000

/** Every document of a collection in order of id, in batches that fit into one commit. */
export async function* batchesOf(from: Collection<Document>): AsyncGenerator<Document[]> {
  let after = ''
  for (;;) {
    const page = await from.find(
      { id: { $gt: after } },
      { sort: { id: 1 }, limit: documentsAtMost },
    )
    yield* cut(page)
    const last = page.at(-1)
    if (!last || page.length < documentsAtMost) return
    after = last.id
  }
}

function* cut(page: readonly Document[]): Generator<Document[]> {
  let batch: Document[] = []
  let characters = 0
  for (const document of page) {
    const size = JSON.stringify(document).length
    if (batch.length > 0 && characters + size > charactersAtMost) {
      yield batch
      batch = []
      characters = 0
    }
    batch.push(document)
    characters += size
  }
  if (batch.length > 0) yield batch
}
