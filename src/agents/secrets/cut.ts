import type { Scrub } from './scrubber.ts'

/** The beginning of one of our tokens, at the end of a text. */
const tokenBegun = /(?:(?:abs?|cmn|act|lse|ort)(?:_[0-9A-Za-z]{0,37})?|ab?|cm?|ac|ls?|or?)$/
const tokenBegunAtMost = 41
/** So many characters of a secret are searched for; fewer at the end of a text are compared. */
const searched = 6
/** Of so many places one that begins like a secret is taken for one, without comparing the rest. */
const comparedAtMost = 8

/**
 * Up to where a text can be scrubbed and shown while more of it is to come: no secret that is in it goes on there, and
 * none may begin before and be completed by what comes.
 */
export function safeEnd(text: string, scrub: Scrub): number {
  const end = wholeCharacters(text, text.length - begunAtEnd(text, scrub.forms))
  return isWhole(text, end, scrub) ? end : 0
}

/** Whether the two parts of a text, each scrubbed by itself, make up the scrubbed text. */
export function isWhole(text: string, at: number, scrub: Scrub): boolean {
  const clean = scrub(text)
  return clean === text || clean === scrub(text.slice(0, at)) + scrub(text.slice(at))
}

/** How many characters at the end of a text may be the beginning of a secret. */
function begunAtEnd(text: string, forms: readonly string[]): number {
  const end = text.slice(-tokenBegunAtMost)
  let longest = tokenBegun.exec(end)?.[0].length ?? 0
  for (const form of forms) {
    // The longest are the first.
    if (form.length - 1 <= longest) break
    longest = Math.max(longest, begunOf(form, text))
  }
  return longest
}

function begunOf(form: string, text: string): number {
  const first = form.slice(0, searched)
  let at = text.indexOf(first, Math.max(0, text.length - form.length + 1))
  for (let compared = 0; at >= 0; compared += 1) {
    if (compared === comparedAtMost || form.startsWith(text.slice(at))) return text.length - at
    at = text.indexOf(first, at + 1)
  }
  for (let length = Math.min(searched, form.length) - 1; length > 0; length -= 1) {
    if (text.endsWith(form.slice(0, length))) return length
  }
  return 0
}

/** The same place, or the one before it where it is inside of a character. */
function wholeCharacters(text: string, at: number): number {
  const unit = text.charCodeAt(at - 1)
  return unit >= 0xd8_00 && unit <= 0xdb_ff ? at - 1 : at
}
