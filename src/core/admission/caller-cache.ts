const rememberedAtMost = 10_000

/** A caller's last use is written to the store at most this often. */
export const usedEveryMs = 60_000

/** Callers by what they send, until something changes. */
export class CallerCache<Entry> {
  readonly #entries = new Map<string, Entry>()
  // Counts changes, so that the result of a look-up that began before a change is not cached after it.
  #generation = 0

  get(sent: string): Entry | undefined {
    return this.#entries.get(sent)
  }

  /** Looks a caller up, and caches what is found if nothing has changed meanwhile. */
  async add(sent: string, lookUp: () => Promise<Entry>): Promise<Entry> {
    const begun = this.#generation
    const entry = await lookUp()
    if (begun !== this.#generation) return entry
    if (this.#entries.size >= rememberedAtMost) this.#entries.clear()
    this.#entries.set(sent, entry)
    return entry
  }

  clear(): void {
    this.#generation += 1
    this.#entries.clear()
  }
}
