import type { Documents } from './documents.ts'
import type { Filter } from './filter.ts'

/**
 * A query, as `parseQuery` makes it from typed text: words in lower case, of letters, digits and `_` only.
 * Every phrase must occur, its words in sequence; of the words all must occur, or as many as possible.
 * Without words and phrases it finds nothing.
 */
export interface SearchQuery {
  words: readonly string[]
  /** Each has two words or more. */
  phrases: readonly (readonly string[])[]
  mode: 'all' | 'any'
}

/** Where to search, and how much to return. */
export interface SearchOptions<T> {
  /** The maximum number of hits. */
  limit: number
  /** By path of a mark: the text that it has, or that its list contains. Narrows inside the index. */
  marks?: Readonly<Record<string, string>>
  /** By path of a mark: texts that no hit has. What it leaves out takes no place in the ranking. */
  without?: Readonly<Record<string, readonly string[]>>
  /** Applied to the hits, best first: for filters that keep most of them. */
  filter?: Filter<T>
  /** The hits come with an empty text: for documents that may be large, of which few are shown. */
  textless?: true
}

/** A document that was found. */
export interface Hit {
  id: string
  /** Higher is better, and the same on every store; roughly comparable among collections. */
  score: number
  /** The wire text, without hidden members. */
  text: string
  /** Which words of the query it contains in some form; the words of a phrase as one text. */
  matched: readonly string[]
}

/**
 * Full-text search in the collections that define it (`search`). Case, diacritics and English endings make
 * no difference. Hits are as of the last commit. Of equally good hits the newest comes first.
 */
export interface Search {
  /**
   * The best hits, best first, in the same order on every store. If very many documents match, only some hundred are
   * ranked: the newest, or those that the store's server finds best.
   * @throws Unavailable if too many searches wait, or this one takes too long
   */
  search<N extends keyof Documents>(
    collection: N,
    query: SearchQuery,
    options: SearchOptions<Documents[N]>,
  ): Promise<Hit[]>
}
