import { IncomingMessage } from 'node:http'
import { InPieces } from './refusals.ts'

/** This many pieces may be of any size; beyond that, pieces need a minimum size on average. */
const piecesAtLeast = 500
const bytesOfPiece = 64
/**
 * The memory a held piece takes in addition to its bytes: many small pieces take far more than they
 * carry.
 */
export const bytesAroundPiece = 256

/** How much of an unread body is received, so that its sender sees the answer. */
const unwantedBytes = 4 * 2 ** 20
/** The cost of an unread piece in addition to its bytes: each is parsed for nothing. */
const bytesAroundUnwanted = 16_384

/** The methods whose bodies may be read. */
const bringing = new Set(['POST', 'PUT', 'PATCH', 'DELETE', 'GET'])

/** The connection of a request, with its parser: Node has no public way to it. */
interface Parsed {
  parser?: { pause?: () => void } | null
}

/**
 * A request that checks each piece of its body before anything is kept of it, whether or not it is
 * read. Nothing is kept of a body that is not wanted. A body in too many small pieces is not parsed any
 * further, so its connection cannot be used again.
 */
export class Incoming extends IncomingMessage {
  #pieces = 0
  #size = 0
  #unwanted = 0
  #isUnwanted = false
  #isCut = false
  #room: ((bytes: number) => boolean) | undefined

  /** Whether the rest of the body is neither read nor awaited; `cut` is emitted when that begins. */
  get isCut(): boolean {
    return this.#isCut
  }

  /** Marks the body, or what is left of it, as unwanted. */
  leave(): void {
    this.#isUnwanted = true
    this.#room = undefined
  }

  /** Whether bodies of its method are never read. */
  get isBodiless(): boolean {
    return !bringing.has(this.method ?? '')
  }

  /**
   * Sets how bytes that arrive before the body is read are counted.
   * @param room reserves room for that many bytes; if it returns false the connection is cut
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
    // No more can be delivered, even if the reader came only after the cut.
    process.nextTick(() => this.#refuse())
  }

  /** The reader of the body gets this like any other error. */
  #refuse(): void {
    if (this.listenerCount('error') > 0) this.emit('error', new InPieces())
  }

  #cut(): false {
    this.#isCut = true
    // The rest of what has already arrived is not parsed either.
    const { parser } = this.socket as Parsed
    parser?.pause?.()
    this.emit('cut')
    return false
  }
}
