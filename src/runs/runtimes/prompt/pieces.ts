import type { Clock } from '#src/ports/clock.ts'

const charactersAtLeast = 400
const secondsAtMost = 2
/** A text without a space is cut here. */
const charactersAtMost = 4000

/**
 * Gathers the text of a model into pieces that are worth an event: of some length, or after some
 * time, and cut between words, so that a key that is to be cleaned out of them is not torn apart.
 */
export class Pieces {
  readonly #clock: Pick<Clock, 'monotonic'>
  readonly #keep: (piece: string) => Promise<void>
  #held = ''
  #since: number

  constructor(clock: Pick<Clock, 'monotonic'>, keep: (piece: string) => Promise<void>) {
    this.#clock = clock
    this.#keep = keep
    this.#since = clock.monotonic()
  }

  async add(text: string): Promise<void> {
    this.#held += text
    const isLate = this.#clock.monotonic() - this.#since >= secondsAtMost * 1000
    if (!isLate && this.#held.length < charactersAtLeast) return
    const space = Math.max(this.#held.lastIndexOf(' '), this.#held.lastIndexOf('\n')) + 1
    const at = space > 0 || this.#held.length < charactersAtMost ? space : this.#held.length
    if (at === 0) return
    const piece = this.#held.slice(0, at)
    this.#held = this.#held.slice(at)
    this.#since = this.#clock.monotonic()
    await this.#keep(piece)
  }

  /** Nothing more comes. */
  async end(): Promise<void> {
    if (this.#held !== '') await this.#keep(this.#held)
    this.#held = ''
  }
}
