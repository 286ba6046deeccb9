import type { SharedText } from '#protocol/door.ts'
import { compress, type Encoding } from '../compression.ts'

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

const known = new WeakMap<SharedText, FixedText>()

/** The bytes of a shared text, which are made once. */
export function bytesOfShared(shared: SharedText): Promise<Buffer> {
  const fixed = known.get(shared) ?? new FixedText(shared.text)
  known.set(shared, fixed)
  return fixed.bytes(undefined)
}
