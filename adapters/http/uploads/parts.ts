import type { Dicer } from '@fastify/busboy'
import {
  brokenForm,
  brokenHead,
  headBytesAtMost,
  type Lines,
  linesAtMost,
  longHead,
  partHead,
  type PartHead,
} from './part-headers.ts'

/** Receives the bytes of one part. */
export interface PartSink {
  bytes(some: Uint8Array): void
  end(): void
}

/** The limit of what may precede the first part; it is ignored. */
const preambleBytesAtMost = 8192
/**
 * More than a chunk of a socket: a part never holds up the form, because its bytes are consumed at
 * once.
 */
const heldBytesOfPart = 2 ** 20

/**
 * Parses a form as it arrives, with the parser beneath `@fastify/busboy`: busboy itself skips parts
 * that it cannot read, and takes the last of two names of a part.
 * @param begin is called for each part in order, and returns what receives its bytes
 */
export async function partReader(
  boundary: string,
  begin: (head: PartHead) => PartSink,
): Promise<PartReader> {
  const library = await import('@fastify/busboy')
  // The library's types lack some of these.
  const bounds = {
    // The parser cuts longer headers: a higher limit lets them be recognised as too long.
    maxHeaderSize: 2 * headBytesAtMost,
    maxHeaderPairs: linesAtMost + 1,
    partHwm: heldBytesOfPart,
  }
  const dicer = new library.Dicer({ boundary, ...bounds })
  return new PartReader(dicer, begin)
}

/** Parses one form; after a refusal it cannot be used again. */
export class PartReader {
  readonly #dicer: Dicer
  readonly #begin: (head: PartHead) => PartSink
  readonly #over = Promise.withResolvers<void>()
  #isOver = false
  #isBroken = false
  #openParts = 0
  #fault: unknown
  #chunkBytes = 0
  /**
   * Bytes since the current part began, while its headers have not ended; its first chunk does not
   * count.
   */
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

  /** @throws HttpFault `bad_request`, and errors of the parts' sinks */
  async write(chunk: Uint8Array): Promise<void> {
    if (this.#isOver) return
    this.#chunkBytes = chunk.length
    await new Promise<void>((resolve) => {
      // Refusals by listeners during parsing are thrown from here, and end the parsing.
      this.#dicer.write(chunk, () => resolve())
    })
    this.#check()
    if (this.#headBytes === undefined) return
    this.#headBytes += chunk.length
    if (this.#headBytes > headBytesAtMost) throw longHead()
  }

  /** @throws HttpFault `bad_request`, also if the form is incomplete */
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
    if (this.#headBytes !== undefined) throw brokenHead()
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
    // An error occurs if the form breaks off, which `end` reports.
    part.on('error', () => undefined)
    part.on('header', (lines) => {
      this.#headBytes = undefined
      // The library's types say only that it is an object.
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

  /**
   * A part's bytes arrive in their own turn of the event loop, where an exception would not be caught.
   */
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
