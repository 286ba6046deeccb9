import type { Files } from '#src/ports/files.ts'
import type { Store } from '#src/ports/store.ts'

/** Something in the store that cannot be as it is. */
export interface Fault {
  /** Where: a table, or a collection with the id of a document. */
  at: string
  fault: string
}

/** What a check reads, and what it tells of its progress. */
export interface Verifying {
  store: Store
  files: Files
  /** So many documents more were looked at. */
  looked: (count: number) => void
}
