import type { Placed } from './entry.ts'

/** How many times its size is kept before the later ones are forgotten. */
const slack = 4

/** The earliest of many entries: no more than a few times as many as are asked for are held at once. */
export class Earliest {
  readonly #size: number
  #kept = new Map<string, Placed>()
  #horizon: number

  /** @param before no entry is taken from this time on, in milliseconds since the epoch */
  constructor(size: number, before: number) {
    this.#size = size
    this.#horizon = before - 1
  }

  /** What fires after this time, in milliseconds since the epoch, is not needed. */
  get horizon(): number {
    return this.#horizon
  }

  /** Of two with one id, the one that was added later counts. */
  add(entry: Placed): void {
    if (entry.firesAt > this.#horizon) return
    this.#kept.set(entry.id, entry)
    if (this.#kept.size >= this.#size * slack) this.sorted()
  }

  /** Those kept, the earliest first. */
  sorted(): Placed[] {
    const first = [...this.#kept.values()].sort(byTime).slice(0, this.#size)
    this.#kept = new Map(first.map((one) => [one.id, one]))
    const last = first.at(-1)
    if (last && first.length === this.#size) this.#horizon = last.firesAt
    return first
  }
}

function byTime(a: Placed, b: Placed): number {
  if (a.firesAt !== b.firesAt) return a.firesAt - b.firesAt
  return a.id < b.id ? -1 : 1
}
