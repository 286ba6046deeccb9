const longestWord = 64
/** Pairs of letters compared at most for one answer: well under a millisecond of work. */
const comparisonsAtMost = 200_000

/** The work that may still go into looking for likely words. */
export interface Effort {
  /** Pairs of letters that may still be compared. */
  left: number
}

/** The work allowed for the suggestions of one answer, for all of its words together. */
export function newEffort(): Effort {
  return { left: comparisonsAtMost }
}

/** Ignores letter case and separators, which people confuse most often. */
function folded(word: string): string {
  return word.toLowerCase().replace(/[-. ]/g, '_')
}

/**
 * The known word that was most likely meant, the first of equals; undefined if none is near enough: at
 * most a third of its letters may be wrong, missing, added or swapped with their neighbour.
 * @param effort shared by all words of one answer; once it is used up, the best word so far is returned
 * @param lettersAtMost how many letters may differ, if fewer than a third
 */
export function nearest(
  word: string,
  known: Iterable<string>,
  effort: Effort = newEffort(),
  lettersAtMost: number = longestWord,
): string | undefined {
  if (word.length === 0 || word.length > longestWord) return undefined
  const sought = folded(word)
  let best: string | undefined
  let within = Number.POSITIVE_INFINITY
  for (const candidate of known) {
    if (effort.left <= 0) break
    effort.left -= 1
    if (candidate === word || candidate.length > longestWord) continue
    const allowed = Math.max(1, Math.floor(Math.max(candidate.length, word.length) / 3))
    const most = Math.min(allowed, within, lettersAtMost)
    if (Math.abs(candidate.length - word.length) > most) continue
    const distance = distanceWithin(sought, folded(candidate), most, effort)
    if (distance === undefined) continue
    best = candidate
    // Of equal distances the first wins.
    within = distance - 1
    if (within < 0) break
  }
  return best
}

/** A likely word as a question, for a hint. */
export function meantWords(suggestion: string): string {
  return `Did you mean "${suggestion}"?`
}

const row = (): Uint8Array => new Uint8Array(2 * longestWord + 2)
// Comparisons run one after the other, so the rows are reused.
let [beforeLast, last, current] = [row(), row(), row()]

/**
 * How many letters to change, add, drop or swap with their neighbour (optimal string alignment), if that is
 * at most so many: cells farther from the diagonal are skipped.
 */
function distanceWithin(a: string, b: string, most: number, effort: Effort): number | undefined {
  const far = most + 1
  // Folding may turn one letter into two.
  if (Math.max(a.length, b.length) > 2 * longestWord) return undefined
  for (let j = 0; j <= b.length; j++) last[j] = Math.min(j, far)
  let leastBefore = 0
  for (let i = 1; i <= a.length; i++) {
    const from = Math.max(1, i - most)
    const to = Math.min(b.length, i + most)
    current[from - 1] = from === 1 ? Math.min(i, far) : far
    let least = current[from - 1] ?? far
    for (let j = from; j <= to; j++) {
      const cost = cell(a, b, i, j, far)
      current[j] = cost
      if (cost < least) least = cost
    }
    if (to < b.length) current[to + 1] = far
    effort.left -= to - from + 1
    if ((least >= far && leastBefore >= far) || effort.left < 0) return undefined
    leastBefore = least
    ;[beforeLast, last, current] = [last, current, beforeLast]
  }
  const distance = last[b.length] ?? far
  return distance < far ? distance : undefined
}

function cell(a: string, b: string, i: number, j: number, far: number): number {
  const change = (last[j - 1] ?? far) + (a[i - 1] === b[j - 1] ? 0 : 1)
  let least = Math.min(change, (last[j] ?? far) + 1, (current[j - 1] ?? far) + 1, far)
  const isSwapped = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]
  if (isSwapped) least = Math.min(least, (beforeLast[j - 2] ?? far) + 1)
  return least
}
