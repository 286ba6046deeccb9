/** A waiting caller, with the function that admits it. */
interface Waiter {
  enter(): void
}

/**
 * Admits a limited number at once, in all and of one account; the others wait, and accounts take turns.
 */
export class AccountGate {
  readonly #most: number
  readonly #each: number
  #inside = 0
  readonly #insideOf = new Map<string, number>()
  /** By account, in the order of turns. */
  readonly #waiting = new Map<string, Waiter[]>()

  constructor(most: number, each: number) {
    this.#most = most
    this.#each = each
  }

  /**
   * Does the work once there is room.
   * @throws the reason of the signal, if it is aborted before
   */
  async pass<T>(account: string, signal: AbortSignal, work: () => Promise<T>): Promise<T> {
    signal.throwIfAborted()
    if (!this.#isOpen(account) || this.#waiting.has(account)) await this.#wait(account, signal)
    else this.#enter(account)
    try {
      return await work()
    } finally {
      this.#leave(account)
    }
  }

  #isOpen(account: string): boolean {
    return this.#inside < this.#most && (this.#insideOf.get(account) ?? 0) < this.#each
  }

  #enter(account: string): void {
    this.#inside += 1
    this.#insideOf.set(account, (this.#insideOf.get(account) ?? 0) + 1)
  }

  #leave(account: string): void {
    this.#inside -= 1
    const left = (this.#insideOf.get(account) ?? 1) - 1
    if (left > 0) this.#insideOf.set(account, left)
    else this.#insideOf.delete(account)
    this.#letIn()
  }

  #letIn(): void {
    for (const [account, waiters] of this.#waiting) {
      if (!this.#isOpen(account)) continue
      const next = waiters.shift()
      this.#waiting.delete(account)
      // An account that has had a turn goes to the end.
      if (waiters.length > 0) this.#waiting.set(account, waiters)
      if (!next) continue
      this.#enter(account)
      next.enter()
      return
    }
  }

  #wait(account: string, signal: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      const waiter: Waiter = {
        enter() {
          signal.removeEventListener('abort', giveUp)
          resolve()
        },
      }
      const waiters = this.#waiting.get(account) ?? []
      waiters.push(waiter)
      this.#waiting.set(account, waiters)
      const giveUp = (): void => {
        waiters.splice(waiters.indexOf(waiter), 1)
        if (waiters.length === 0 && this.#waiting.get(account) === waiters) {
          this.#waiting.delete(account)
        }
        reject(signal.reason)
      }
      signal.addEventListener('abort', giveUp, { once: true })
    })
  }
}
