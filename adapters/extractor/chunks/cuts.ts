/** The target size: a piece has at most this many characters if it can be cut there. */
export const wished = 1_200
/** A piece below this counts as small. */
export const least = 600
/** The hard limit of a chunk. */
export const most = 2_000

const blank = /\s/
const ideographicEnd = /[。！？．｡؟।]/
const sentenceEnd = /[.!?…。！？．｡؟।]/
const closing = /["'”’»)\]」』）]/
const clauseEnd = /[,;:、，；：—]/
const mark = /\p{M}/u

/** How good a cut here is, by what stands before it: lower is better. */
function rankOf(text: string, at: number, byLines: boolean): number {
  const before = text[at - 1] ?? ''
  const after = text[at] ?? ''
  const isLine = before === '\n' || after === '\n'
  if (byLines && isLine) return 0
  const isBlank = blank.test(before) || blank.test(after)
  if (ideographicEnd.test(before)) return 1
  if (isBlank && endsSentence(text, at)) return 1
  if (isLine) return 2
  if (clauseEnd.test(before) && (isBlank || before > '\u2fff')) return 3
  return isBlank ? 4 : 5
}

function endsSentence(text: string, at: number): boolean {
  let last = at - 1
  while (last > at - 4 && (blank.test(text[last] ?? '') || closing.test(text[last] ?? ''))) last--
  return sentenceEnd.test(text[last] ?? '')
}

/** A place at or before this one that is not within a character, nor before a combining mark. */
function between(text: string, start: number, at: number): number {
  let place = at
  for (let steps = 0; steps < 16 && place > start + 1; steps++, place--) {
    const code = text.charCodeAt(place)
    const isHalf = code >= 0xdc00 && code <= 0xdfff
    if (!isHalf && !mark.test(text.slice(place, place + 2))) return place
  }
  // A long run of marks on one character may be cut, but never a code point.
  const code = text.charCodeAt(at)
  return code >= 0xdc00 && code <= 0xdfff ? at - 1 : at
}

/**
 * Where each piece of a range ends, in order: at the end of a sentence, or of a line, a clause or a
 * word, whichever is found first in this order. Each place is examined only a few times.
 */
export function* cuts(
  text: string,
  start: number,
  end: number,
  byLines: boolean,
): Generator<{ start: number; end: number }> {
  let from = start
  while (end - from > wished) {
    const rest = end - from
    // The rest must not be too small a piece.
    const limit = from + (rest < 2 * wished ? Math.min(wished, (rest >> 1) + 200) : wished)
    const lowest = from + ((limit - from) >> 1)
    let best = limit
    let bestRank = 5
    for (let at = limit; at > lowest && bestRank > (byLines ? 0 : 1); at--) {
      const rank = rankOf(text, at, byLines)
      if (rank < bestRank) [best, bestRank] = [at, rank]
    }
    const to = bestRank === 5 ? between(text, from, best) : best
    yield { start: from, end: to }
    from = to
  }
  if (from < end) yield { start: from, end }
}
