import type { Socket } from 'node:net'

/** How long answers may wait to be read, and how much of them. */
export interface ReaderBounds {
  /** How long an answer may wait for a reader who does not read. */
  readonly unreadMs: number
  /** The same where all that is unread takes more than that many bytes. */
  readonly hurriedMs: number
  readonly hurriedBytes: number
  /** Bytes that may be unread at once: in all, and of several answers to one sender. */
  readonly unreadBytes: number
  readonly unreadBytesEach: number
  /** So long nobody is slow yet. */
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

/** A connection with answers that wait to be read. */
interface Reader {
  readonly socket: Socket
  /** Whose bytes they are. */
  readonly sender: string
  /** Since when something waits, and how much the system had not taken then. */
  readonly since: number
  readonly atFirst: number
  /** The same when it was last looked at, and since when that has not changed. */
  queued: number
  still: number
}

/**
 * Bounds what is unread: a reader who does not read is cut after a while; where too much waits, the
 * slowest of the sender for whom the most waits are cut until it is not too much.
 */
export class Readers {
  readonly #bounds: ReaderBounds
  /** In the order in which something began to wait. */
  readonly #unread = new Map<Socket, Reader>()

  constructor(bounds: ReaderBounds) {
    this.#bounds = bounds
  }

  /** Notes whether something waits on this connection. */
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

  /** Cuts who has not read for too long. */
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

  /** Cuts the slowest where too much waits. */
  cutSlow(): void {
    const { unreadBytes, unreadBytesEach, graceMs } = this.#bounds
    const bySender = Map.groupBy(this.#unread.values(), ({ sender }) => sender)
    const held = [...bySender.values()].map((readers) => ({ readers, bytes: bytesOf(readers) }))
    let all = held.reduce((sum, { bytes }) => sum + bytes, 0)
    for (const one of held.toSorted((a, b) => b.bytes - a.bytes)) {
      if (all <= unreadBytes && one.bytes <= unreadBytesEach) return
      const slowest = bySlowness(one.readers, graceMs)
      for (const reader of slowest) {
        // One answer alone may be as large as it is, as long as there is room for it.
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

/** Who takes the fewest bytes a second comes first, and of those who have just begun the first one. */
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

/** Bytes that the system has not taken yet of what was written. */
function queuedBytes(socket: Socket): number {
  // Node counts a write as written when it begins; only here the progress of a large one is seen.
  const { _handle: handle } = socket as { _handle?: { writeQueueSize?: number } | null }
  return (handle?.writeQueueSize ?? 0) - socket.bytesWritten
}
