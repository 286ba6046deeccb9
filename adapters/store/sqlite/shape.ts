/** More shapes than the code of the product has; the text of any further one is made each time. */
const shapesAtMost = 10_000

/**
 * Texts of SQL by all that they depend on, step by step, so that a text that was made once is found
 * without being put together again: a new text would also have to be hashed to find its statement.
 */
export class Shape {
  readonly #next = new Map<string, Shape>()
  readonly #tree: { size: number }
  #text: string | undefined

  constructor(tree = { size: 0 }) {
    this.#tree = tree
  }

  /** The shape that has one part more. Values are no parts: their number is not bounded. */
  step(part: string): Shape {
    const known = this.#next.get(part)
    if (known) return known
    const next = new Shape(this.#tree)
    if (this.#tree.size < shapesAtMost) {
      this.#tree.size += 1
      this.#next.set(part, next)
    }
    return next
  }

  /** The text of this shape. */
  text(make: () => string): string {
    return (this.#text ??= make())
  }
}
