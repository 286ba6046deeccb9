import type { OpenedStore } from '#adapters/store/opened.ts'
import { collections } from '#src/collections.ts'
import { emptyDatabase } from './databases.ts'

/** Where something may have been written into a database, so that only that need be emptied. */
export class Writings {
  readonly #uri: string
  readonly #names = new Set<string>()
  #isKnown = false

  /** @param uri of a database of which nothing is known yet */
  constructor(uri: string) {
    this.#uri = uri
  }

  /** From now on others may write too. */
  ofOthers(): void {
    this.#isKnown = false
  }

  /** The store, whose inserts are noted: nothing else brings a document that was not there. */
  noting(store: OpenedStore): OpenedStore {
    const names = this.#names
    const noting: Record<string, unknown> = {
      ...store,
      commit(writes: Parameters<OpenedStore['commit']>[0]) {
        for (const write of writes) if ('insert' in write) names.add(write.in)
        return store.commit(writes)
      },
    }
    for (const name of Object.keys(collections)) {
      const collection = collectionOf(store, name)
      noting[name] = {
        ...collection,
        insert(...given: Parameters<typeof collection.insert>) {
          names.add(name)
          return collection.insert(...given)
        },
      }
    }
    const { files } = store
    if (files) {
      noting.files = {
        ...files,
        put(...given: Parameters<typeof files.put>) {
          for (const part of ['files', 'chunks']) names.add(`files.${part}`)
          return files.put(...given)
        },
      }
    }
    // The members are those of the store.
    return noting as unknown as OpenedStore
  }

  /** Empties what was written to. */
  async undo(): Promise<void> {
    const names = [...this.#names]
    this.#names.clear()
    if (!this.#isKnown) await emptyDatabase(this.#uri)
    else if (names.length > 0) await emptyDatabase(this.#uri, names)
    this.#isKnown = true
  }
}

interface Inserting {
  insert(...given: unknown[]): Promise<void>
}

function collectionOf(store: OpenedStore, name: string): Inserting {
  // Every name of the table is a collection of the store.
  return (store as unknown as Record<string, Inserting>)[name] as Inserting
}
