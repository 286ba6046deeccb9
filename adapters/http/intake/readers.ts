import type { Socket } from 'node:net'

/** How long answers may wait to be read, and how much of them. */
export interface ReaderBounds {
  /** How long an answer may wait for a reader that does not read. */
  readonly unreadMs: number
  /** The same when all unread answers together take more than `hurriedBytes`. */
  readonly hurriedMs: number
  readonly hurriedBytes: number
  /** Unread bytes at once: in total, and in several answers to one sender. */
  readonly unreadBytes: number
  readonly unreadBytesEach: number
  /** In this time no reader counts as slow. */
  readonly graceMs: number
}

export const readerBounds: ReaderBounds = {
  unreadMs: 30_000,
  hurriedMs: 2_000,
  hurriedBytes: 64 * 2 ** 20,
  unreadBytes: 192 * 2 ** 20,
  unreadBytesEach: 96 * 2 ** 20,
  graceMs: 1_000,
}

/** A connection with unread answers. */
interface Reader {
  readonly socket: Socket
  /** The sender that the bytes are counted for. */
  readonly sender: string
  /** Since when bytes wait, and how many the system had not accepted then. */
  readonly since: number
  readonly atFirst: number
  /** The same at the last check, and since when it has not changed. */
  queued: number
  still: number
}

/**
 * Bounds unread answers: a reader that does not read is cut after a while. If too much is unread, the
 * slowest readers of the sender with the most unread bytes are cut until it is not too much.
 */
export class Readers {
  readonly #bounds: ReaderBounds
  /** In the order in which they began to wait. */
  readonly #unread = new Map<Socket, Reader>()

  constructor(bounds: ReaderBounds) {
    this.#bounds = bounds
  }

  /** Notes whether this connection has unread bytes. */
  note(socket: Socket, sender: string): void {
    if (socket.destroyed || socket.writableLength === 0) {
      this.#unread.delete(socket)
      return
    }
    if (this.#unread.has(socket)) return
    const now = performance.now()
    const queued = queuedBytes(socket)
    this.#unread.set(socket, {
      socket,
      sender,
      since: now,
      atFirst: queued,
      queued,
      still: now,
    })
    socket.once('close', () => this.#unread.delete(socket))
  }

  /** Cuts readers that have not read for too long. */
  cutStill(): void {
    const now = performance.now()
    const { unreadMs, hurriedMs, hurriedBytes } = this.#bounds
    let bytes = 0
    for (const reader of this.#unread.values()) {
      const queued = queuedBytes(reader.socket)
      if (queued !== reader.queued) reader.still = now
      reader.queued = queued
      bytes += reader.socket.writableLength
    }
    const patience = bytes > hurriedBytes ? hurriedMs : unreadMs
    for (const reader of this.#unread.values()) {
      if (now - reader.still >= patience) this.#cut(reader)
    }
  }

  /** Cuts the slowest readers if too much is unread. */
  cutSlow(): void {
    const { unreadBytes, unreadBytesEach, graceMs } = this.#bounds
    const bySender = Map.groupBy(this.#unread.values(), ({ sender }) => sender)
    const held = [...bySender.values()].map((readers) => ({ readers, bytes: bytesOf(readers) }))
    let all = held.reduce((sum, { bytes }) => sum + bytes, 0)
    for (const one of held.toSorted((a, b) => b.bytes - a.bytes)) {
      if (all <= unreadBytes && one.bytes <= unreadBytesEach) return
      const slowest = bySlowness(one.readers, graceMs)
      for (const reader of slowest) {
        // A single answer may have any size, as long as there is room for it.
        const isTooMuch = one.bytes > unreadBytesEach && reader !== slowest.at(-1)
        if (all <= unreadBytes && !isTooMuch) break
        const { writableLength } = reader.socket
        one.bytes -= writableLength
        all -= writableLength
        this.#cut(reader)
      }
    }
  }

  #cut({ socket }: Reader): void {
    this.#unread.delete(socket)
    socket.destroy()
  }
}

function bytesOf(readers: readonly Reader[]): number {
  return readers.reduce((sum, { socket }) => sum + socket.writableLength, 0)
}

/** The slowest first, by bytes per second; among those that have just begun, the first one. */
function bySlowness(readers: readonly Reader[], graceMs: number): Reader[] {
  const now = performance.now()
  const paces = new Map(
    readers.map((reader): [Reader, number] => {
      const ms = now - reader.since
      const taken = reader.atFirst - queuedBytes(reader.socket)
      return [reader, ms < graceMs ? Number.MAX_VALUE : taken / ms]
    }),
  )
  return readers.toSorted((a, b) => (paces.get(a) ?? 0) - (paces.get(b) ?? 0))
}

/** Written bytes that the system has not accepted yet. */
function queuedBytes(socket: Socket): number {
  // Node counts a write as done when it begins; only the handle shows the progress of a large one.
  const { _handle: handle } = socket as { _handle?: { writeQueueSize?: number } | null }
  return (handle?.writeQueueSize ?? 0) - socket.bytesWritten
}
