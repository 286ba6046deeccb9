/** Work that waits, one after the other, account by account in turn. */
export class Queue<T> {
  readonly #waiting = new Map<string, T[]>()

  add(accountId: string, work: T): void {
    const own = this.#waiting.get(accountId)
    if (own) own.push(work)
    else this.#waiting.set(accountId, [work])
  }

  /** The next piece of work: of the account that has waited longest since its last turn. */
  take(): T | undefined {
    for (const [accountId, [work, ...more]] of this.#waiting) {
      this.#waiting.delete(accountId)
      if (more.length > 0) this.#waiting.set(accountId, more)
      return work
    }
    return undefined
  }
}
