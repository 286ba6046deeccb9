/** How many marks are remembered: more than occur between two looks, unless they come close together. */
const remembered = 1024

/** The longest time in which nothing else began or ended. */
export interface Stretch {
  /** The work under way; undefined if no mark tells. */
  work: string | undefined
  milliseconds: number
}

/** When each piece of work began and ended, newest last. Times are monotonic milliseconds. */
export class Marks {
  readonly #works: string[] = Array.from({ length: remembered }, () => '')
  readonly #times = new Float64Array(remembered)
  readonly #areEnds = new Uint8Array(remembered)
  #made = 0
  #looked = 0

  add(work: string, isEnd: boolean, time: number): void {
    const at = this.#made++ % remembered
    this.#works[at] = work
    this.#times[at] = time
    this.#areEnds[at] = isEnd ? 1 : 0
  }

  /** The longest stretch between two times, by the marks made since the last call. */
  longest(from: number, to: number): Stretch {
    let found: Stretch = { work: undefined, milliseconds: 0 }
    let began: string | undefined
    let ended: string | undefined
    let before = from
    // Overwritten marks were close together.
    if (this.#made - this.#looked > remembered) {
      this.#looked = this.#made - remembered
      before = this.#times[this.#looked % remembered] ?? from
    }
    for (; this.#looked < this.#made; this.#looked++) {
      const at = this.#looked % remembered
      const [time = to, work] = [this.#times[at], this.#works[at]]
      const isEnd = this.#areEnds[at] === 1
      // If the stretch ends with the end of some work, it was that work; otherwise what began last.
      if (time - before > found.milliseconds) {
        found = { work: isEnd ? work : (began ?? after(ended)), milliseconds: time - before }
      }
      began = isEnd ? undefined : work
      ended = isEnd ? work : undefined
      before = time
    }
    if (to - before > found.milliseconds) {
      found = { work: began ?? after(ended), milliseconds: to - before }
    }
    return found
  }
}

/** No mark says what runs after an end, but usually it is the code that waited for it. */
function after(ended: string | undefined): string | undefined {
  return ended === undefined ? undefined : `after ${ended}`
}
