/** Once the reads of one turn of the event loop have taken this long, the next ones wait for a later turn. */
const turnMs = 4
/** Shorter reads are not counted, unless others wait. */
const countedMs = 0.5

/**
 * Spreads reads over turns of the event loop. Reads of this connection hold it, and their answers are
 * encoded in the same turn: many large ones that arrive together would hold it for as long as all of
 * them take.
 */
export class Pace {
  readonly #waiting: (() => void)[] = []
  #spentMs = 0
  #isCounting = false

  /** Whether the next read has to wait for its `turn`. */
  get isSpent(): boolean {
    return this.#spentMs >= turnMs
  }

  /** Resolves when the next read may begin, first come first served. */
  turn(): Promise<void> {
    return new Promise((resolve) => {
      this.#waiting.push(resolve)
    })
  }

  /** Counts a read that has just ended. */
  spend(milliseconds: number): void {
    if (!this.#isCounting) {
      if (milliseconds < countedMs) return
      this.#isCounting = true
      setImmediate(() => this.#begin())
    }
    this.#spentMs += milliseconds
  }

  #begin(): void {
    this.#spentMs = 0
    this.#isCounting = this.#waiting.length > 0
    if (this.#isCounting) setImmediate(() => this.#begin())
    this.#wake()
  }

  /** Lets the waiting ones read, one after the other, until they have spent the turn. */
  #wake(): void {
    const next = this.#waiting.shift()
    if (!next) return
    next()
    // It reads in the microtask before this one, and says what it has spent.
    queueMicrotask(() => {
      if (!this.isSpent) this.#wake()
    })
  }
}
