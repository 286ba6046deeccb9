import type { Dicer } from '@fastify/busboy'
import {
  brokenForm,
  headBytesAtMost,
  longHead,
  linesAtMost,
  partHead,
  type Lines,
  type PartHead,
} from './part-headers.ts'

/** What takes the bytes of one part. */
export interface PartSink {
  bytes(some: Uint8Array): void
  end(): void
}

/** What may stand before the first part, which nobody reads. */
const preambleBytesAtMost = 8192
/** More than a chunk of a socket: a part never holds up the form, since its bytes are taken at once. */
const heldBytesOfPart = 2 ** 20

/**
 * Takes a form apart as it comes in, by the parser beneath `@fastify/busboy`: that one itself passes
 * over parts that it cannot read, and takes the last where a part has two names.
 * @param begin hears of each part in order, and says who takes its bytes
 */
export async function partReader(
  boundary: string,
  begin: (head: PartHead) => PartSink,
): Promise<PartReader> {
  const library = await import('@fastify/busboy')
  // Not all of these are known to the library's types.
  const bounds = {
    // What is longer is cut: more is let come, so that it is seen to be too long.
    maxHeaderSize: 2 * headBytesAtMost,
    maxHeaderPairs: linesAtMost + 1,
    partHwm: heldBytesOfPart,
  }
  const dicer = new library.Dicer({ boundary, ...bounds })
  return new PartReader(dicer, begin)
}

/** Reads one form; once it has refused it is of no more use. */
export class PartReader {
  readonly #dicer: Dicer
  readonly #begin: (head: PartHead) => PartSink
  readonly #over = Promise.withResolvers<void>()
  #isOver = false
  #isBroken = false
  #openParts = 0
  #fault: unknown
  #chunkBytes = 0
  /** Bytes that have come since a part began whose head has not ended; those of its first chunk do not count. */
  #headBytes: number | undefined

  constructor(dicer: Dicer, begin: (head: PartHead) => PartSink) {
    this.#dicer = dicer
    this.#begin = begin
    dicer.on('preamble', (part) => this.#passOver(part))
    dicer.on('part', (part) => this.#part(part))
    dicer.on('error', () => {
      this.#isBroken = true
      this.#over.resolve()
    })
    dicer.on('finish', () => {
      this.#isOver = true
      this.#settle()
    })
  }

  /** @throws HttpFault `bad_request`, and what the sinks of parts throw */
  async write(chunk: Uint8Array): Promise<void> {
    if (this.#isOver) return
    this.#chunkBytes = chunk.length
    await new Promise<void>((resolve) => {
      // What listeners refuse while the chunk is taken apart comes out of here, and ends that.
      this.#dicer.write(chunk, () => resolve())
    })
    this.#check()
    if (this.#headBytes === undefined) return
    this.#headBytes += chunk.length
    if (this.#headBytes > headBytesAtMost) throw longHead()
  }

  /** @throws HttpFault `bad_request`, also where the form has not come to its end */
  async end(): Promise<void> {
    this.#dicer.end()
    await this.#over.promise
    this.#check()
    if (this.#isBroken) throw brokenForm('it ends before its last boundary')
    this.#expectHead()
  }

  #check(): void {
    if (this.#fault !== undefined) throw this.#fault
  }

  #expectHead(): void {
    if (this.#headBytes !== undefined) throw brokenForm('the lines before a part are broken')
  }

  #passOver(part: Dicer.PartStream): void {
    let size = 0
    part.on('error', () => undefined)
    part.on('data', (some: Uint8Array) => {
      size += some.length
      if (size > preambleBytesAtMost) this.#fault ??= brokenForm('its boundary is not found')
    })
  }

  #part(part: Dicer.PartStream): void {
    this.#expectHead()
    this.#headBytes = -this.#chunkBytes
    // It has one where the form breaks off, which the end says.
    part.on('error', () => undefined)
    part.on('header', (lines) => {
      this.#headBytes = undefined
      // Its types say no more than that it is an object.
      this.#take(part, this.#begin(partHead(lines as Lines)))
    })
  }

  #take(part: Dicer.PartStream, sink: PartSink): void {
    this.#openParts += 1
    part.on('data', (some: Uint8Array) => this.#try(() => sink.bytes(some)))
    part.on('end', () => {
      this.#try(() => sink.end())
      this.#openParts -= 1
      this.#settle()
    })
  }

  /** Bytes of a part come in a turn of their own, where nobody would hear what is thrown. */
  #try(act: () => void): void {
    if (this.#fault !== undefined) return
    try {
      act()
    } catch (cause) {
      this.#fault = cause
    }
  }

  #settle(): void {
    if (this.#isOver && this.#openParts === 0) this.#over.resolve()
  }
}
