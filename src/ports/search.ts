import type { Documents } from './documents.ts'
import type { Filter } from './filter.ts'

/**
 * What is looked for, as `parseQuery` makes it of what a caller types: words in lower case, of
 * letters, digits and `_` only. Every phrase must be there, its words side by side; of the words all,
 * or as many as may be. Without words and phrases it finds nothing.
 */
export interface SearchQuery {
  words: readonly string[]
  /** Each of two words or more. */
  phrases: readonly (readonly string[])[]
  mode: 'all' | 'any'
}

/** Where it is looked for, and how much is given. */
export interface SearchOptions<T> {
  /** How many hits at most. */
  limit: number
  /** By path of a mark: the text that it holds, or that its list holds. Narrows inside the index. */
  marks?: Readonly<Record<string, string>>
  /** By path of a mark: texts of which a hit holds none. What it leaves out takes no place in the ranking. */
  without?: Readonly<Record<string, readonly string[]>>
  /** Sorts out what was found, best first: for what leaves most of it. */
  filter?: Filter<T>
  /** The hits come with an empty text: for documents that may be large, of which few are shown. */
  textless?: true
}

/** A document that was found. */
export interface Hit {
  id: string
  /** Higher is better; among the hits of one store, whatever the collection, roughly comparable. */
  score: number
  /** The wire text, without hidden members. */
  text: string
  /** Which words of the query it holds in some form; the words of a phrase as one text. */
  matched: readonly string[]
}

/**
 * Finds documents by their words, in the collections that say which (`search` in their definition).
 * Case, diacritics and English endings make no difference. A document is found as it is after the
 * last commit. Of equally good hits the newest comes first.
 */
export interface Search {
  /**
   * The best hits, best first. Where very many documents match, the newest of them are ranked.
   * @throws Unavailable when too many searches wait, or this one takes too long
   */
  search<N extends keyof Documents>(
    collection: N,
    query: SearchQuery,
    options: SearchOptions<Documents[N]>,
  ): Promise<Hit[]>
}
