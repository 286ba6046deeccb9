import type { Dotted, Filter } from './filter.ts'
import type { CollectionName, Documents } from './documents.ts'
import type { Search } from './search.ts'
import type { Touched } from './touched.ts'

/** A change in place. Paths come from the source; a value may have any names that a caller sent. */
export interface Change<T> {
  $set?: Partial<T> & { [K in Dotted<T>]?: unknown }
  $unset?: { [K in (keyof T & string) | Dotted<T>]?: true }
  $inc?: { [K in (keyof T & string) | Dotted<T>]?: number }
  $push?: { [K in (keyof T & string) | Dotted<T>]?: unknown }
}

/** Sort by up to two paths; ties are broken by `id`, in the direction of the last path. */
export type Sort<T> = { [K in (keyof T & string) | Dotted<T>]?: 1 | -1 }

/** The order, and the maximum number. */
export interface FindOptions<T> {
  sort?: Sort<T>
  limit?: number
}

/** Also limits how much is read. */
export interface ReadOptions<T> extends FindOptions<T> {
  /**
   * Once the documents together are longer than this, as text, no more are read: the last of them may exceed
   * it, and at least two are returned if there are two.
   */
  charactersAtMost?: number
  /** Whether large values that are kept apart are read too, as is usual; otherwise null is in their place. */
  large?: boolean
}

/** Options of a write. */
export interface WriteOptions {
  /** Joins the next commit or makes its own within 20 ms: for writes that no one waits for. */
  lazy?: boolean
}

/** A stored document in its wire form, unparsed and without the collection's hidden members. */
export interface Row {
  id: string
  text: string
}

/** The values at some paths of a document, in their order. */
export type Picked = (string | number | null)[]

/**
 * One stored type. Documents are returned as new objects on every read.
 * Every method throws `Unavailable` if the store cannot be reached or cannot write.
 */
export interface Collection<T extends { id: string }> {
  get(id: string): Promise<T | undefined>
  find(filter: Filter<T>, options?: ReadOptions<T>): Promise<T[]>
  /** @param atMost where it ends; by default it counts every match */
  count(filter: Filter<T>, atMost?: number): Promise<number>
  /** The stored JSON, for reads that change nothing: the access rule is in the filter. */
  text(filter: Filter<T>, options?: ReadOptions<T>): Promise<Row[]>
  /**
   * The values at these paths, hidden ones included: texts and numbers, a boolean as 1 or 0, null for null or
   * missing. For reads that need little of large documents.
   */
  pick(
    paths: readonly ((keyof T & string) | Dotted<T>)[],
    filter: Filter<T>,
    options?: FindOptions<T>,
  ): Promise<Picked[]>
  /** @throws DuplicateKey when the id or a unique index is taken. */
  insert(document: T, options?: WriteOptions): Promise<void>
  /** Changes the first match atomically and returns it as it now is; undefined if none matches. */
  update(
    filter: Filter<T>,
    change: Change<T>,
    options?: FindOptions<T> & WriteOptions,
  ): Promise<T | undefined>
  /** Deletes every match and returns their number. */
  delete(filter: Filter<T>): Promise<number>
}

/** One of several reads of stored JSON, as `text` of its collection reads it. */
export type TextRead = {
  [N in CollectionName]: {
    in: N
    filter: Filter<Documents[N]>
    options?: ReadOptions<Documents[N]>
  }
}[CollectionName]

/**
 * One step of a commit. An update or replace must match a document, else the commit fails: `Unmet`.
 * An insert may bring further members as the inside of a JSON object, `"name":value,…`, none of them
 * hidden or filtered on: so a large part that exists as text need not be parsed and serialised again.
 */
export type Write = {
  [N in CollectionName]:
    | { in: N; insert: Documents[N]; more?: string | null }
    | { in: N; update: Filter<Documents[N]>; change: Change<Documents[N]> }
    | { in: N; update: Filter<Documents[N]>; replace: Documents[N] }
    | { in: N; delete: Filter<Documents[N]> }
}[CollectionName]

/** Acknowledged commits that are lost, as the store found when it was opened, now or before. */
export interface Loss {
  commits: number
  /** RFC 3339. */
  noticed_at: string
  /** The file that a person removes once they have dealt with the loss. */
  file: string
}

/**
 * Stores all documents. A transaction is a value: read, decide in a pure function, then `commit` the
 * writes, all or none, with the revision that was read in the filter of an update.
 */
export type Store = { readonly [N in CollectionName]: Collection<Documents[N]> } & Search & {
    /** Resolves once every write is durable. @throws DuplicateKey, Unmet, Unavailable */
    commit(writes: readonly Write[]): Promise<void>
    /**
     * The stored JSON of several reads in one step: on the embedded store all of one moment, on MongoDB at
     * the same time.
     */
    texts(reads: readonly TextRead[]): Promise<Row[][]>
    /**
     * Calls back with what another process has touched, once that can be read; returns the function that ends
     * it. Writes that touch nothing with a name may pass without a call.
     */
    watch(listener: (touched: Touched) => void): () => void
    /** The store's clock, which decides when work is due: that of the server, or of the machine. */
    now(): Promise<Date>
    /**
     * A clock that all processes of one store share, and that runs evenly even if the time of this machine is
     * set or the machine has slept. For leases only: its times are not for display.
     */
    leaseTime(): Promise<Date>
    /** Whether the store answers, for `/health`. */
    isHealthy(): Promise<boolean>
    /** Lost commits, until a person has dealt with them; absent if a store cannot tell. */
    loss?(): Loss | undefined
    /**
     * Gives a little of the space that nothing uses any more back to the file system; absent if a store's server
     * does so itself.
     * @returns whether there is more
     */
    giveBack?(): Promise<boolean>
    close(): Promise<void>
  }

/** A document with this id, or with this value of a unique index, already exists. */
export class DuplicateKey extends Error {
  override readonly name = 'DuplicateKey'
  readonly in: CollectionName
  /** The paths of the unique index; `id` for the primary key. */
  readonly paths: readonly string[]

  constructor(collection: CollectionName, paths: readonly string[], options?: ErrorOptions) {
    super(`a document in ${collection} has the same ${paths.join(' and ')}`, options)
    this.in = collection
    this.paths = paths
  }
}

/** An update of a commit matched nothing, so nothing of the commit was done. */
export class Unmet extends Error {
  override readonly name = 'Unmet'
  readonly in: CollectionName
  /** The position of the write in the commit. */
  readonly index: number

  constructor(collection: CollectionName, index: number) {
    super(`no document in ${collection} matches write ${index} of the commit`)
    this.in = collection
    this.index = index
  }
}

/** The store is unreachable, full, or could not finish in time. */
export class Unavailable extends Error {
  override readonly name = 'Unavailable'
  /** Whether the writes may have been done, so that a retry is only safe with an idempotency key. */
  readonly outcomeUnknown: boolean
  /** Whether there was no room for the writes. */
  readonly isFull: boolean
  /** Whether it cannot be used at all for now; else it had too much to do, or is closed. */
  readonly isAway: boolean

  constructor(
    message: string,
    options: ErrorOptions & { outcomeUnknown?: boolean; isFull?: boolean; isAway?: boolean } = {},
  ) {
    super(message, options)
    this.outcomeUnknown = options.outcomeUnknown ?? false
    this.isFull = options.isFull ?? false
    this.isAway = options.isAway ?? false
  }
}
