import type { CollectionName, Documents } from '#src/ports/documents.ts'
import type { Wake } from '#src/ports/wake.ts'

/** How a document was written; of an update, the paths that it changed. */
export type Manner = 'inserted' | 'replaced' | 'deleted' | ReadonlySet<string>

/** Which names a write to a document of one collection touches, for those who wait in other processes. */
export interface Touch {
  readonly in: CollectionName
  /** The members that the names are made of, besides the id. */
  readonly members: readonly string[]
  /** Whether the names of deleted documents matter. */
  readonly ofDeleted: boolean
  /** @param document as it is after the write, or was before it was deleted; at least its `members` */
  names(document: { id: string }, how: Manner): readonly string[]
}

interface TouchOf<N extends CollectionName, M extends keyof Documents[N] & string> {
  in: N
  members?: readonly M[]
  ofDeleted?: true
  names(document: Pick<Documents[N], M> & { id: string }, how: Manner): readonly string[]
}

/** A row of `src/touches.ts`. */
export function touch<N extends CollectionName, M extends keyof Documents[N] & string = never>(
  row: TouchOf<N, M>,
): Touch {
  return {
    in: row.in,
    members: row.members ?? [],
    ofDeleted: row.ofDeleted ?? false,
    // The store hands on documents of this collection, with the members that the row names.
    names: (document, how) => row.names(document as Parameters<typeof row.names>[0], how),
  }
}

/** The name of a document. */
export function documentName(collection: CollectionName, id: string): string {
  return `${collection}/${id}`
}

/** The name of what wakes a loop. */
export function loopName(loop: keyof Wake): string {
  return `loops/${loop}`
}

/** Whether an update changed nothing but some of these paths. */
export function changesOnly(how: Manner, paths: ReadonlySet<string>): boolean {
  return typeof how !== 'string' && how.isSubsetOf(paths)
}

/** A row for a collection of which callers are made: each document has its name, except for a mere use. */
export function touchOfCallers(collection: CollectionName, unseen: readonly string[] = []): Touch {
  const ignored = new Set(unseen)
  return touch({
    in: collection,
    ofDeleted: true,
    // What is new is cached nowhere yet.
    names: ({ id }, how) =>
      how === 'inserted' || changesOnly(how, ignored) ? [] : [documentName(collection, id)],
  })
}
