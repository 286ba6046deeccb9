import { withoutMarks } from './texts/without-marks.ts'

const graphemes = new Intl.Segmenter('en', { granularity: 'grapheme' })

/**
 * The beginning of a text on one line, for notifications and lists: Markdown syntax removed, white
 * space folded, cut after a word where one ends soon enough, never inside a character, and then
 * followed by an ellipsis. It is still untrusted text.
 * @param charactersAtMost the ellipsis counted; an emoji of several code points counts once
 */
export function excerptOf(text: string, charactersAtMost = 200): string {
  // Removed syntax and white space leave room for what follows, but the part that is read is bounded.
  const read = text.slice(0, charactersAtMost * 16).toWellFormed()
  const isCut = read.length < text.length
  const plain = withoutMarks(read).replace(/\s+/g, ' ').trim()
  const ends: number[] = []
  for (const { index, segment } of graphemes.segment(plain)) {
    ends.push(index + segment.length)
    if (ends.length > charactersAtMost) return `${atWord(plain, ends, charactersAtMost - 1)}…`
  }
  if (!isCut) return plain
  // The last code unit read may be the first half of a surrogate pair.
  return `${atWord(plain, ends, Math.max(0, ends.length - 2))}…`
}

/** At most this many characters, or fewer where a word ends in the last third of them. */
function atWord(text: string, ends: readonly number[], characters: number): string {
  const cut = ends[characters - 1] ?? 0
  if (text[cut] === ' ') return text.slice(0, cut)
  const blank = text.lastIndexOf(' ', cut)
  const from = ends[Math.floor((characters * 2) / 3)] ?? 0
  return text.slice(0, blank >= from ? blank : cut).trimEnd()
}
