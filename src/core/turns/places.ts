import { Refusal } from '../errors.ts'

/** How much work of one kind runs at once: of one account, and in all. */
export interface PlacesTerms {
  each: number
  all: number
  /** What the work is, for the refusal: "simulations". */
  of: string
}

const retrySeconds = 2

/** Places for long work: a caller that finds none is told to retry, and no account takes them all. */
export class Places {
  readonly #terms: PlacesTerms
  readonly #taken = new Map<string, number>()
  #all = 0

  constructor(terms: PlacesTerms) {
    this.#terms = terms
  }

  /**
   * Does the work in a place of the account.
   * @throws Refusal `rate_limited` if the account has taken all of its own, `unavailable` if others have
   *   taken the rest
   */
  async hold<T>(accountId: string, work: () => Promise<T>): Promise<T> {
    const { each, all, of } = this.#terms
    const own = this.#taken.get(accountId) ?? 0
    const hint = `Try again in ${retrySeconds} seconds.`
    const later = { retryAfterSeconds: retrySeconds, hint }
    if (own >= each) {
      throw new Refusal('rate_limited', `An account has ${each} ${of} under way at most.`, later)
    }
    if (this.#all >= all) {
      throw new Refusal('unavailable', `Too many ${of} are under way.`, later)
    }
    this.#taken.set(accountId, own + 1)
    this.#all += 1
    try {
      return await work()
    } finally {
      const left = (this.#taken.get(accountId) ?? 1) - 1
      if (left > 0) this.#taken.set(accountId, left)
      else this.#taken.delete(accountId)
      this.#all -= 1
    }
  }
}
