/** How many may wait: in all, and of one owner. */
export interface QueueBounds {
  readonly all: number
  readonly each: number
}

interface Waiter {
  begin: (leave: () => void) => void
}

/**
 * A place that one at a time may have. Whoever waits for it is served by owner in turn, so that nobody
 * who asks often is in the way of whoever asks once.
 */
export class FairQueue {
  readonly #bounds: QueueBounds
  /** In the order in which the owners have their turns. */
  readonly #waiting = new Map<string, Waiter[]>()
  #count = 0
  #isTaken = false

  constructor(bounds: QueueBounds) {
    this.#bounds = bounds
  }

  /** Waits for the place, and gives how to leave it; undefined where too many wait already. */
  take(owner: string): Promise<() => void> | undefined {
    if (!this.#isTaken) {
      this.#isTaken = true
      return Promise.resolve(this.#leave())
    }
    const own = this.#waiting.get(owner) ?? []
    if (this.#count >= this.#bounds.all || own.length >= this.#bounds.each) return undefined
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
    // To the end of the turns, where there is more of it.
    this.#waiting.delete(owner)
    if (own.length > 0) this.#waiting.set(owner, own)
    waiter?.begin(this.#leave())
  }
}
