/** Reads what is due of the accounts after one, in the order of accounts and of time. */
export type Read<T> = (after: string, limit: number) => Promise<T[]>

/**
 * Takes what is due of every account in turn: some of each, and goes on with the next time where it
 * left off. Where there is little, one read finds it all.
 */
export class InTurn<T> {
  readonly #ownerOf: (one: T) => string
  readonly #most: number
  readonly #each: number
  #after = ''

  /** @param most of all in one go @param each of one account, at most */
  constructor(ownerOf: (one: T) => string, most: number, each: number) {
    this.#ownerOf = ownerOf
    this.#most = most
    this.#each = each
  }

  async next(read: Read<T>): Promise<T[]> {
    const begun = this.#after
    const found = await this.#from(begun, this.#most, read)
    if (found.length < this.#most && begun !== '') {
      const first = await this.#from('', this.#most - found.length, read)
      found.push(...first.filter((one) => this.#ownerOf(one) <= begun))
    }
    const last = found.at(-1)
    this.#after = last !== undefined && found.length >= this.#most ? this.#ownerOf(last) : ''
    return found
  }

  async #from(after: string, most: number, read: Read<T>): Promise<T[]> {
    const found: T[] = []
    for (let last = after; found.length < most;) {
      const limit = Math.min(this.#each, most - found.length)
      const some = await read(last, limit)
      found.push(...some)
      const end = some.at(-1)
      if (end === undefined || some.length < limit) break
      // What the account has beyond its share waits for its next turn.
      last = this.#ownerOf(end)
    }
    return found
  }
}
