import { nearest, newEffort } from '../input/nearest.ts'
import { isGeneric, meaningsOf, wordsOfName } from '../text/synonyms.ts'

/** How much a word counts that has another name here, and one that is only spelled like one. */
const weights = { same: 1, synonym: 0.8, misspelled: 0.7 }
const misspelledAtLeast = 4

/** Something that has a name, and words that may be said of it too. */
interface Known<T> {
  of: T
  words: readonly string[]
  also: readonly string[]
}

/** What was found, and how well it fits: 1 where every word is the same. */
export interface Likeness<T> {
  of: T
  fit: number
}

/** What is meant by a name in other words: known once, asked often. */
export class Meant<T> {
  readonly #known: readonly Known<T>[]
  readonly #vocabulary: ReadonlySet<string>

  /** @param known each with its name, and with a text whose words may be said of it too */
  constructor(known: Iterable<readonly [of: T, name: string, also?: string]>) {
    this.#known = [...known].map(([of, name, also = '']) => {
      const words = wordsOfName(name)
      return { of, words, also: wordsOfName(also).filter((word) => !words.includes(word)) }
    })
    this.#vocabulary = new Set(this.#known.flatMap(({ words, also }) => [...words, ...also]))
  }

  /** Whether it is a word of what is known, or stands for one. */
  knows(word: string): boolean {
    return this.#vocabulary.has(word) || meaningsOf(word).some((one) => this.#vocabulary.has(one))
  }

  /**
   * The best of what is known, the first of equals. The work is bounded: of a name only the first words count.
   * @param name as it was sent, or what is looked for
   * @param favoured adds to the fit of some
   */
  find(
    name: string | readonly Sought[],
    favoured: (of: T) => number = () => 0,
  ): Likeness<T> | undefined {
    const sought = typeof name === 'string' ? this.#spelled(wordsOfName(name)) : name
    let best: Likeness<T> | undefined
    for (const known of this.#known) {
      const fit = fitOf(sought, known) + favoured(known.of)
      if (fit > (best?.fit ?? 0)) best = { of: known.of, fit }
    }
    return best
  }

  /** The words with what they may stand for; those that are unknown, as the nearest known ones. */
  #spelled(words: readonly string[]): Sought[] {
    const effort = newEffort()
    return words.map((word) => {
      const isFar = word.length < misspelledAtLeast || this.knows(word)
      const meant = isFar ? undefined : nearest(word, this.#vocabulary, effort)
      return meant === undefined ? soughtBy(word) : new Map([[meant, weights.misspelled]])
    })
  }
}

/** The words that one word may stand for, each with its weight. */
export type Sought = ReadonlyMap<string, number>

/** What a word may stand for. */
export function soughtBy(word: string): Sought {
  const found = new Map(meaningsOf(word).map((meaning) => [meaning, weights.synonym]))
  return found.set(word, weights.same)
}

/** The part of both names that the other one has too (the coefficient of Dice, weighed). */
function fitOf<T>(sought: readonly Sought[], { words, also }: Known<T>): number {
  let shared = 0
  let size = 0
  for (const one of sought) {
    const weight = weightOf([...one.keys()])
    shared += weight * Math.max(bestOf(one, words), bestOf(one, also))
    size += weight
  }
  for (const word of words) {
    const weight = weightOf([word])
    shared += weight * heldBy(sought, word)
    size += weight
  }
  // What may be said of it too is no fault where it is not said.
  for (const word of also) {
    const held = heldBy(sought, word)
    if (held === 0) continue
    shared += held
    size += 1
  }
  return size === 0 ? 0 : shared / size
}

/** What is done with things of every kind tells half as much as the thing. */
function weightOf(words: readonly string[]): number {
  return words.some(isGeneric) ? 0.5 : 1
}

function heldBy(sought: readonly Sought[], word: string): number {
  let best = 0
  for (const one of sought) best = Math.max(best, one.get(word) ?? 0)
  return best
}

function bestOf(sought: Sought, words: readonly string[]): number {
  let best = 0
  for (const word of words) best = Math.max(best, sought.get(word) ?? 0)
  return best
}
