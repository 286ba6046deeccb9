import { isWhole, safeEnd } from '#src/agents/secrets/cut.ts'
import type { Scrub } from '#src/agents/secrets/scrubber.ts'
import type { Clock } from '#src/ports/clock.ts'
import type { ModelText, Show } from '#src/runs/text/text.ts'

const charactersAtLeast = 400
const secondsAtMost = 2
/** A text without a space is cut here. */
const charactersAtMost = 4000
/** Readers are shown what came within this time; to be there within 250 ms, also in other processes. */
const showEveryMs = 200

/** Where the text of a model goes. */
export interface TextTerms {
  clock: Pick<Clock, 'monotonic' | 'after'>
  scrub: Scrub
  /** The number of the answer, and its step. */
  answer: number
  step: number
  /** Keeps a piece for good. */
  keep: (piece: ModelText) => Promise<void>
  /** Shows readers what is not kept yet. */
  show: Show
}

/**
 * Gathers the text of a model into pieces that are worth an event: of some length, or after some
 * time, and cut between words. What is not enough for one yet is shown to readers at short intervals.
 * Both are clean of secrets: what may be the beginning of one is held back until the rest of it is
 * there, because its halves would not be recognised.
 */
export class Pieces {
  readonly #terms: TextTerms
  #held = ''
  /** Where the held text begins, in characters of the clean text. */
  #at = 0
  /** Up to where readers have been shown it. */
  #shownTo = 0
  #since: number
  #cancel: (() => void) | undefined
  #work: Promise<void> = Promise.resolve()
  #fault: { cause: unknown } | undefined

  constructor(terms: TextTerms) {
    this.#terms = terms
    this.#since = terms.clock.monotonic()
  }

  async add(text: string): Promise<void> {
    if (this.#fault) throw this.#fault.cause
    this.#held += text
    this.#waitToShow()
    if (this.#isDue()) await this.#next(() => this.#keepSome())
  }

  /** Nothing more comes. */
  async end(): Promise<void> {
    this.stop()
    await this.#work
    if (this.#fault) throw this.#fault.cause
    if (this.#held !== '') await this.#keep(this.#held.length)
  }

  /** Nothing more is shown by itself. */
  stop(): void {
    this.#cancel?.()
    this.#cancel = () => undefined
  }

  #isDue(): boolean {
    const { clock } = this.#terms
    return (
      this.#held.length >= charactersAtLeast ||
      clock.monotonic() - this.#since >= secondsAtMost * 1000
    )
  }

  /** One after the other: what is shown comes after what is kept. */
  #next(work: () => Promise<void>): Promise<void> {
    const done = this.#work.then(work)
    this.#work = done.catch(() => undefined)
    return done
  }

  #waitToShow(): void {
    this.#cancel ??= this.#terms.clock.after(showEveryMs, () => {
      this.#cancel = undefined
      this.#next(() => this.#inTime()).catch((cause: unknown) => {
        // The next who adds text, or ends it, hears of it.
        this.#fault = { cause }
      })
    })
  }

  async #inTime(): Promise<void> {
    if (this.#isDue()) await this.#keepSome()
    if (this.#held === '' || (await this.#terms.show(() => this.#unshown()))) return
    // There may be readers before it is kept.
    this.#waitToShow()
  }

  /** All that is not kept yet, if readers have not been shown all of it. */
  #unshown(): ModelText | undefined {
    const { scrub, answer, step } = this.#terms
    const text = scrub(this.#held.slice(0, safeEnd(this.#held, scrub))).toWellFormed()
    const to = this.#at + text.length
    if (to <= this.#shownTo) return undefined
    this.#shownTo = to
    return { answer, step, at: this.#at, text }
  }

  async #keepSome(): Promise<void> {
    const end = safeEnd(this.#held, this.#terms.scrub)
    const space = this.#endOfWordUpTo(end)
    const isWord = space > 0 && isWhole(this.#held.slice(0, end), space, this.#terms.scrub)
    if (isWord || this.#held.length >= charactersAtMost) await this.#keep(isWord ? space : end)
  }

  /** Keeps the held text up to there. */
  async #keep(end: number): Promise<void> {
    const { scrub, keep, answer, step, clock } = this.#terms
    const text = scrub(this.#held.slice(0, end)).toWellFormed()
    if (text === '') return
    await keep({ answer, step, at: this.#at, text })
    this.#held = this.#held.slice(end)
    this.#at += text.length
    this.#since = clock.monotonic()
  }

  #endOfWordUpTo(end: number): number {
    const before = (blank: string): number =>
      end > 0 ? this.#held.lastIndexOf(blank, end - 1) : -1
    return Math.max(before(' '), before('\n')) + 1
  }
}
