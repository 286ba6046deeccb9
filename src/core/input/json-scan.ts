import { Refusal } from '../errors.ts'
import { depthAtMost, heavyNodes, lessDeep, nodesAtMost } from './bounds.ts'

/** Members that one object may have. */
const membersAtMost = 5000
/** Items that one list may have. */
const itemsAtMost = 100_000
/**
 * Members of all objects together whose names are numbers: engines keep those apart from other names, in
 * order, and take far longer to insert each.
 */
const numberNamesAtMost = 5000

/** The next sign is looked for byte by byte for this distance: starting a search for each would cost more. */
const nearBytes = 64

const quote = 0x22
const backslash = 0x5c
const comma = 0x2c
const colon = 0x3a

/**
 * Scans the bytes of JSON as they arrive, before they are parsed, and counts what would be expensive to
 * parse: depth, values, members, items, names that are numbers. It looks at each byte at most once.
 * Whether it is valid JSON is left to the parser.
 */
export class JsonScan {
  #depth = 0
  #values = 0
  #numberNames = 0
  /** How much each open container holds so far, and whether it is an object. */
  readonly #counts = new Uint32Array(depthAtMost + 2)
  readonly #isObject = new Uint8Array(depthAtMost + 2)
  #isValueNext = true
  #isInText = false
  #isEscaped = false
  /** The text that is being read: not a name, or whether it may still be a number. */
  #name: 'none' | 'empty' | 'digits' | 'escaped' | 'other' = 'none'

  /** Whether each step over the parsed value is noticeable. */
  get isHeavy(): boolean {
    return this.#values > heavyNodes
  }

  /** @throws Refusal `too_deep` */
  add(bytes: Uint8Array): void {
    let at = 0
    while (at < bytes.length) at = this.#isInText ? this.#text(bytes, at) : this.#token(bytes, at)
  }

  /** Reads on to the end of the text or of the bytes; returns the place after it. */
  #text(bytes: Uint8Array, from: number): number {
    // Only the first characters of a name are examined; the rest is skipped like any text.
    let at = from
    while (at < bytes.length && (this.#name === 'empty' || this.#name === 'digits')) {
      const byte = bytes[at] ?? 0
      if (byte === quote) return this.#closed(at)
      // An escape may stand for a digit.
      if (byte === backslash) this.#name = 'escaped'
      else this.#name = isDigit(byte) ? 'digits' : 'other'
      if (this.#name === 'digits') at += 1
    }
    return this.#skipped(bytes, at)
  }

  /** The end of the text; by search if no quote is near, so that a long text costs next to nothing. */
  #skipped(bytes: Uint8Array, from: number): number {
    let at = this.#isEscaped ? from + 1 : from
    this.#isEscaped = false
    while (at < bytes.length) {
      at = nextSign(bytes, at)
      if (bytes[at] === quote) return this.#closed(at)
      // Skip the escaped character; it may be in the next chunk.
      if (bytes[at] === backslash) at += 2
    }
    this.#isEscaped = at > bytes.length
    return bytes.length
  }

  #closed(at: number): number {
    this.#isInText = false
    const isNumber = this.#name === 'digits' || this.#name === 'escaped'
    if (isNumber && ++this.#numberNames > numberNamesAtMost) {
      throw tooMuch(`more than ${numberNamesAtMost} members whose names are numbers`)
    }
    this.#name = 'none'
    return at + 1
  }

  #token(bytes: Uint8Array, at: number): number {
    const byte = bytes[at] ?? 0
    // Whitespace is not a token.
    if (byte <= 0x20) return at + 1
    if (byte === quote) {
      const isName = !this.#isValueNext && this.#isObject[this.#depth] === 1
      this.#name = isName ? 'empty' : 'none'
      if (this.#isValueNext) this.#value()
      this.#isInText = true
      return at + 1
    }
    // `{` and `[`, `}` and `]` differ in one bit each.
    if (byte === 0x7b || byte === 0x5b) this.#open(byte === 0x7b)
    else if (byte === 0x7d || byte === 0x5d) this.#close()
    else if (byte === comma) this.#isValueNext = this.#isObject[this.#depth] !== 1
    else if (byte === colon) this.#isValueNext = true
    else if (this.#isValueNext) this.#value()
    return at + 1
  }

  #open(isObject: boolean): void {
    if (this.#isValueNext) this.#value()
    this.#depth += 1
    if (this.#depth > depthAtMost) throw tooMuch(`more than ${depthAtMost} levels`)
    this.#counts[this.#depth] = 0
    this.#isObject[this.#depth] = isObject ? 1 : 0
    this.#isValueNext = !isObject
  }

  #close(): void {
    if (this.#depth > 0) this.#depth -= 1
    this.#isValueNext = false
  }

  /** Counts a value: a member or an item of the open container. */
  #value(): void {
    this.#isValueNext = false
    if (++this.#values > nodesAtMost) throw tooMuch(`more than ${nodesAtMost} members and items`)
    const count = (this.#counts[this.#depth] ?? 0) + 1
    this.#counts[this.#depth] = count
    if (this.#depth === 0) return
    const isObject = this.#isObject[this.#depth] === 1
    if (count <= (isObject ? membersAtMost : itemsAtMost)) return
    throw tooMuch(
      isObject
        ? `an object of more than ${membersAtMost} members`
        : `a list of more than ${itemsAtMost} items`,
    )
  }
}

/** Where the next quote or backslash is; the end of the bytes if there is none. */
function nextSign(bytes: Uint8Array, from: number): number {
  const near = Math.min(from + nearBytes, bytes.length)
  for (let at = from; at < near; at++) {
    if (bytes[at] === quote || bytes[at] === backslash) return at
  }
  if (near === bytes.length) return near
  const end = bytes.indexOf(quote, near)
  const until = end < 0 ? bytes.length : end
  const escape = bytes.subarray(near, until).indexOf(backslash)
  return escape < 0 ? until : near + escape
}

function isDigit(byte: number): boolean {
  return byte >= 0x30 && byte <= 0x39
}

function tooMuch(what: string): Refusal {
  return new Refusal('too_deep', `The body has ${what}.`, { hint: lessDeep })
}
