import type { Dotted, Filter } from './filter.ts'
import type { CollectionName, Documents } from './documents.ts'
import type { Search } from './search.ts'

/** A change in place. Paths are ours; a value may hold any name that a caller sent. */
export interface Change<T> {
  $set?: Partial<T> & { [K in Dotted<T>]?: unknown }
  $unset?: { [K in (keyof T & string) | Dotted<T>]?: true }
  $inc?: { [K in (keyof T & string) | Dotted<T>]?: number }
  $push?: { [K in (keyof T & string) | Dotted<T>]?: unknown }
}

/** Sort by up to two paths; ties are broken by `id`, in the direction of the last path. */
export type Sort<T> = { [K in (keyof T & string) | Dotted<T>]?: 1 | -1 }

/** In which order, and how many at most. */
export interface FindOptions<T> {
  sort?: Sort<T>
  limit?: number
}

/** What of the rows is read as text. */
export interface TextOptions<T> extends FindOptions<T> {
  /**
   * Once the texts are longer than that together no more are read: the last of them may be beyond it, and
   * two are given where there are two.
   */
  charactersAtMost?: number
}

/** How a write is done. */
export interface WriteOptions {
  /** Joins the next commit or makes its own within 20 ms: for writes that nobody waits for. */
  lazy?: boolean
}

/** A stored document as the wire spells it, unparsed and without the collection's hidden members. */
export interface Row {
  id: string
  text: string
}

/** What stands at some paths of a document, in their order. */
export type Picked = (string | number | null)[]

/**
 * One stored type. Documents come back as new objects on every read.
 * Every method throws `Unavailable` when the store cannot be reached or cannot write.
 */
export interface Collection<T extends { id: string }> {
  get(id: string): Promise<T | undefined>
  find(filter: Filter<T>, options?: FindOptions<T>): Promise<T[]>
  count(filter: Filter<T>): Promise<number>
  /** The stored JSON, for reads that change nothing: the access rule stands in the filter. */
  text(filter: Filter<T>, options?: TextOptions<T>): Promise<Row[]>
  /**
   * What stands at these paths, hidden ones too: texts and numbers, a truth value as 1 or 0, null for
   * what is null or missing. For reads that need little of large documents.
   */
  pick(
    paths: readonly ((keyof T & string) | Dotted<T>)[],
    filter: Filter<T>,
    options?: FindOptions<T>,
  ): Promise<Picked[]>
  /** @throws DuplicateKey when the id or a unique index is taken. */
  insert(document: T, options?: WriteOptions): Promise<void>
  /** Changes the first match atomically and gives it as it now is; undefined when none matches. */
  update(
    filter: Filter<T>,
    change: Change<T>,
    options?: FindOptions<T> & WriteOptions,
  ): Promise<T | undefined>
  /** Deletes every match and gives their number. */
  delete(filter: Filter<T>): Promise<number>
}

/**
 * One step of a commit. An update or replace must match a document, else the commit fails: `Unmet`.
 * An insert may bring further members as the inside of a JSON object, `"name":value,…`, none of them
 * hidden or filtered on: what is large and at hand as text need not be built and written again.
 */
export type Write = {
  [N in CollectionName]:
    | { in: N; insert: Documents[N]; more?: string | null }
    | { in: N; update: Filter<Documents[N]>; change: Change<Documents[N]> }
    | { in: N; update: Filter<Documents[N]>; replace: Documents[N] }
    | { in: N; delete: Filter<Documents[N]> }
}[CollectionName]

/** What was acknowledged and is gone, as a store found when it was opened, now or before. */
export interface Loss {
  commits: number
  /** RFC 3339. */
  noticed_at: string
  /** What a person removes once they have seen to it. */
  file: string
}

/**
 * Where everything is kept. A transaction is a value: read, decide in a pure function, then
 * `commit` the writes, all or none, with the revision that was read in the filter of an update.
 */
export type Store = { readonly [N in CollectionName]: Collection<Documents[N]> } & Search & {
    /** Resolves once every write is durable. @throws DuplicateKey, Unmet, Unavailable */
    commit(writes: readonly Write[]): Promise<void>
    /** Calls back after another process has committed; gives the function that ends it. */
    watch(listener: () => void): () => void
    /** The store's clock, by which work comes due: of the server, or of the machine. */
    now(): Promise<Date>
    /**
     * A clock that all processes on one store share, and that goes on evenly where the time of this
     * machine is set or the machine has slept: for leases alone. Its times are not for showing.
     */
    leaseTime(): Promise<Date>
    /** Whether the store answers, for `/health`. */
    isHealthy(): Promise<boolean>
    /** What is missing, until a person has seen to it; absent where a store cannot tell. */
    loss?(): Loss | undefined
    close(): Promise<void>
  }

/** A document with this id, or with this value of a unique index, exists already. */
export class DuplicateKey extends Error {
  override readonly name = 'DuplicateKey'
  readonly in: CollectionName
  /** The paths of the unique index, `id` for the key itself. */
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

/** The store is away, full, or could not finish in time. */
export class Unavailable extends Error {
  override readonly name = 'Unavailable'
  /** Whether the writes may have been done all the same, so that only an idempotency key makes a retry safe. */
  readonly outcomeUnknown: boolean
  /** Whether there was no room left for what was to be written. */
  readonly isFull: boolean

  constructor(
    message: string,
    options: ErrorOptions & { outcomeUnknown?: boolean; isFull?: boolean } = {},
  ) {
    super(message, options)
    this.outcomeUnknown = options.outcomeUnknown ?? false
    this.isFull = options.isFull ?? false
  }
}
