import type { Clock } from '#src/ports/clock.ts'

/** Units of work in one piece: a unit takes a few microseconds, and 25 at worst. */
const unitsAtOnce = 128

/** The last turn that was asked for. */
let last: Promise<void> = Promise.resolve()

/**
 * Resolves in a later turn of the event loop that belongs to this caller alone. Of several long works one
 * does a piece in each turn, so that together they hold the loop no longer than one does.
 */
export function turnOf(clock: Pick<Clock, 'turn'>): Promise<void> {
  last = last.then(() => clock.turn())
  return last
}

/** Long work cut into pieces: counts the work done, and rests after each piece. */
export class Slices {
  readonly #clock: Pick<Clock, 'turn'>
  #left = unitsAtOnce

  constructor(clock: Pick<Clock, 'turn'>) {
    this.#clock = clock
  }

  /** Counts some units, and says whether it is time to `rest`. */
  isSpent(units = 1): boolean {
    this.#left -= units
    return this.#left <= 0
  }

  /** Lets all other work go on before the next piece. */
  async rest(): Promise<void> {
    await turnOf(this.#clock)
    this.#left = unitsAtOnce
  }
}
