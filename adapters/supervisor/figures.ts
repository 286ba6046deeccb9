import type { Order, Send } from './messages.ts'

/** How the figures of processes become one page. */
export interface Sum<Part> {
  page(parts: readonly Part[]): Promise<string>
  /** What processes that have ended counted. */
  ended(parts: readonly Part[]): Promise<Part>
}

/** A process that is slower than this is shown as it was last. */
const answersWithinMs = 1000

/** Gathers the figures of all processes, whichever of them is asked. */
export class Gathering<Key, Part> {
  readonly #sum: Sum<Part>
  /** Told in addition to what the processes tell. */
  readonly #own: () => Part
  readonly #withinMs: number
  readonly #sends = new Map<Key, Send>()
  readonly #last = new Map<Key, Part>()
  #ended: Promise<Part | undefined> = Promise.resolve(undefined)
  readonly #asked = new Map<number, (part: Part) => void>()
  #id = 0

  constructor(sum: Sum<Part>, own: () => Part, withinMs = answersWithinMs) {
    this.#sum = sum
    this.#own = own
    this.#withinMs = withinMs
  }

  enter(key: Key, send: Send): void {
    this.#sends.set(key, send)
  }

  /** The process has ended; what it counted stays in the sum. */
  leave(key: Key): void {
    this.#sends.delete(key)
    const last = this.#last.get(key)
    if (last === undefined) return
    this.#last.delete(key)
    this.#ended = this.#ended.then((ended) =>
      this.#sum.ended(ended === undefined ? [last] : [ended, last]),
    )
  }

  told(id: number, part: Part): void {
    this.#asked.get(id)?.(part)
  }

  /** The page of all processes, as an answer to this question. */
  async page(id: number): Promise<Order> {
    await Promise.all([...this.#sends].map(([key, send]) => this.#ask(key, send)))
    const ended = await this.#ended
    const parts = [...this.#last.values(), this.#own(), ...(ended === undefined ? [] : [ended])]
    return { kind: 'page', id, text: await this.#sum.page(parts) }
  }

  async #ask(key: Key, send: Send): Promise<void> {
    const id = ++this.#id
    const { promise, resolve } = Promise.withResolvers<Part | undefined>()
    const late = setTimeout(() => resolve(undefined), this.#withinMs)
    this.#asked.set(id, resolve)
    send({ kind: 'tell', id })
    const part = await promise
    clearTimeout(late)
    this.#asked.delete(id)
    // It may have ended in the meantime.
    if (part !== undefined && this.#sends.has(key)) this.#last.set(key, part)
  }
}
