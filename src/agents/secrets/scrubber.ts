/** What replaces a secret. */
export const mask = '[secret]'
/** Shorter values are not searched: they would match unrelated text. */
const shortestScrubbed = 6
/** Our tokens. */
export const tokens = /(?:abs?|cmn|act|lse|ort)_[0-9A-Za-z]{38}/g
export const tokenLength = 42

/** Removes secrets from a text. */
export interface Scrub {
  (text: string): string
  /** What it searches in addition to tokens, the longest first. */
  readonly forms: readonly string[]
}

/**
 * Replaces every occurrence of these values with `[secret]`, also JSON-escaped, URL-encoded or in
 * base64, and everything in the form of one of our tokens. Values under 6 characters are left.
 */
export function scrubber(values: Iterable<string>): Scrub {
  return scrubberOf([...values].flatMap(formsOf))
}

/** The same, with known forms of its values. */
export function scrubberOf(known: readonly string[]): Scrub {
  // The longest first: a value that is part of another must not break it up.
  const forms = [...new Set(known)].sort((a, b) => b.length - a.length)
  const scrub = (text: string): string => {
    let clean = text
    for (const form of forms) if (clean.includes(form)) clean = clean.replaceAll(form, mask)
    return clean.includes('_') ? clean.replaceAll(tokens, mask) : clean
  }
  return Object.assign(scrub, { forms })
}

/** The same JSON value, of the same type, with every text scrubbed, including names of members. */
export function scrubbedValue<T>(value: T, scrub: (text: string) => string): T {
  // Texts become texts, lists lists and maps maps, so the type stays.
  return cleaned(value, scrub) as T
}

function cleaned(value: unknown, scrub: (text: string) => string): unknown {
  if (typeof value === 'string') return scrub(value)
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return value.map((item) => cleaned(item, scrub))
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [scrub(name), cleaned(member, scrub)]),
  )
}

/** The forms in which a value may appear in a text; none if it is too short. */
export function formsOf(value: string): string[] {
  // Headers and lines lose the blanks around them.
  return [value, value.trim()].filter(isLong).flatMap(spellingsOf)
}

function isLong({ length }: string): boolean {
  return length >= shortestScrubbed
}

function spellingsOf(value: string): string[] {
  const escaped = JSON.stringify(value).slice(1, -1)
  const percent = [
    encodeURIComponent(value),
    new URLSearchParams([['', value]]).toString().slice(1),
  ]
  return [
    value,
    escaped,
    escaped.replaceAll('/', '\\/'),
    // In JSON that quotes JSON as a text, as a server that echoes a request does.
    JSON.stringify(escaped).slice(1, -1),
    escaped.replaceAll(
      /[^\0-\x7f]/g,
      (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`,
    ),
    ...percent,
    ...percent.map((text) => text.replaceAll(/%[0-9A-F]{2}/g, (byte) => byte.toLowerCase())),
    ...base64FormsOf(value),
  ]
}

/**
 * In base64 a value has a different form at each of three offsets, as in `user:value` of Basic
 * authorization. The letters that also depend on the surrounding bytes are left out.
 */
function base64FormsOf(value: string): string[] {
  const bytes = Buffer.from(value)
  return [0, 1, 2].flatMap((offset) => {
    const text = Buffer.concat([Buffer.alloc(offset), bytes]).toString('base64')
    const whole = text.slice(
      Math.ceil((offset * 8) / 6),
      Math.floor(((offset + bytes.length) * 8) / 6),
    )
    return [whole, whole.replaceAll('+', '-').replaceAll('/', '_')]
  })
}
