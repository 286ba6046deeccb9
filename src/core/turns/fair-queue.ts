/** How many may wait: in all, and of one owner. */
export interface QueueBounds {
  readonly all: number
  readonly each: number
}

interface Waiter {
  begin: (leave: () => void) => void
}

/**
 * A place for one at a time. Those that wait are served by owner in turn, so that an owner who asks often
 * does not hold up one who asks once.
 */
export class FairQueue {
  readonly #bounds: QueueBounds
  /** Waiters by owner, in the order of the owners' turns. */
  readonly #waiting = new Map<string, Waiter[]>()
  #count = 0
  #isTaken = false

  constructor(bounds: QueueBounds) {
    this.#bounds = bounds
  }

  /** Waits for the place; gives the function that leaves it. Undefined if too many wait already. */
  take(owner: string): Promise<() => void> | undefined {
    if (!this.#isTaken) return this.wait(owner)
    const own = this.#waiting.get(owner) ?? []
    if (this.#count >= this.#bounds.all || own.length >= this.#bounds.each) return undefined
    return this.wait(owner)
  }

  /** The same however many wait: for work that is bounded by itself. */
  wait(owner: string): Promise<() => void> {
    if (!this.#isTaken) {
      this.#isTaken = true
      return Promise.resolve(this.#leave())
    }
    const own = this.#waiting.get(owner) ?? []
    this.#count += 1
    return new Promise((begin) => {
      own.push({ begin })
      this.#waiting.set(owner, own)
    })
  }

  #leave(): () => void {
    let hasLeft = false
    return () => {
      if (hasLeft) return
      hasLeft = true
      this.#next()
    }
  }

  #next(): void {
    const [turn] = this.#waiting
    if (!turn) {
      this.#isTaken = false
      return
    }
    const [owner, own] = turn
    const waiter = own.shift()
    this.#count -= 1
    // An owner with more waiters goes to the end of the queue.
    this.#waiting.delete(owner)
    if (own.length > 0) this.#waiting.set(owner, own)
    waiter?.begin(this.#leave())
  }
}
