import { isMap } from '#src/core/maps.ts'
import { pointerTo } from '#src/core/text/text.ts'
import { cutWords, plainName } from './plain-name.ts'
import { cutTo, filledIn } from './placeholders.ts'
import type { Report } from './report.ts'

type Members = Record<string, unknown>

/** The path of a value in a document. */
export type Path = readonly string[]

/** The agent read from a document of another format. */
export interface ForeignAgent {
  agent: Members
  /** The path of its name. */
  namePath: Path
  /** The path of a picture as a data URL, if the document holds one. */
  picture?: Path | undefined
}

/**
 * A document of another format while its parts are sorted: members that are imported as a whole are
 * removed from it, and the rest is kept.
 */
export class Sorting {
  readonly #left: Members
  readonly #report: Report
  /** What replaces placeholders for the agent itself. */
  name = 'the character'

  /** @param document an unshared copy; it is changed */
  constructor(document: Members, report: Report) {
    this.#left = document
    this.#report = report
  }

  /** Names the agent by the first of these paths that holds a visible name. */
  nameBy(...paths: Path[]): void {
    const names = paths.map((path) => plainName(this.text(path)).name)
    this.name = names.find((name) => name !== '') ?? this.name
  }

  /** The member at a path; undefined if there is none. */
  at(path: Path): unknown {
    let found: unknown = this.#left
    for (const step of path) {
      if (typeof found !== 'object' || found === null || !Object.hasOwn(found, step)) {
        return undefined
      }
      // An object or a list that has this as its own member.
      found = (found as Members)[step]
    }
    return found
  }

  /** The value as a text: lists line by line, numbers as spelled. */
  text(path: Path): string {
    return textOf(this.at(path)).trim()
  }

  /** The value as a list of texts: a single text is split at commas or lines. */
  list(path: Path): string[] {
    const value = this.at(path)
    const items = Array.isArray(value) ? value.map(textOf) : textOf(value).split(/[,\n;]/)
    return items.map((item) => item.trim()).filter((item) => item !== '')
  }

  /**
   * A text for a member of its own, with placeholders filled in and cut to what fits. Null if there
   * is none.
   */
  moved(path: Path, to: string, charactersAtMost: number): string | null {
    const sent = this.text(path)
    if (sent === '') return null
    const text = this.fitting(sent, path, charactersAtMost)
    this.map(path, to)
    // The original stays unless all of it was imported.
    const value = this.at(path)
    if (typeof value === 'string' && text === value.trim()) this.take(path)
    return text
  }

  /** The same for a list of texts, each once. */
  movedList(path: Path, to: string, itemsAtMost = 200): string[] {
    const all = [...new Set(this.list(path))]
    if (all.length === 0) return []
    const items = all.slice(0, itemsAtMost).map((item) => filledIn(cutTo(item, 500), this.name))
    this.map(path, to)
    const value = this.at(path)
    const isWhole =
      Array.isArray(value) &&
      value.length === items.length &&
      items.every((item, i) => item === value[i])
    if (isWhole) this.take(path)
    return items
  }

  /** A text with placeholders filled in, cut to what fits, with a note where it was. */
  fitting(text: string, path: Path, charactersAtMost: number): string {
    // Cut before the placeholders are filled in: a short text can name the agent many times.
    const filled = filledIn(cutTo(text, charactersAtMost), this.name)
    if (text.length > charactersAtMost || filled.length > charactersAtMost) {
      this.#report.note(pointerTo(path), cutWords(charactersAtMost))
    }
    return cutTo(filled, charactersAtMost)
  }

  map(path: Path, to: string): void {
    this.#report.map(pointerTo(path), to)
  }

  note(path: Path, message: string): void {
    this.#report.note(pointerTo(path), message)
  }

  drop(path: Path, reason: string): void {
    this.#report.drop(pointerTo(path), reason)
    this.take(path)
  }

  /** Removes a member from the rest. */
  take(path: Path): void {
    const holder = this.at(path.slice(0, -1))
    const name = path.at(-1)
    if (isMap(holder) && name !== undefined) Reflect.deleteProperty(holder, name)
  }

  /**
   * Everything that is left, for the extensions; undefined if nothing is. Empty members are dropped.
   * @param inside members whose own members are reported one by one
   */
  rest(inside: readonly string[]): Members | undefined {
    for (const name of inside) this.#clear(this.#left[name])
    this.#clear(this.#left)
    for (const [name, value] of Object.entries(this.#left)) {
      const names = inside.includes(name) && isMap(value) ? Object.keys(value) : [undefined]
      for (const member of names) {
        this.#report.keep(pointerTo(member === undefined ? [name] : [name, member]))
      }
    }
    return isEmpty(this.#left) ? undefined : this.#left
  }

  #clear(holder: unknown): void {
    if (!isMap(holder)) return
    for (const [name, value] of Object.entries(holder)) {
      if (isEmpty(value)) Reflect.deleteProperty(holder, name)
    }
  }
}

function isEmpty(value: unknown): boolean {
  if (value === null || value === '') return true
  if (Array.isArray(value)) return value.length === 0
  return isMap(value) && Object.keys(value).length === 0
}

/** The value as a text. */
export function textOf(value: unknown): string {
  if (typeof value === 'string') return value
  if (typeof value === 'number') return String(value)
  if (!Array.isArray(value)) return ''
  return value.map((item) => (Array.isArray(item) ? '' : textOf(item))).join('\n')
}
