import type { SearchQuery } from '#src/ports/search.ts'
import { stem } from './stem.ts'

interface Term {
  /** In the form that is returned to the caller. */
  text: string
  /** The stems that must be adjacent. */
  stems: string[]
  required: boolean
}

/** What a document contains of a query. */
export interface Held {
  /** By the position of each term: the weight of the heaviest member that contains it; 0 if none does. */
  weights: number[]
  /** Whether all words stand close to each other in one member, where all are required. */
  isNear: boolean
}

/** So many other words may stand between the words of a query that stand close to each other. */
const between = 8

/** Tells which terms of a query a document contains, word by word, as the embedded store does. */
export class HeldTerms {
  readonly #terms: Term[]
  /** The positions of terms that are single words, if it matters whether they stand close. */
  readonly #words: readonly Term[]
  readonly #stems = new Map<string, string>()

  constructor({ words, phrases, mode }: SearchQuery) {
    const toTerm = (parts: readonly string[], required: boolean): Term => {
      const text = parts.join(' ')
      return { text, stems: this.#stemsOf(text), required }
    }
    const single = words.map((word) => toTerm([word], mode === 'all'))
    this.#terms = [...phrases.map((parts) => toTerm(parts, true)), ...single]
    this.#words = mode === 'all' && single.length > 1 ? single : []
  }

  /** The terms as they are returned to the caller, phrases first. */
  get texts(): string[] {
    return this.#terms.map(({ text }) => text)
  }

  /**
   * What the members of a document contain; undefined if a required term is missing, or all are.
   * @param members the text of each searched member, with its weight
   */
  of(members: readonly { text: unknown; weight: number }[]): Held | undefined {
    const own = members.flatMap(({ text, weight }) =>
      typeof text === 'string' ? [{ stems: this.#stemsOf(text), weight }] : [],
    )
    const weights: number[] = []
    for (const term of this.#terms) {
      const holding = own.filter(({ stems }) => placesOf(stems, term.stems).length > 0)
      if (term.required && holding.length === 0) return undefined
      weights.push(Math.max(0, ...holding.map(({ weight }) => weight)))
    }
    if (weights.every((weight) => weight === 0)) return undefined
    const isNear = this.#words.length > 0 && own.some(({ stems }) => this.#areNear(stems))
    return { weights, isNear }
  }

  #areNear(stems: readonly string[]): boolean {
    const places = this.#words.map((word) => ({
      length: word.stems.length,
      at: placesOf(stems, word.stems),
    }))
    if (places.some(({ at }) => at.length === 0)) return false
    // As FTS5 looks: from each place back, as far as the words between and the word itself reach.
    const lasts = places.flatMap(({ at }) => at)
    return lasts.some((last) =>
      places.every(({ at, length }) => {
        const nearest = at.findLast((one) => one <= last)
        return nearest !== undefined && nearest >= last - length - between
      }),
    )
  }

  #stemsOf(text: string): string[] {
    return tokens(text).map((token) => {
      const known = this.#stems.get(token)
      if (known !== undefined) return known
      const found = stem(token)
      this.#stems.set(token, found)
      return found
    })
  }
}

/** Letters and digits in lower case, without diacritics. */
function tokens(text: string): string[] {
  const plain = text.normalize('NFD').replace(/[\u0300-\u036f]/g, '')
  return plain.toLowerCase().match(/[\p{L}\p{N}\p{M}]+/gu) ?? []
}

/** Where the sought stems begin to stand one after the other, in order; of so many places the first. */
function placesOf(all: readonly string[], sought: readonly string[]): number[] {
  const [first] = sought
  const places: number[] = []
  if (first === undefined) return places
  for (let at = all.indexOf(first); at >= 0 && places.length < placesAtMost;) {
    if (sought.every((one, offset) => all[at + offset] === one)) places.push(at)
    at = all.indexOf(first, at + 1)
  }
  return places
}

/** A text of one word again and again would be compared with itself. */
const placesAtMost = 32
