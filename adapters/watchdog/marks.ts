/** How many marks are remembered: more than come between two looks, unless they come close together. */
const remembered = 1024

/** The longest time in which nothing else was begun or ended. */
export interface Stretch {
  /** What was worked on; undefined where no mark says. */
  work: string | undefined
  milliseconds: number
}

/** When which work began and rested, newest last. Times are milliseconds that only go forward. */
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

  /** The longest stretch of a time, by the marks made since this was last asked. */
  longest(from: number, to: number): Stretch {
    let found: Stretch = { work: undefined, milliseconds: 0 }
    let began: string | undefined
    let before = from
    // What was written over came close together.
    if (this.#made - this.#looked > remembered) {
      this.#looked = this.#made - remembered
      before = this.#times[this.#looked % remembered] ?? from
    }
    for (; this.#looked < this.#made; this.#looked++) {
      const at = this.#looked % remembered
      const [time = to, work] = [this.#times[at], this.#works[at]]
      const isEnd = this.#areEnds[at] === 1
      // Where it ended it had gone on before; else it is what had begun last.
      if (time - before > found.milliseconds) {
        found = { work: isEnd ? work : began, milliseconds: time - before }
      }
      began = isEnd ? undefined : work
      before = time
    }
    if (to - before > found.milliseconds) found = { work: began, milliseconds: to - before }
    return found
  }
}
