/** Who stands on an agenda: when its next thing comes, and which of equals comes first. */
export interface Entry {
  /** Milliseconds since the epoch. */
  at: number
  position: number
}

/** What comes next of many, in the order of time: a binary heap. */
export class Agenda<T extends Entry> {
  readonly #heap: T[] = []

  /** What comes first; undefined where nothing is left. */
  get first(): T | undefined {
    return this.#heap[0]
  }

  add(entry: T): void {
    this.#heap.push(entry)
    let child = this.#heap.length - 1
    while (child > 0) {
      const parent = (child - 1) >> 1
      if (!this.#swapped(parent, child)) return
      child = parent
    }
  }

  /** Puts the first, whose time has moved on, where it belongs now. */
  settle(): void {
    let parent = 0
    for (;;) {
      const left = 2 * parent + 1
      const child = this.#isBefore(left + 1, left) ? left + 1 : left
      if (child >= this.#heap.length || !this.#swapped(parent, child)) return
      parent = child
    }
  }

  /** Takes the first away. */
  drop(): void {
    const end = this.#heap.pop()
    if (end === undefined || this.#heap.length === 0) return
    this.#heap[0] = end
    this.settle()
  }

  #isBefore(a: number, b: number): boolean {
    const [one, other] = [this.#heap[a], this.#heap[b]]
    if (!one || !other) return false
    return one.at < other.at || (one.at === other.at && one.position < other.position)
  }

  /** Changes places where the child comes before the parent. */
  #swapped(parent: number, child: number): boolean {
    const [one, other] = [this.#heap[parent], this.#heap[child]]
    if (!one || !other || !this.#isBefore(child, parent)) return false
    this.#heap[parent] = other
    this.#heap[child] = one
    return true
  }
}
