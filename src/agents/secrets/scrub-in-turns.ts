import { Slices } from '#src/core/turns/slices.ts'
import type { Clock } from '#src/ports/clock.ts'
import {
  formsOf,
  mask,
  scrubbedValue,
  scrubberOf,
  tokenLength,
  tokens,
  type Scrub,
} from './scrubber.ts'

/** Characters in a unit of work, which takes some microseconds. */
const charactersAUnit = 16_384
const formsAUnit = 128
const matchesAUnit = 32
/** Characters of a secret in a unit while its forms are computed. */
const charactersSpelled = 64
/** Units done without a break. */
const unitsAtOnce = 64
/** Tokens are searched in pieces of this many characters. */
const pieceCharacters = 65_536

/** The same as `scrubber`, computed in pieces: a hundred long secrets have many forms. */
export async function scrubberInTurns(
  values: Iterable<string>,
  clock: Pick<Clock, 'turn'>,
): Promise<Scrub> {
  const slices = new Slices(clock)
  const forms: string[] = []
  for (const value of values) {
    if (slices.isSpent(value.length / charactersSpelled)) await slices.rest()
    forms.push(...formsOf(value))
  }
  return scrubberOf(forms)
}

/**
 * The same as `scrubbedValue`, in pieces between which other work runs: searching megabytes for a
 * hundred secrets in a dozen forms takes a second.
 */
export async function scrubbedInTurns<T>(
  value: T,
  scrub: Scrub,
  clock: Pick<Clock, 'turn'>,
): Promise<T> {
  if (unitsOf(value, scrub.forms.length, unitsAtOnce) <= unitsAtOnce) {
    return scrubbedValue(value, scrub)
  }
  // Texts become texts, lists lists and maps maps, so the type stays.
  return (await new Cleaner(scrub, new Slices(clock)).value(value)) as T
}

class Cleaner {
  readonly #scrub: Scrub
  readonly #slices: Slices

  constructor(scrub: Scrub, slices: Slices) {
    this.#scrub = scrub
    this.#slices = slices
  }

  async value(value: unknown): Promise<unknown> {
    const units = unitsOf(value, this.#scrub.forms.length, unitsAtOnce)
    if (units <= unitsAtOnce) {
      await this.#spend(units)
      return scrubbedValue(value, this.#scrub)
    }
    if (typeof value === 'string') return this.#text(value)
    if (Array.isArray(value)) return this.#list(value)
    return this.#members(value as object)
  }

  async #list(items: readonly unknown[]): Promise<unknown[]> {
    const clean: unknown[] = []
    for (const item of items) clean.push(await this.value(item))
    return clean
  }

  async #members(value: object): Promise<object> {
    const clean: [string, unknown][] = []
    for (const [name, member] of Object.entries(value)) {
      clean.push([String(await this.value(name)), await this.value(member)])
    }
    return Object.fromEntries(clean)
  }

  async #text(text: string): Promise<string> {
    let clean = text
    for (const form of this.#scrub.forms) {
      await this.#spend(unitsOfText(clean, 1))
      clean = await this.#without(form, clean)
    }
    return clean.includes('_') ? this.#withoutTokens(clean) : clean
  }

  async #without(form: string, text: string): Promise<string> {
    const parts: string[] = []
    let from = 0
    for (let at = text.indexOf(form); at >= 0; at = text.indexOf(form, from)) {
      parts.push(text.slice(from, at))
      from = at + form.length
      await this.#spend(1 / matchesAUnit)
    }
    return parts.length === 0 ? text : [...parts, text.slice(from)].join(mask)
  }

  async #withoutTokens(text: string): Promise<string> {
    const parts: string[] = []
    let from = 0
    for (let end = 0; from < text.length; from = end) {
      await this.#spend(pieceCharacters / charactersAUnit)
      // With the text that follows, for a token that begins in this piece.
      const piece = text.slice(from, from + pieceCharacters + tokenLength)
      end = Math.min(from + pieceCharacters, text.length)
      let last = 0
      for (const { 0: token, index } of piece.matchAll(tokens)) {
        if (index >= pieceCharacters) break
        parts.push(piece.slice(last, index), mask)
        last = index + token.length
      }
      end = Math.max(end, from + last)
      parts.push(piece.slice(last, end - from))
    }
    return parts.join('')
  }

  async #spend(units: number): Promise<void> {
    if (this.#slices.isSpent(units)) await this.#slices.rest()
  }
}

/** The cost of scrubbing a value, in units; counting stops beyond `most`. */
function unitsOf(value: unknown, forms: number, most: number): number {
  if (typeof value === 'string') return unitsOfText(value, forms)
  const own = 1 / formsAUnit
  if (typeof value !== 'object' || value === null) return own
  let units = own
  const isList = Array.isArray(value)
  // The entries of a long list would take longer than the look at them.
  for (const name of isList ? value.keys() : Object.keys(value)) {
    if (!isList) units += unitsOfText(String(name), forms)
    units += unitsOf(Reflect.get(value, name), forms, most - units)
    if (units > most) return units
  }
  return units
}

function unitsOfText({ length }: string, forms: number): number {
  return ((forms + 1) * (1 + (length * formsAUnit) / charactersAUnit)) / formsAUnit
}
