import { Refusal } from '../errors.ts'

/** How much work of one kind runs at once: of one account, and in all. */
export interface PlacesTerms {
  each: number
  all: number
  /** How much of one account waits for a place instead of being refused; four times as much in all. By default none. */
  line?: number
  /** What the work is, for the refusal: "simulations". */
  of: string
}

const retrySeconds = 2
const linesAtMost = 4

/** Work of one account. */
interface Own {
  taken: number
  waiting: (() => void)[]
}

/** Places for long work: a caller that finds none waits or is told to retry, and no account takes them all. */
export class Places {
  readonly #terms: PlacesTerms
  /** By account, in the order of their turns. */
  readonly #own = new Map<string, Own>()
  #all = 0
  #waiting = 0

  constructor(terms: PlacesTerms) {
    this.#terms = terms
  }

  /**
   * Does the work in a place of the account.
   * @throws Refusal `rate_limited` if the account has taken all of its own, `unavailable` if others have
   *   taken the rest
   */
  async hold<T>(accountId: string, work: () => Promise<T>): Promise<T> {
    const own = this.#own.get(accountId) ?? { taken: 0, waiting: [] }
    if (own.taken >= this.#terms.each || this.#all >= this.#terms.all) {
      const wait = this.#waitFor(accountId, own)
      this.#waiting += 1
      await wait
    } else this.#take(accountId, own)
    try {
      return await work()
    } finally {
      this.#leave(accountId, own)
    }
  }

  #waitFor(accountId: string, own: Own): Promise<void> {
    const { each, line = 0, of } = this.#terms
    const hint = `Try again in ${retrySeconds} seconds.`
    const later = { retryAfterSeconds: retrySeconds, hint }
    if (own.waiting.length >= line && own.taken >= each) {
      throw new Refusal('rate_limited', `An account has ${each} ${of} under way at most.`, later)
    }
    if (own.waiting.length >= line || this.#waiting >= line * linesAtMost) {
      throw new Refusal('unavailable', `Too many ${of} are under way.`, later)
    }
    this.#own.set(accountId, own)
    return new Promise((begin) => own.waiting.push(begin))
  }

  #take(accountId: string, own: Own): void {
    own.taken += 1
    this.#all += 1
    // At the end of the turns.
    this.#own.delete(accountId)
    this.#own.set(accountId, own)
  }

  #leave(accountId: string, own: Own): void {
    own.taken -= 1
    this.#all -= 1
    if (own.taken === 0 && own.waiting.length === 0) this.#own.delete(accountId)
    if (this.#waiting === 0) return
    for (const [id, next] of this.#own) {
      if (next.taken >= this.#terms.each) continue
      const begin = next.waiting.shift()
      if (!begin) continue
      this.#waiting -= 1
      this.#take(id, next)
      begin()
      return
    }
  }
}
