/** How much waits for one account. */
interface Entry {
  wanted: number
  /** Its work was found in the store and has not been counted. */
  isBacklog: boolean
}

/**
 * Accounts for which something waits: the account that had its turn goes to the end. The ring is
 * only a hint of what is in the store, so it may forget accounts beyond its bound.
 */
export class AccountRing {
  readonly #entries = new Map<string, Entry>()
  readonly #most: number

  /** @param most accounts that it remembers */
  constructor(most: number) {
    this.#most = most
  }

  get size(): number {
    return this.#entries.size
  }

  has(account: string): boolean {
    return this.#entries.has(account)
  }

  /** So much more waits for the account. @returns false where there are too many accounts */
  add(account: string, count: number, isBacklog = false): boolean {
    const known = this.#entries.get(account)
    if (known) {
      known.wanted += count
      known.isBacklog ||= isBacklog
      return true
    }
    if (this.#entries.size >= this.#most) return false
    this.#entries.set(account, { wanted: count, isBacklog })
    return true
  }

  /**
   * The account whose turn it is, among those that may have one, with one less that waits for it.
   * @returns undefined where there is none
   */
  next(isOpen: (account: string) => boolean): { account: string; isBacklog: boolean } | undefined {
    for (const [account, entry] of this.#entries) {
      if (!isOpen(account)) continue
      this.#entries.delete(account)
      entry.wanted -= 1
      if (entry.wanted > 0) this.#entries.set(account, entry)
      return { account, isBacklog: entry.isBacklog }
    }
    return undefined
  }

  drop(account: string): void {
    this.#entries.delete(account)
  }
}
