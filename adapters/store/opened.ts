import type { Disk } from './space/watch.ts'
import type { CollectionName, Documents } from '#src/ports/documents.ts'
import type { Filter } from '#src/ports/filter.ts'
import type { Picked, Sort, Store } from '#src/ports/store.ts'
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

/** A store that an older version has made, and this one has given its own form. */
export interface Upgrade {
  from: number
  to: number
  /** The file that has it as it was. */
  copy: string
}

/** Documents to be counted in groups; only those that come first in the order are looked at. */
export type Tally = {
  [N in CollectionName]: {
    in: N
    filter: Filter<Documents[N]>
    sort?: Sort<Documents[N]>
    /** The paths whose values make a group. */
    by: readonly string[]
    /** The path of which the least value in each group is told. */
    least: string
    atMost: number
  }
}[CollectionName]

/** How many there are with these values. */
export interface Tallied {
  by: Picked
  count: number
  least: Picked[number]
}

/** The bytes that a store takes: its documents, its indexes where these are apart, and what it logs. */
export interface StoreSizes {
  data: number
  indexes: number
  log: number
}

/** A store, including files if it stores them itself. */
export type OpenedStore = Store & {
  /** The version of the form in which it keeps documents. */
  readonly form?: number
  readonly files?: Files
  /** Present where it was made by an older version. */
  readonly upgrade?: Upgrade
  /** The disk of its server, if the server reports it; for the embedded store, measure the folder. */
  readonly disk?: () => Promise<Disk | undefined>
  /** Counts off the event loop, and in bounded time: of very many, or very large, only the first. */
  readonly tally?: (tally: Tally) => Promise<Tallied[]>
  readonly sizes?: () => Promise<StoreSizes>
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
