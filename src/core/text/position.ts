/** The position of an index in a text, counted in characters from 1, as people count. */
export function positionOf(text: string, at: number): number {
  let position = 1
  for (let i = 0; i < at; i++) {
    const unit = text.charCodeAt(i)
    // The second half of a surrogate pair is not a character of its own.
    if (unit < 0xdc00 || unit > 0xdfff) position++
  }
  return position
}
