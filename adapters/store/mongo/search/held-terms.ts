import type { SearchQuery } from '#src/ports/search.ts'
import { stem } from './stem.ts'

interface Term {
  /** In the form that is returned to the caller. */
  text: string
  /** The stems that must be adjacent. */
  stems: string[]
  required: boolean
}

/** Tells which terms of a query a document contains, word by word, as the embedded store does. */
export class HeldTerms {
  readonly #terms: Term[]
  readonly #stems = new Map<string, string>()

  constructor({ words, phrases, mode }: SearchQuery) {
    const toTerm = (parts: readonly string[], required: boolean): Term => {
      const text = parts.join(' ')
      return { text, stems: this.#stemsOf(text), required }
    }
    this.#terms = [
      ...phrases.map((words) => toTerm(words, true)),
      ...words.map((word) => toTerm([word], mode === 'all')),
    ]
  }

  /** The terms that any of the texts contains; undefined if a required one is missing. */
  of(texts: readonly string[]): string[] | undefined {
    const stems = texts.map((text) => this.#stemsOf(text))
    const held: string[] = []
    for (const term of this.#terms) {
      if (stems.some((all) => holds(all, term.stems))) held.push(term.text)
      else if (term.required) return undefined
    }
    return held.length > 0 ? held : undefined
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

function holds(all: readonly string[], sought: readonly string[]): boolean {
  const [first] = sought
  if (first === undefined) return false
  for (let at = all.indexOf(first); at >= 0; at = all.indexOf(first, at + 1)) {
    if (sought.every((one, offset) => all[at + offset] === one)) return true
  }
  return false
}
