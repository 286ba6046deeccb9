/** Where a text may end, the best place first: between paragraphs, lines, sentences and words. */
const places = ['\n\n', '\n', '. ', ' '] as const

/** A part is at least so much of what would fit, unless the text offers no place to end it there. */
const filledPart = 0.5

/**
 * A text in parts of at most so many characters (UTF-16 units), each ended where a reader would pause. White space at
 * the ends of parts is left out; a text without any gives no part.
 */
export function partsOf(text: string, characters: number): string[] {
  const parts: string[] = []
  let rest = text.trim()
  while (rest.length > characters) {
    const end = endOf(rest, characters)
    const part = rest.slice(0, end).trimEnd()
    if (part !== '') parts.push(part)
    rest = rest.slice(end).trimStart()
  }
  if (rest !== '') parts.push(rest)
  return parts
}

function endOf(text: string, characters: number): number {
  for (const place of places) {
    const at = text.lastIndexOf(place, characters - place.length)
    if (at >= characters * filledPart) return at + place.length
  }
  // Half of a pair would be no character.
  const code = text.charCodeAt(characters - 1)
  return code >= 0xd800 && code <= 0xdbff ? characters - 1 : characters
}
