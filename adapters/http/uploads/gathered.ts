const blockBytes = 2 ** 18

/**
 * Bytes gathered as they come, in blocks of our own: however small the pieces are that a sender cuts
 * its file into, they take no more memory than the file.
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

  /** The blocks themselves, as far as they are filled; nothing is held any more. */
  blocks(): Uint8Array<ArrayBuffer>[] {
    const blocks = this.#blocks
    const used = this.#size % blockBytes
    const last = blocks.pop()
    if (last) blocks.push(used === 0 ? last : last.subarray(0, used))
    this.#blocks = []
    return blocks
  }

  /** All of it as one, and nothing is held any more. */
  whole(): Buffer {
    const bytes = Buffer.concat(this.#blocks, this.#size)
    this.#blocks = []
    return bytes
  }
}
