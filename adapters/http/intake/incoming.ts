import { IncomingMessage } from 'node:http'
import { InPieces } from './refusals.ts'

/** So many pieces may be of any size; of more, so many bytes are wanted of each on average. */
const piecesAtLeast = 500
const bytesOfPiece = 64
/** What a piece that is kept takes beside its bytes: many small ones are far more than they say. */
export const bytesAroundPiece = 256

/** What is let come of a body that nobody reads, so that its sender sees the answer. */
const unwantedBytes = 4 * 2 ** 20
/** What a piece of it costs beside its bytes: each is taken apart for nothing. */
const bytesAroundUnwanted = 16_384

/** The methods whose bodies somebody may read. */
const bringing = new Set(['POST', 'PUT', 'PATCH'])

/** The connection of a request, with what takes its bytes apart: Node has no public way to it. */
interface Parsed {
  parser?: { pause?: () => void } | null
}

/**
 * A request that looks at each piece of its body before anything is kept of it, whether or not
 * somebody reads: of a body that nobody wants nothing is kept, and one in too many small pieces is
 * not taken apart any further, so that its connection is of no more use.
 */
export class Incoming extends IncomingMessage {
  #pieces = 0
  #size = 0
  #unwanted = 0
  #isUnwanted = false
  #isCut = false
  #room: ((bytes: number) => boolean) | undefined

  /** Whether what still comes is neither read nor waited for; `cut` is emitted when that begins. */
  get isCut(): boolean {
    return this.#isCut
  }

  /** Nobody reads its body, or what is left of it. */
  leave(): void {
    this.#isUnwanted = true
    this.#room = undefined
  }

  /** Whether its method says that nobody reads a body. */
  get isBodiless(): boolean {
    return !bringing.has(this.method ?? '')
  }

  /**
   * Has what comes before somebody reads counted.
   * @param room takes room for so many bytes; without room the connection is cut
   */
  countWith(room: ((bytes: number) => boolean) | undefined): void {
    this.#room = room
  }

  override push(piece: Buffer | null, encoding?: BufferEncoding): boolean {
    if (piece === null) return super.push(null)
    if (this.#isCut) return false
    if (this.#isUnwanted) {
      this.#unwanted += piece.length + bytesAroundUnwanted
      return this.#unwanted > unwantedBytes ? this.#cut() : true
    }
    this.#pieces += 1
    this.#size += piece.length
    if (this.#pieces > piecesAtLeast && this.#pieces * bytesOfPiece > this.#size) {
      this.#cut()
      this.#refuse()
      return false
    }
    if (this.#room && !this.#room(piece.length + bytesAroundPiece)) {
      this.socket.destroy()
      return false
    }
    return super.push(piece, encoding)
  }

  override _read(size: number): void {
    if (!this.#isCut) return super._read(size)
    // More cannot be had, also where its reader came only when it was cut.
    process.nextTick(() => this.#refuse())
  }

  /** Who reads it hears of it as of any other fault. */
  #refuse(): void {
    if (this.listenerCount('error') > 0) this.emit('error', new InPieces())
  }

  #cut(): false {
    this.#isCut = true
    // Of what has come already the rest is not looked at either.
    const { parser } = this.socket as Parsed
    parser?.pause?.()
    this.emit('cut')
    return false
  }
}
