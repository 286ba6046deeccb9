import type { Held } from './held-terms.ts'

/** If very many documents match, only so many are ranked, as on the embedded store. */
export const mostRanked = 300

/** One that was found, with what it holds of the query. */
export interface Candidate<T> {
  id: string
  held: Held
  found: T
}

/** How common the terms of a query are. */
export interface Rarity {
  /** How many documents the collection has. */
  documents: number
  /** In how many of them each term is. */
  holding: readonly number[]
}

/** One that is ranked, with its score and the positions of the terms that it holds, the rarest first. */
export interface Ranked<T> {
  found: T
  score: number
  terms: number[]
}

/**
 * Best first, as the embedded store ranks (`sqlite/search/rank.ts`): a term counts by its rarity times the weight of
 * the heaviest member that holds it, words that stand close to each other count a second time, and among equals the
 * newest is first. The server's own score is made otherwise on every engine.
 * @param least the lowest weight of a member
 */
export function ranked<T>(
  candidates: readonly Candidate<T>[],
  { documents, holding }: Rarity,
  least: number,
): Ranked<T>[] {
  const worths = holding.map((count) => Math.log(1 + Math.max(1, documents) / Math.max(1, count)))
  const near = worths.reduce((sum, worth) => sum + worth, 0) * least
  const order = [...worths.keys()].toSorted((a, b) => (worths[b] ?? 0) - (worths[a] ?? 0))
  const scored = candidates.map(({ id, held: { weights, isNear }, found }) => {
    // In the order in which the embedded store adds up, so that equals are equal.
    let score = 0
    for (const term of order) score += (worths[term] ?? 0) * (weights[term] ?? 0)
    const terms = order.filter((term) => (weights[term] ?? 0) > 0)
    return { id, found, score: isNear ? score + near : score, terms }
  })
  return scored.toSorted((a, b) => b.score - a.score || (a.id < b.id ? 1 : -1))
}
