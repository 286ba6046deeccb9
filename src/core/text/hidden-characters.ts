import { hidden } from './text.ts'
import { positionOf } from './position.ts'

/** A line has no layout characters; prose has line breaks, tabs and the joiners that its script needs. */
export type Layout = 'line' | 'prose'

/** The first character that a text may not have, and how many there are. */
export interface HiddenFound {
  codePoint: number
  /** Counted in characters from 1, as people count. */
  position: number
  /** All of them, counted up to 100. */
  count: number
}

const countedAtMost = 100
const plainAscii = /^[\t\n\r -~]*$/

// The three flags that are spelled with tag characters. Any other spelling could hide a text.
const taggedFlags =
  '\\u{1f3f4}\\u{e0067}\\u{e0062}(?:\\u{e0065}\\u{e006e}\\u{e0067}|\\u{e0073}\\u{e0063}\\u{e0074}' +
  '|\\u{e0077}\\u{e006c}\\u{e0073})\\u{e007f}'
const suspicious = new RegExp(
  `${taggedFlags}|[\\p{Variation_Selector}\\p{Noncharacter_Code_Point}]|${hidden.source}`,
  'gv',
)

const hasRightToLeft =
  /[\p{scx=Hebr}\p{scx=Arab}\p{scx=Syrc}\p{scx=Thaa}\p{scx=Nkoo}\p{scx=Adlm}\p{scx=Rohg}]/u
const joiningScripts =
  'Arab Syrc Mand Nkoo Adlm Rohg Mong Phag Deva Beng Guru Gujr Orya Taml Telu Knda Mlym Sinh Tibt ' +
  'Khmr Mymr Newa Cakm Tirh Bali Java'
const joining = new RegExp(
  `[[\\p{L}\\p{M}]&&[${joiningScripts.replaceAll(/(\w+) ?/g, '\\p{scx=$1}')}]]`,
  'v',
)
const unspaced = /[\p{scx=Khmr}\p{scx=Thai}\p{scx=Laoo}\p{scx=Mymr}]/u
const mongolian = /[\p{L}&&\p{scx=Mong}]/v
const pictured = /[\p{Emoji}\p{Extended_Pictographic}\p{S}]/u
const joinedPicture = /[\p{Extended_Pictographic}\p{Emoji_Modifier}\ufe0f]/u
const picture = /\p{Extended_Pictographic}/u
const varied = /[0\p{Ideographic}\p{Sm}\p{scx=Mymr}\p{scx=Phag}]/u
const ideograph = /\p{Ideographic}/u
const shown = /^\P{Variation_Selector}$/u

/**
 * The hidden characters that a text of this layout may not have, or undefined. Prose may have joiners
 * between emoji and in scripts that are spelled with them, direction marks among right-to-left letters,
 * and a selector after a character that has such forms; a line may have only the last.
 */
export function hiddenIn(text: string, layout: Layout): HiddenFound | undefined {
  if (plainAscii.test(text) && (layout === 'prose' || !hidden.test(text))) return undefined
  let first: { codePoint: number; at: number } | undefined
  let count = 0
  for (const match of text.matchAll(suspicious)) {
    if (isAllowed(text, match.index, match[0], layout)) continue
    first ??= { codePoint: text.codePointAt(match.index + tagged(match[0])) ?? 0, at: match.index }
    if (++count === countedAtMost) break
  }
  if (!first) return undefined
  return { codePoint: first.codePoint, position: positionOf(text, first.at), count }
}

/** Prose without the hidden characters that it may not have. */
export function withoutHidden(text: string): string {
  if (plainAscii.test(text)) return text
  const left = text.replaceAll(suspicious, (match: string, at: number) =>
    isAllowed(text, at, match, 'prose') ? match : '',
  )
  // A character that was removed may have been what justified its neighbour.
  return left === text ? text : withoutHidden(left)
}

/** Prose in which a reader sees the hidden characters that it may not have, as `[U+202E]`. */
export function withHiddenShown(text: string): string {
  if (plainAscii.test(text)) return text
  return text.replaceAll(suspicious, (match: string, at: number) =>
    isAllowed(text, at, match, 'prose')
      ? match
      : `[${codeOf(match.codePointAt(tagged(match)) ?? 0)}]`,
  )
}

/** Where in a match the hidden character is: a flag begins with a visible one. */
function tagged(match: string): number {
  return match.length > 2 ? 2 : 0
}

function isAllowed(text: string, at: number, match: string, layout: Layout): boolean {
  if (match.length > 2) return layout === 'prose'
  const code = match.codePointAt(0) ?? 0
  const before = characterBefore(text, at)
  if (code === 0xfe0e || code === 0xfe0f) return pictured.test(before)
  if (code >= 0xfe00 && code <= 0xfe02) return varied.test(before)
  if (code >= 0xe0100 && code <= 0xe01ef) return ideograph.test(before)
  if (layout === 'line') return false
  if (code === 0x09 || code === 0x0a || code === 0x0d) return true
  return isNeeded(text, code, before, characterAfter(text, at + match.length))
}

/** Whether a zero-width character has its proper use in this place. */
function isNeeded(text: string, code: number, before: string, after: string): boolean {
  switch (code) {
    case 0x200c:
      return isJoiner(before, after)
    case 0x200d:
      return (joinedPicture.test(before) && picture.test(after)) || isJoiner(before, after)
    case 0x200e:
    case 0x200f:
    case 0x061c:
      return isSeen(before) && isSeen(after) && hasRightToLeft.test(text)
    case 0x200b:
      return isSeen(before) && isSeen(after) && (unspaced.test(before) || unspaced.test(after))
    case 0x180b:
    case 0x180c:
    case 0x180d:
    case 0x180e:
    case 0x180f:
      return mongolian.test(before)
    default:
      return false
  }
}

function isJoiner(before: string, after: string): boolean {
  return isSeen(before) && isSeen(after) && (joining.test(before) || joining.test(after))
}

/** Whether it is visible; two hidden characters in a row have no use. Line breaks and ends do not count. */
function isSeen(character: string): boolean {
  if (character === '' || character === '\n' || character === '\r' || character === '\t') {
    return true
  }
  return shown.test(character) && !hidden.test(character)
}

function characterBefore(text: string, at: number): string {
  const unit = text.charCodeAt(at - 1)
  const isLow = unit >= 0xdc00 && unit <= 0xdfff
  return text.slice(Math.max(0, at - (isLow ? 2 : 1)), at)
}

function characterAfter(text: string, at: number): string {
  const code = text.codePointAt(at)
  return code === undefined ? '' : String.fromCodePoint(code)
}

/** The name of a hidden character, as `U+202E (a bidirectional control)`. */
export function nameOf(codePoint: number): string {
  return `${codeOf(codePoint)} (${whatIs(codePoint)})`
}

function codeOf(codePoint: number): string {
  return `U+${codePoint.toString(16).toUpperCase().padStart(4, '0')}`
}

const bidirectional = /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/
const selector = /\p{Variation_Selector}/u

function whatIs(codePoint: number): string {
  const character = String.fromCodePoint(codePoint)
  if (/\p{Cc}/u.test(character)) return 'a control character'
  if (bidirectional.test(character)) return 'a bidirectional control'
  if (/[\u2028\u2029]/.test(character)) return 'a line separator'
  if (codePoint >= 0xe0000 && codePoint <= 0xe007f) return 'a tag character'
  if (selector.test(character)) return 'a variation selector in a place of no use'
  if (/\p{Noncharacter_Code_Point}/u.test(character)) return 'a noncharacter'
  return 'an invisible character'
}
