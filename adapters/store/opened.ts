import type { Disk } from './space/watch.ts'
import type { Store } from '#src/ports/store.ts'
import type { Meter } from '#src/ports/meter.ts'
import type { Files } from '#src/ports/files.ts'

/** What the embedded store has done, added up. */
export interface StoreWork {
  /** Statements outside of transactions. */
  looks: number
  /** Transactions, in each of which any number of writes may be. */
  commits: number
  /** Statements inside them, without those that every transaction has. */
  statements: number
  /** Rows that these have inserted, changed or deleted themselves, without what triggers did. */
  rows: number
  /** Bytes of the values that were bound for it. */
  bytes: number
}

/** A store, including files if it stores them itself. */
export type OpenedStore = Store & {
  readonly files?: Files
  /** The disk of its server, if the server reports it; for the embedded store, measure the folder. */
  readonly disk?: () => Promise<Disk | undefined>
  /**
   * From now on marks each piece of synchronous work of the store by name, if the store does any
   * itself.
   */
  watchedBy?(meter: Pick<Meter, 'during'>): void
  /** From now on adds to this what the statements do, if the store runs any itself. */
  countedBy?(work: StoreWork): void
  /**
   * Does some work while no one else uses the store, and leaves nothing of what it replaced in the
   * store's files. Present only if the store can do so.
   */
  wiping?<T>(work: () => Promise<T>): Promise<T>
}
