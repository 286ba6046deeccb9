import { compress, type Encoding } from './compression.ts'

/**
 * A text that does not change: its bytes are made once for each encoding, and shared by all answers
 * that send it, however many of them have slow readers.
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

  /** @param encoding undefined for the uncompressed text */
  bytes(encoding: Encoding | undefined): Promise<Buffer> {
    const known = this.#encoded.get(encoding)
    if (known) return known
    const made = encoding ? compress(this.text, encoding) : Promise.resolve(Buffer.from(this.text))
    this.#encoded.set(encoding, made)
    made.catch(() => this.#encoded.delete(encoding))
    return made
  }
}
