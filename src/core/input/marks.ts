/** Combining marks in a row that stream-safe text (UAX #15) has at most. */
export const marksAtMost = 30

/** Below this code point there are no combining marks and nothing that NFC would change. */
const beyondLatin = /[\u0300-\uffff]/
const mark = /^\p{M}/u
const tooMany = /\p{M}{31,}/gu

/**
 * Whether there are more combining marks in a row than any script needs. Sorting a run of marks takes time
 * quadratic in its length, so this is checked before texts are normalised. A run that is too long covers
 * one of every 31 places, so only those are looked at.
 */
export function hasTooManyMarks(text: string): boolean {
  if (!beyondLatin.test(text)) return false
  for (let at = marksAtMost; at < text.length; at += marksAtMost + 1) {
    if (isMarkAt(text, at) && runAt(text, at) > marksAtMost) return true
  }
  return false
}

/** Text in NFC. @param text without too many marks in a row */
export function composed(text: string): string {
  return beyondLatin.test(text) ? text.normalize() : text
}

/** Any text in NFC, without the marks beyond the limit in a row. */
export function composedAnyway(text: string): string {
  if (!hasTooManyMarks(text)) return composed(text)
  return text
    .replaceAll(tooMany, (run) => Array.from(run).slice(0, marksAtMost).join(''))
    .normalize()
}

/** The length of the run of marks at this place, counted only up to one too many. */
function runAt(text: string, at: number): number {
  let count = 1
  let from = startOf(text, at)
  let to = at + lengthAt(text, at)
  while (count <= marksAtMost && isMarkAt(text, to)) {
    to += lengthAt(text, to)
    count += 1
  }
  while (count <= marksAtMost && from > 0 && isMarkAt(text, from - 1)) {
    from = startOf(text, from - 1)
    count += 1
  }
  return count
}

function isMarkAt(text: string, at: number): boolean {
  if (at >= text.length || text.charCodeAt(at) < 0x300) return false
  const start = startOf(text, at)
  return mark.test(text.slice(start, start + 2))
}

/** Where the character at this place begins. */
function startOf(text: string, at: number): number {
  return isLow(text.charCodeAt(at)) && isHigh(text.charCodeAt(at - 1)) ? at - 1 : at
}

function lengthAt(text: string, at: number): number {
  const start = startOf(text, at)
  const whole = isHigh(text.charCodeAt(start)) && isLow(text.charCodeAt(start + 1)) ? 2 : 1
  return start + whole - at
}

function isHigh(unit: number): boolean {
  return unit >= 0xd800 && unit <= 0xdbff
}

function isLow(unit: number): boolean {
  return unit >= 0xdc00 && unit <= 0xdfff
}
