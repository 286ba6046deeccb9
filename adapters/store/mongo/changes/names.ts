import type { ClientSession, Collection, Document } from 'mongodb'
import type { Manner } from '#src/core/told/touch.ts'
import type { CollectionName } from '#src/ports/documents.ts'
import { touchOf } from '#src/touches.ts'
import { fromStoredDocument } from '../values.ts'
import type { Changes } from './changes.ts'

/** What a process tells others with. */
export type Telling = Pick<Changes, 'isHeard' | 'tell'>

/** Gathers the names that the writes of one call touch. */
export class Names {
  readonly #names = new Set<string>()

  /** What a document of the port touches that was written so. */
  add(collection: CollectionName, document: { id: string }, how: Manner): void {
    for (const name of touchOf(collection)?.names(document, how) ?? []) this.#names.add(name)
  }

  /** The same for a document as it is stored. */
  addStored(collection: CollectionName, stored: Document, how: Manner): void {
    this.add(collection, fromStoredDocument(stored), how)
  }

  /** What the documents touch that a filter is about to delete. */
  async addLeaving(
    collection: Collection<Document & { _id: string }>,
    query: object,
    session?: ClientSession,
  ): Promise<void> {
    // The collection was opened by this name.
    const name = collection.collectionName as CollectionName
    if (!touchOf(name)?.ofDeleted) return
    const leaving = await collection.find(query, { session, projection: namedIn(name) }).toArray()
    for (const stored of leaving) this.addStored(name, stored, 'deleted')
  }

  /**
   * Does the work, and then tells what it touched, also if it failed: it may have been done all the same. To be
   * called inside of a time limit, so that work which ends late is told too.
   */
  async toldAfter<T>(changes: Telling, work: () => Promise<T>): Promise<T> {
    try {
      return await work()
    } finally {
      changes.tell(this.#names)
    }
  }
}

/** The projection to what names of a collection are made of; undefined where there are none. */
export function namedIn(collection: CollectionName): Document | undefined {
  const touch = touchOf(collection)
  return touch && Object.fromEntries(['_id', ...touch.members].map((member) => [member, 1]))
}

/** Does the work with what gathers its names, if there are others to tell. */
export function told<T>(
  changes: Telling,
  work: (names: Names | undefined) => Promise<T>,
): Promise<T> {
  if (!changes.isHeard) return work(undefined)
  const names = new Names()
  return names.toldAfter(changes, () => work(names))
}
