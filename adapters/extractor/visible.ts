const ends = /\r\n?|[\v\f\u0085\u2028\u2029]/g
const odd = /[\u00a0\u202f]/g
/**
 * What a reader does not see: controls, marks of direction, zero-width and tag characters, blank
 * fillers; and what U+FFFD stands for, which nobody can read either.
 */
const hidden =
  /[[\p{Cc}--[\t\n]]\ufff9-\ufffb\ufffd[\p{Default_Ignorable_Code_Point}--[\ufe00-\ufe0f\u{e0100}-\u{e01ef}]]]/gv
/** One selector tells a form of the character before it; a row of them hides a message. */
const selectors = /(?<=[\ufe00-\ufe0f\u{e0100}-\u{e01ef}])[\ufe00-\ufe0f\u{e0100}-\u{e01ef}]+/gv
const longBlanks = /[^\S\n]{80,}/g
const blankLines = /\n(?:[^\S\n]{0,79}\n){2,}/g

/**
 * The text as a reader sees it: lines end in a line feed, nothing hidden is in it, it is
 * well-formed, and no more than one line in a row is blank.
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

/** A title, on one line and not long; null where nothing is left of it. */
export function titled(text: string | null | undefined): string | null {
  // Cut before it is looked at, since it may be as long as the material.
  const line = visible((text ?? '').slice(0, 2_000))
    .replace(/\s+/g, ' ')
    .trim()
  return line === '' ? null : shortened(line, 300)
}

/** The beginning of a text, never half a character. */
export function shortened(text: string, most: number): string {
  return text.length <= most ? text : text.slice(0, most).replace(/[\ud800-\udbff]$/, '')
}
