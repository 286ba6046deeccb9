const blockBytes = 2 ** 18
/** From this size on, bytes that fill their buffer are kept in it: smaller ones would take more than they are. */
const keptFrom = 2 ** 14

/**
 * Bytes collected as they arrive. What fills a buffer of its own is kept as it is, and the rest is copied into
 * our own blocks: however small the pieces of a file are, they take no more memory than the file.
 */
export class Gathered {
  #pieces: Uint8Array<ArrayBuffer>[] = []
  #block = Buffer.alloc(0)
  /** What of the block is filled, and not yet among the pieces. */
  #from = 0
  #to = 0
  #size = 0

  get size(): number {
    return this.#size
  }

  /** @param some not changed by anybody from now on */
  add(some: Uint8Array): void {
    this.#size += some.length
    if (some.length >= keptFrom && fillsItsBuffer(some)) {
      this.#cut()
      this.#pieces.push(some)
      return
    }
    for (let at = 0; at < some.length;) {
      if (this.#to === this.#block.length) this.#nextBlock()
      const piece = some.subarray(at, at + this.#block.length - this.#to)
      this.#block.set(piece, this.#to)
      this.#to += piece.length
      at += piece.length
    }
  }

  /** The bytes in order; several pieces may be of one buffer. Nothing is held afterwards. */
  pieces(): Uint8Array<ArrayBuffer>[] {
    this.#cut()
    const pieces = this.#pieces
    this.#pieces = []
    this.#block = Buffer.alloc(0)
    this.#from = this.#to = 0
    return pieces
  }

  /** All bytes as one buffer; nothing is held afterwards. */
  whole(): Buffer {
    return Buffer.concat(this.pieces(), this.#size)
  }

  #nextBlock(): void {
    this.#cut()
    this.#block = Buffer.allocUnsafeSlow(blockBytes)
    this.#from = this.#to = 0
  }

  /** The rest of the block stays free for what is copied next. */
  #cut(): void {
    if (this.#to > this.#from) this.#pieces.push(this.#block.subarray(this.#from, this.#to))
    this.#from = this.#to
  }
}

/** Up to an eighth of it may be something else, like the end of a boundary. */
function fillsItsBuffer(some: Uint8Array): some is Uint8Array<ArrayBuffer> {
  const { buffer, length } = some
  return buffer instanceof ArrayBuffer && length >= buffer.byteLength * 0.875
}
