/**
 * Every stored type by the name of its collection. Each district adds its own in its `collections.ts`.
 */
export interface Documents {}

/** An index over up to four paths. A unique one leaves out documents where its first path is null. */
export interface Index {
  on: Record<string, 1 | -1>
  unique?: true
  /**
   * It is only queried for documents where this one of its paths is set, and may leave out the others. A filter names
   * values or bounds of that path: none is found by `$ne` alone.
   */
  sparse?: string
  /** That path holds numbers; without this, texts. */
  ofNumbers?: true
}

/** What a store has to know of a collection. */
export interface CollectionDefinition {
  /**
   * The path by which its documents can be divided among the shards of a cluster; null for what stays together on one.
   * Filters of the hot path name a value of it, and so does every document. `docs/scale.md` lists them.
   */
  shardKey: string | null
  /**
   * Members that are never sent: stored next to the wire document, so that stored text can be sent as it is.
   * They are filtered, sorted and changed like any other member, by their top-level name.
   */
  hidden: readonly string[]
  indexes: readonly Index[]
  /**
   * Top-level members set by the server, scalars that are always well-formed, which a store may keep apart
   * from the rest: a change then touches only the indexes whose members change.
   */
  columns?: readonly string[]
  search?: SearchDefinition
  /**
   * Top-level members, shown, whose large values are documents of `large_values`, each once for its account. For
   * each member there is a hidden one, `…_ref`, with an index.
   */
  large?: readonly string[]
  /** Those of them that are written more than once: what another value replaces goes at once. */
  rewritten?: readonly string[]
}

/** The definitions of some of them. */
export type CollectionsOf<D> = { readonly [N in keyof D]: CollectionDefinition }

/** The name of a collection. */
export type CollectionName = keyof Documents

/** How the documents of a collection are found by their words. Hidden members may be named. */
export interface SearchDefinition {
  /** Top-level members whose text is searched, each with its weight; the lowest is 1 by convention. */
  words: Readonly<Record<string, number>>
  /** Paths of a text or of a list of texts that can narrow a search, matched exactly. */
  marks?: readonly string[]
  /** A top-level boolean: only documents where it is true are found. */
  only?: string
}
