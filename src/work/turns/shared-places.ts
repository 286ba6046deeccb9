/** How many places there are: in all, for one account at most, and kept for accounts that hold none. */
export interface SharedPlacesTerms {
  all: number
  each: number
  kept: number
}

/**
 * Places for slow work. Accounts that hold none come first, and the last few places are kept for
 * them; an account gets a second place only where no other account waits for it.
 */
export class SharedPlaces {
  readonly #terms: SharedPlacesTerms
  readonly #held = new Map<string, number>()
  #taken = 0

  constructor(terms: SharedPlacesTerms) {
    this.#terms = terms
  }

  /** Whether there is a place for an account that holds none. */
  get isOpen(): boolean {
    return this.#taken < this.#terms.all
  }

  /** Whether there is a place for an account that holds one already. */
  get hasSpare(): boolean {
    return this.#taken < this.#terms.all - this.#terms.kept
  }

  readonly isFirstOf = (account: string): boolean => !this.#held.has(account)

  readonly isOneMoreOf = (account: string): boolean =>
    (this.#held.get(account) ?? 0) < this.#terms.each

  /** Takes a place, and gives how to leave it. */
  take(account: string): () => void {
    this.#taken += 1
    this.#held.set(account, (this.#held.get(account) ?? 0) + 1)
    return () => {
      this.#taken -= 1
      const left = (this.#held.get(account) ?? 1) - 1
      if (left > 0) this.#held.set(account, left)
      else this.#held.delete(account)
    }
  }
}
