const blockBytes = 2 ** 18

/**
 * Bytes collected as they arrive, in our own blocks: however small the pieces of a file are, they take
 * no more memory than the file.
 */
export class Gathered {
  #blocks: Buffer<ArrayBuffer>[] = []
  #size = 0

  get size(): number {
    return this.#size
  }

  add(some: Uint8Array): void {
    for (let from = 0; from < some.length;) {
      const at = this.#size % blockBytes
      if (at === 0) this.#blocks.push(Buffer.allocUnsafeSlow(blockBytes))
      const piece = some.subarray(from, from + blockBytes - at)
      this.#blocks.at(-1)?.set(piece, at)
      this.#size += piece.length
      from += piece.length
    }
  }

  /** The filled blocks; nothing is held afterwards. */
  blocks(): Uint8Array<ArrayBuffer>[] {
    const blocks = this.#blocks
    const used = this.#size % blockBytes
    const last = blocks.pop()
    if (last) blocks.push(used === 0 ? last : last.subarray(0, used))
    this.#blocks = []
    return blocks
  }

  /** All bytes as one buffer; nothing is held afterwards. */
  whole(): Buffer {
    const bytes = Buffer.concat(this.#blocks, this.#size)
    this.#blocks = []
    return bytes
  }
}
