// Words and runs of characters that show that a value is a placeholder.
const placeholders = anyOf('iu', [
  'example|sample|dummy|placeholder|change.?me|replace|redact|insert|fake|your|todo|foobar',
  'deadbeef|cafebabe|xxxx|01234|12345|23456|abcdef|bcdefg|qwerty',
  String.raw`\*\*\*|\.\.\.|\u2026|\u2022|[<>{}]|(.)\1{5}`,
])

// Sample values from specifications and documentation.
const samples = anyOf('u', [
  String.raw`2YotnFZFEjr1zCsicMWpAA|tGzv3JOkF0XG5Qx2TlKWIA|7Fjfp0ZBr1KtDRbnfVdmIw|mF_9\.B5f-4\.1JqM`,
  '4eC39HqLyjWDarjtT1zdp7dc|BQokikJOvBiI2HlWgH4olfQ2',
  'SflKxwRJSMeKKF2QT4fwpMeJf36POk6yJV_adQssw5c|dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk',
])

const usualPasswords = anyOf('i', [
  'p[a@4]ss(?:w[o0]rd|wd|phrase)?|s[e3]cr[e3]t|admin|letmein|welcome|hunter2|correct.?horse',
])
const usualWhole = anyOf('i', [
  String.raw`^(?:foo|bar|baz|test|testing|demo|root|user|username|guest|hello|default)[\d\W_]*$`,
  String.raw`^(?:postgres|mysql|redis|mongo|key|token|pw|pwd|api.?key)[\d\W_]*$`,
])

function anyOf(flags: string, patterns: readonly string[]): RegExp {
  return new RegExp(patterns.join('|'), flags)
}

/** Whether a value only stands in for a credential. */
export function isPlaceholder(value: string): boolean {
  return placeholders.test(value) || samples.test(value)
}

/** Whether a password is one of the usual ones of examples. */
export function isUsualPassword(value: string): boolean {
  if (isPlaceholder(value) || usualWhole.test(value)) return true
  // Long values contain such words by chance.
  return value.length < 24 && usualPasswords.test(value)
}

/** Bits of information per character, by the frequency of each. */
function entropy(value: string): number {
  const counts = new Map<number, number>()
  for (let i = 0; i < value.length; i++) {
    const unit = value.charCodeAt(i)
    counts.set(unit, (counts.get(unit) ?? 0) + 1)
  }
  let sum = 0
  for (const count of counts.values()) sum += count * Math.log2(count)
  return Math.log2(value.length) - sum / value.length
}

/** Whether a text of 16 characters or more looks random: no placeholder, and enough different letters. */
export function isRandom(value: string): boolean {
  // The maximum for a text is the logarithm of its length.
  const least = Math.min(2.8, Math.log2(value.length) * 0.7)
  return entropy(value) >= least && !isPlaceholder(value)
}

/** How often the class changes between neighbours: small letter, capital, digit or symbol. */
function changesIn(value: string): number {
  let changes = 0
  let last = 0
  for (let i = 0; i < value.length; i++) {
    const now = classOf(value.charCodeAt(i))
    if (last !== 0 && now !== 0 && now !== last) changes++
    last = now
  }
  return changes
}

/** 0 for separators, which end a word on both sides. */
function classOf(unit: number): number {
  if (unit >= 0x61 && unit <= 0x7a) return 1
  if (unit >= 0x41 && unit <= 0x5a) return 2
  if (unit >= 0x30 && unit <= 0x39) return 3
  return unit === 0x2d || unit === 0x5f || unit === 0x2e || unit === 0x2f || unit === 0x3a ? 0 : 4
}

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i
// An id with its prefix, a hash with its name, a reference to where the secret is stored.
const named = /^(?:[a-z]{2,6}_[0-9a-f]{32}|(?:sha\d+|md5|blake\w*|hmac\w*)[-:_].*)$/i
const referring = /^(?:[$%@&*~./\\-]|(?:vault|enc|secrets?|env|file|kms|ssm|op|arn|https?|data):)/i
// Pieces of code, and names of types such as Uint8Array.
const codeLike =
  /[()[\]{}]|=>|->|::|^(?:\w{1,40}\.){0,4}(?:[A-Z][a-z]{1,20}){1,4}\d{1,5}(?:[A-Z][a-z]{1,20}){1,4}$/

/** A value that only names, hashes or points at something. */
function isReference(value: string): boolean {
  return uuid.test(value) || named.test(value) || referring.test(value) || codeLike.test(value)
}

/**
 * Whether a value after the name of a credential looks generated, and is not a word, name, number, path,
 * date, piece of code, UUID, Abode id or named hash.
 */
export function isGenerated(value: string): boolean {
  if (value.length < 16 || changesIn(value) < value.length / 4) return false
  if (!/[A-Za-z]/.test(value) || !/[0-9]/.test(value)) return false
  return isRandom(value) && !isUsualPassword(value) && !isReference(value)
}

/** Whether a value after the name of a password may be a real password. */
export function isRealPassword(value: string): boolean {
  if (value.length < 8 || changesIn(value) < Math.max(3, value.length / 5)) return false
  if (!/[A-Za-z]/.test(value) || !/[^A-Za-z]/.test(value) || new Set(value).size < 6) return false
  return !isUsualPassword(value) && !isReference(value)
}

/** The decoded text of base64, if that is plain ASCII; else the text itself. */
export function readable(value: string): string {
  if (value.length % 4 !== 0 || !/^[A-Za-z0-9+/]{4,400}={0,2}$/.test(value)) return value
  const decoded = Buffer.from(value, 'base64').toString('latin1')
  return /^[ -~\n]+$/.test(decoded) ? decoded.trim() : value
}
