import { digest } from '#src/core/ids.ts'

/** Shorter texts are often alike by chance: many members write "Thanks, that worked". */
const charactersAtLeast = 40
/**
 * In a text of few words, one different word changes too much to tell a repeat from a form filled in.
 */
const wordsAtLeast = 30
const wordsPerShingle = 3
const bits = 64
/** Of 64 bits. Where nine tenths of the shingles are the same, about this many bits differ. */
const distanceAtMost = 10

// Scripts without blanks between words are compared by character. `+` and `#` are kept at the end of a
// word, as in C++ and C#.
const tokens =
  /[\p{scx=Han}\p{scx=Hira}\p{scx=Kana}\p{scx=Thai}\p{scx=Laoo}\p{scx=Khmr}\p{scx=Mymr}]|[\p{L}\p{N}\p{M}]+[+#]*|\p{So}/gu

// Gives the same result for most texts, at a third of the cost.
const ascii = /^[\0-\x7f]*$/
const asciiTokens = /[a-z0-9]+[+#]*/g

/** The words of a text: letter case, forms of characters, white space, punctuation and marks folded. */
function folded(text: string): string[] {
  const lower = text.normalize('NFKC').toLowerCase()
  return lower.match(ascii.test(lower) ? asciiTokens : tokens) ?? []
}

function isDistinctive(words: readonly string[]): boolean {
  let characters = 0
  for (const word of words) {
    characters += word.length + 1
    if (characters > charactersAtLeast) return true
  }
  return false
}

/**
 * The same for texts that differ only in letter case, white space, punctuation and Markdown syntax: 64
 * hexadecimal digits. Texts under 40 characters are the same only if their author is, too.
 * @param author a handle; it makes no difference for longer texts
 */
export function fingerprintOf(text: string, author: string): string {
  const words = folded(text)
  if (isDistinctive(words)) return digest(words.join(' '))
  // A text without any words is compared as it is. No handle and no word contains a line break.
  const plain = words.length > 0 ? words.join(' ') : text.replace(/\s+/g, ' ').trim()
  return digest(`${author}\n${plain}`)
}

/**
 * What `isNearlySame` compares: 16 hexadecimal digits, close to each other where most of the words
 * stand in the same order. Empty for texts under 30 words, which are never nearly the same.
 */
export function sketchOf(text: string): string {
  const words = folded(text)
  if (words.length < wordsAtLeast) return ''
  const hashes = words.map(hashOf)
  const votes = new Int32Array(bits)
  const shingles = Math.max(1, hashes.length - wordsPerShingle + 1)
  for (let i = 0; i < shingles; i++) count(votes, hashes, i)
  let sketch = ''
  for (let bit = 0; bit < bits; bit += 4) {
    let digit = 0
    for (let i = 0; i < 4; i++) if ((votes[bit + i] ?? 0) > 0) digit |= 1 << i
    sketch += digit.toString(16)
  }
  return sketch
}

/** FNV-1a, then mixed: the last letters of a word must affect every bit. */
function hashOf(word: string): number {
  let hash = 0x811c9dc5
  for (let i = 0; i < word.length; i++) hash = Math.imul(hash ^ word.charCodeAt(i), 0x01000193)
  return mixed(hash)
}

function mixed(value: number): number {
  let hash = Math.imul(value ^ (value >>> 16), 0x85ebca6b)
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35)
  return hash ^ (hash >>> 16)
}

/** Each shingle votes on every bit of the sketch with the bits of its own hash. */
function count(votes: Int32Array, hashes: readonly number[], at: number): void {
  let low = 0x9e3779b9
  let high = 0x7f4a7c15
  for (let i = at; i < at + wordsPerShingle; i++) {
    const word = hashes[i] ?? 0
    low = mixed(low ^ word)
    high = mixed(Math.imul(high, 31) + word)
  }
  for (let bit = 0; bit < 32; bit++) {
    votes[bit] = (votes[bit] ?? 0) + ((low >>> bit) & 1) * 2 - 1
    votes[bit + 32] = (votes[bit + 32] ?? 0) + ((high >>> bit) & 1) * 2 - 1
  }
}

/** Whether two sketches are of texts that differ only by small edits; never true of an empty one. */
export function isNearlySame(a: string, b: string): boolean {
  return a !== '' && b !== '' && distance(a, b) <= distanceAtMost
}

function distance(a: string, b: string): number {
  if (a.length !== b.length) return bits
  let sum = 0
  for (let i = 0; i < a.length; i += 8) {
    let rest = Number.parseInt(a.slice(i, i + 8), 16) ^ Number.parseInt(b.slice(i, i + 8), 16)
    for (; rest !== 0; rest &= rest - 1) sum++
  }
  return sum
}
