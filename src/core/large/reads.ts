import type { Collection, ReadOptions, Row } from '#src/ports/store.ts'
import { placesIn, spliced } from './text.ts'
import { memberOfReference, referredBy, type LargeValue } from './value.ts'

type Values = Pick<Collection<LargeValue>, 'get' | 'text'>
type Document = { id: string } & Record<string, unknown>

/** Around the JSON of a value in the text of its row, of which all else is hidden. */
const [before, after] = ['{"value":', '}']

/** Documents with the values that they refer to, as if these stood in them. @param members that may refer to one */
export class WholeReads {
  readonly #values: Values
  readonly #members: readonly string[]

  constructor(values: Values, members: readonly string[]) {
    this.#values = values
    this.#members = members
  }

  /** A document that was just read, in place. @param large whether its values are read too, or are null */
  async document<T extends { id: string }>(read: T, large = true): Promise<T> {
    // Members are read by their name: one way for all collections.
    const document = read as unknown as Document
    for (const member of this.#members) {
      delete document[memberOfReference(member)]
      const id = referredBy(document[member])
      if (id === undefined) continue
      // One that is gone went with the document, which was read just before.
      document[member] = (large ? (await this.#values.get(id))?.value : null) ?? null
    }
    return read
  }

  /** Ends where the documents together are long enough, as the collection itself does. */
  async documents<T extends { id: string }>(
    found: readonly T[],
    { charactersAtMost = Infinity, large }: ReadOptions<T> = {},
  ): Promise<T[]> {
    const whole: T[] = []
    let characters = 0
    for (const one of found) {
      whole.push(await this.document(one, large))
      if (charactersAtMost !== Infinity) characters += JSON.stringify(one).length
      if (characters > charactersAtMost && whole.length > 1) break
    }
    return whole
  }

  /** The same for their JSON. */
  async rows(
    found: readonly Row[],
    { charactersAtMost = Infinity }: Pick<ReadOptions<{ id: string }>, 'charactersAtMost'> = {},
  ): Promise<Row[]> {
    const whole: Row[] = []
    const known = new Map<string, string>()
    let characters = 0
    for (const { id, text } of found) {
      const places = placesIn(text, this.#members)
      for (const { id: value } of places) {
        if (!known.has(value)) known.set(value, await this.#textOf(value))
      }
      const row = { id, text: places.length === 0 ? text : spliced(text, places, known) }
      whole.push(row)
      characters += row.text.length
      if (characters > charactersAtMost && whole.length > 1) break
    }
    return whole
  }

  async #textOf(id: string): Promise<string> {
    const [row] = await this.#values.text({ id }, { limit: 1 })
    return row ? row.text.slice(before.length, -after.length) : 'null'
  }
}
