const ends = /\r\n?|[\v\f\u0085\u2028\u2029]/g
const odd = /[\u00a0\u202f]/g
/**
 * Characters that a reader does not see: controls, direction marks, zero-width and tag characters,
 * blank fillers; and U+FFFD, which stands for unreadable text.
 */
const hidden =
  /[[\p{Cc}--[\t\n]]\ufff9-\ufffb\ufffd[\p{Default_Ignorable_Code_Point}--[\ufe00-\ufe0f\u{e0100}-\u{e01ef}]]]/gv
/** A variation selector changes the character before it; a run of them can hide a message. */
const selectors = /(?<=[\ufe00-\ufe0f\u{e0100}-\u{e01ef}])[\ufe00-\ufe0f\u{e0100}-\u{e01ef}]+/gv
const longBlanks = /[^\S\n]{80,}/g
const blankLines = /\n(?:[^\S\n]{0,79}\n){2,}/g

/**
 * The text as a reader sees it: lines end in a line feed, nothing hidden is left, it is well-formed,
 * and at most one line in a row is blank.
 */
export function visible(text: string): string {
  return text
    .replace(ends, '\n')
    .replace(odd, ' ')
    .replace(hidden, '')
    .replace(selectors, '')
    .replace(longBlanks, ' ')
    .replace(blankLines, '\n\n')
    .toWellFormed()
}

/** A title on one line, shortened; null if nothing is left of it. */
export function titled(text: string | null | undefined): string | null {
  // Cut before it is examined, because it may be as long as the material.
  const line = visible((text ?? '').slice(0, 2_000))
    .replace(/\s+/g, ' ')
    .trim()
  return line === '' ? null : shortened(line, 300)
}

/** The beginning of a text, never cut within a character. */
export function shortened(text: string, most: number): string {
  return text.length <= most ? text : text.slice(0, most).replace(/[\ud800-\udbff]$/, '')
}
