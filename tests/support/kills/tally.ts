/** Counts what happens, and tells those who wait for a number. */
export class Tally {
  #count = 0
  readonly #waiting = new Set<{ number: number; tell: () => void }>()

  get count(): number {
    return this.#count
  }

  add(): void {
    this.#count += 1
    for (const one of this.#waiting) {
      if (this.#count < one.number) continue
      this.#waiting.delete(one)
      one.tell()
    }
  }

  /** Resolves once there were so many, at once where there are. */
  reaches(number: number): Promise<void> {
    return new Promise((resolve) => {
      if (this.#count >= number) resolve()
      else this.#waiting.add({ number, tell: resolve })
    })
  }
}
