/** How much of an entry's text is searched, in characters. */
export const searchedCharacters = 20_000

/** The texts and the names of members of any JSON, in their order, as one text to be searched. */
export function wordsOf(value: unknown): string {
  const texts: string[] = []
  let room = searchedCharacters
  // A list of what is left rather than calls in calls: a value may be nested as deep as it is long.
  const left = [value]
  while (left.length > 0 && room > 0) {
    const next = left.pop()
    if (typeof next === 'string' || typeof next === 'number') {
      const text = String(next).slice(0, room)
      texts.push(text)
      room -= text.length + 1
    } else if (Array.isArray(next)) {
      for (let i = next.length - 1; i >= 0; i -= 1) left.push(next[i])
    } else if (typeof next === 'object' && next !== null) {
      for (const [name, inside] of Object.entries(next).toReversed()) left.push(inside, name)
    }
  }
  // Half of a pair of surrogates is no text.
  return texts.join('\n').toWellFormed()
}
