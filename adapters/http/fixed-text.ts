import { compress, type Encoding } from './compression.ts'

/**
 * A text that stays the same: its bytes are made once in each encoding, and shared by all answers that
 * bring it, however many readers are slow to take them.
 */
export class FixedText {
  readonly text: string
  readonly #encoded = new Map<Encoding | undefined, Promise<Buffer>>()

  constructor(text: string) {
    this.text = text
  }

  get length(): number {
    return this.text.length
  }

  /** @param encoding undefined for the text as it is */
  bytes(encoding: Encoding | undefined): Promise<Buffer> {
    const known = this.#encoded.get(encoding)
    if (known) return known
    const made = encoding ? compress(this.text, encoding) : Promise.resolve(Buffer.from(this.text))
    this.#encoded.set(encoding, made)
    made.catch(() => this.#encoded.delete(encoding))
    return made
  }
}
