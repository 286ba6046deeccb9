import type { ChangeStore } from './change-store.ts'

/** In place of the names where too many were touched. */
export const everything = '*'
const namesAtMost = 1_000
/** Notes of a process that are kept at most. */
const notesKept = 1_000
/** How often older ones are removed, in notes. */
const removedEvery = 100
const retryMs = 200

/**
 * Leaves notes of what this process has touched, one after the other: what is touched while one is written
 * waits for the next, so that many commits cost few notes, and their numbers tell a reader whether it
 * has read all of them. A note is written after what it tells of can be read.
 */
export class Notes {
  readonly #store: ChangeStore
  readonly #origin: string
  #n = 0
  #names = new Set<string>()
  #busy: Promise<void> | undefined
  #isClosed = false

  constructor(store: ChangeStore, origin: string) {
    this.#store = store
    this.#origin = origin
  }

  /** Tells of these names soon. */
  add(names: Iterable<string>): void {
    for (const name of names) this.#names.add(name)
    if (this.#names.size > namesAtMost) this.#names = new Set([everything])
    if (this.#names.size > 0) this.#busy ??= this.#write()
  }

  /** Resolves once all is told that can be. */
  async close(): Promise<void> {
    this.#isClosed = true
    await this.#busy
  }

  async #write(): Promise<void> {
    while (this.#names.size > 0) {
      const note = { origin: this.#origin, n: this.#n + 1, names: [...this.#names] }
      this.#names = new Set()
      if (!(await this.#added(note))) break
      this.#n = note.n
      if (note.n % removedEvery === 0 && note.n > notesKept) {
        await this.#store.removeUpTo(note.n - notesKept).catch(() => undefined)
      }
    }
    this.#busy = undefined
  }

  /** Tries until it is written, or the store closes. */
  async #added(note: Parameters<ChangeStore['add']>[0]): Promise<boolean> {
    for (;;) {
      try {
        await this.#store.add(note)
        return true
      } catch {
        if (this.#isClosed) return false
        await new Promise((resolve) => setTimeout(resolve, retryMs))
      }
    }
  }
}
