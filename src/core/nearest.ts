const longestWord = 64

/** Letter case and the ways of joining words are what people mix up first. */
function folded(word: string): string {
  return word.toLowerCase().replace(/[-. ]/g, '_')
}

/**
 * The known word that was most likely meant, or undefined when none is near enough: at most a third
 * of its letters may be wrong, missing, added or swapped with their neighbour. The first of equals.
 */
export function nearest(word: string, known: Iterable<string>): string | undefined {
  if (word.length === 0 || word.length > longestWord) return undefined
  const sought = folded(word)
  let best: string | undefined
  let bestDistance = Number.POSITIVE_INFINITY
  for (const candidate of known) {
    if (candidate === word || candidate.length > longestWord) continue
    const allowed = Math.max(1, Math.floor(Math.max(candidate.length, word.length) / 3))
    if (Math.abs(candidate.length - word.length) > allowed) continue
    const distance = distanceBetween(sought, folded(candidate))
    if (distance > allowed || distance >= bestDistance) continue
    best = candidate
    bestDistance = distance
  }
  return best
}

/** How many letters to change, add, drop or swap with their neighbour (optimal string alignment). */
function distanceBetween(a: string, b: string): number {
  let beforeLast: number[] = []
  let last = Array.from({ length: b.length + 1 }, (_, i) => i)
  for (let i = 1; i <= a.length; i++) {
    const row = [i]
    for (let j = 1; j <= b.length; j++) {
      const change = (last[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1)
      let least = Math.min(change, (last[j] ?? 0) + 1, (row[j - 1] ?? 0) + 1)
      const swapped = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]
      if (swapped) least = Math.min(least, (beforeLast[j - 2] ?? 0) + 1)
      row.push(least)
    }
    beforeLast = last
    last = row
  }
  return last[b.length] ?? a.length
}
