import type { Scrub } from '#src/agents/secrets/scrubber.ts'
import type { Clock } from '#src/ports/clock.ts'

const charactersAtLeast = 400
const secondsAtMost = 2
/** A text without a space is cut here. */
const charactersAtMost = 4000

/**
 * Gathers the text of a model into pieces that are worth an event: of some length, or after some
 * time, and cut between words. They are clean of secrets: what may be the beginning of one is held
 * back until the rest of it is there, because its halves would not be recognised.
 */
export class Pieces {
  readonly #clock: Pick<Clock, 'monotonic'>
  readonly #scrub: Scrub
  readonly #keep: (piece: string) => Promise<void>
  #held = ''
  #since: number

  constructor(
    clock: Pick<Clock, 'monotonic'>,
    scrub: Scrub,
    keep: (piece: string) => Promise<void>,
  ) {
    this.#clock = clock
    this.#scrub = scrub
    this.#keep = keep
    this.#since = clock.monotonic()
  }

  async add(text: string): Promise<void> {
    this.#held += text
    const isLate = this.#clock.monotonic() - this.#since >= secondsAtMost * 1000
    if (!isLate && this.#held.length < charactersAtLeast) return
    this.#held = this.#scrub(this.#held)
    const { length } = this.#held
    const space = this.#endOfWordUpTo(length - this.#scrub.longestSpaced)
    const at = space > 0 || length < charactersAtMost ? space : length - this.#scrub.longest
    if (at <= 0) return
    const piece = this.#held.slice(0, at)
    this.#held = this.#held.slice(at)
    this.#since = this.#clock.monotonic()
    await this.#keep(piece)
  }

  /** Nothing more comes. */
  async end(): Promise<void> {
    if (this.#held !== '') await this.#keep(this.#scrub(this.#held))
    this.#held = ''
  }

  #endOfWordUpTo(end: number): number {
    const before = (blank: string): number =>
      end > 0 ? this.#held.lastIndexOf(blank, end - 1) : -1
    return Math.max(before(' '), before('\n')) + 1
  }
}
