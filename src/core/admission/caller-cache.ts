import type { Touched } from '#src/ports/touched.ts'

const rememberedAtMost = 10_000

/** A caller's last use is written to the store at most this often. */
export const usedEveryMs = 60_000

/** Callers by what they send, until one of the documents that they are made of changes. */
export class CallerCache<Entry> {
  readonly #entries = new Map<string, Entry>()
  /** What was sent by those who are made of a document, under its name. */
  readonly #sentBy = new Map<string, Set<string>>()
  /** What has changed since each look-up under way began. */
  readonly #changes = new Set<Set<string>>()
  readonly #namesOf: (entry: Entry) => readonly string[]

  /** @param namesOf the names of the documents that a caller is made of */
  constructor(namesOf: (entry: Entry) => readonly string[]) {
    this.#namesOf = namesOf
  }

  get(sent: string): Entry | undefined {
    return this.#entries.get(sent)
  }

  /** Looks a caller up, and caches what is found if none of it has changed meanwhile. */
  async add(sent: string, lookUp: () => Promise<Entry>): Promise<Entry> {
    const changed = new Set<string>()
    this.#changes.add(changed)
    try {
      const entry = await lookUp()
      const names = this.#namesOf(entry)
      if (!changed.has(anything) && names.every((name) => !changed.has(name))) {
        this.#keep(sent, entry, names)
      }
      return entry
    } finally {
      this.#changes.delete(changed)
    }
  }

  /** Forgets the callers that are made of what was touched. */
  forget(touched: Touched): void {
    if (touched === 'all') return this.clear()
    for (const name of touched) {
      for (const changed of this.#changes) changed.add(name)
      for (const sent of this.#sentBy.get(name) ?? []) this.#drop(sent)
    }
  }

  clear(): void {
    for (const changed of this.#changes) changed.add(anything)
    this.#entries.clear()
    this.#sentBy.clear()
  }

  #keep(sent: string, entry: Entry, names: readonly string[]): void {
    this.#drop(sent)
    if (this.#entries.size >= rememberedAtMost) this.clear()
    this.#entries.set(sent, entry)
    for (const name of names) {
      const sents = this.#sentBy.get(name) ?? new Set()
      this.#sentBy.set(name, sents.add(sent))
    }
  }

  #drop(sent: string): void {
    const entry = this.#entries.get(sent)
    if (entry === undefined) return
    this.#entries.delete(sent)
    for (const name of this.#namesOf(entry)) {
      const sents = this.#sentBy.get(name)
      sents?.delete(sent)
      if (sents?.size === 0) this.#sentBy.delete(name)
    }
  }
}

/** In place of a name, where it is not known what has changed. */
const anything = '*'
