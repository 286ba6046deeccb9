import type { Socket } from 'node:net'
import type { Report, Send } from './messages.ts'

/** A process that has not answered an offer within this time gets no connection until it is heard. */
const lateMs = 100
/** So many connections are on their way to a process at once; more would only wait there. */
const offeredAtMost = 32

/** A process that takes connections. */
interface Taker {
  readonly send: Send
  /** Its open connections when it last told them, and those that it was offered since. */
  open: number
  offered: number
  isLate: boolean
  /** When it was last chosen. */
  turn: number
}

/** A connection that no process has yet. */
interface Waiting {
  readonly id: number
  readonly socket: Socket
  /** The process that is asked, or that it was sent to. */
  taker: Taker | undefined
  isSent: boolean
  late: NodeJS.Timeout | undefined
}

/**
 * Gives each connection to a process that has just said that it takes it. So none is given to a process
 * whose event loop is held, and none is lost in one that ends.
 */
export class Distribution<Key> {
  readonly #takers = new Map<Key, Taker>()
  readonly #waiting = new Map<number, Waiting>()
  /** Those of them for which no process could be asked, in order. */
  readonly #unasked = new Set<Waiting>()
  #last = 0
  #settled: (() => void) | undefined

  /** How many connections wait. */
  get size(): number {
    return this.#waiting.size
  }

  /** From now on this process gets connections. */
  enter(key: Key, send: Send): void {
    this.#takers.set(key, { send, open: 0, offered: 0, isLate: false, turn: 0 })
    this.#offerAll()
  }

  /** The process gets no more connections, and still answers those that it has. */
  leave(key: Key): void {
    const taker = this.#takers.get(key)
    if (!taker) return
    this.#takers.delete(key)
    for (const one of this.#waiting.values()) {
      if (one.taker === taker && !one.isSent) this.#offerAgain(one)
    }
  }

  /** The process has ended, and with it what was on its way to it. */
  ended(key: Key, send: Send): void {
    this.leave(key)
    for (const one of this.#waiting.values()) {
      // What has arrived of a request may be read already.
      if (one.taker?.send === send) this.#forget(one).socket.destroy()
    }
  }

  accept(socket: Socket): void {
    // It is not read here, but may be reset.
    socket.on('error', () => undefined)
    const id = ++this.#last
    const one: Waiting = { id, socket, taker: undefined, isSent: false, late: undefined }
    this.#waiting.set(id, one)
    this.#unasked.add(one)
    this.#offerAll()
  }

  heard(key: Key, report: Report): void {
    if (report.kind === 'taken') this.#taken(report.id)
    const taker = this.#takers.get(key)
    if (!taker) return
    if ('open' in report) taker.open = report.open
    if (report.kind === 'take') this.#send(report.id, taker)
    if (!taker.isLate) return
    taker.isLate = false
    this.#offerAll()
  }

  /** Resolves once no connection waits, or after this time; what waits then is closed. */
  async settle(milliseconds: number): Promise<void> {
    if (this.#waiting.size > 0) {
      const { promise, resolve } = Promise.withResolvers<void>()
      this.#settled = resolve
      const late = setTimeout(resolve, milliseconds)
      await promise
      clearTimeout(late)
    }
    for (const one of this.#waiting.values()) if (!one.isSent) this.#forget(one).socket.destroy()
  }

  #offerAll(): void {
    for (const one of this.#unasked) {
      const taker = this.#best()
      if (!taker) return
      this.#unasked.delete(one)
      this.#offer(one, taker)
    }
  }

  #offer(one: Waiting, taker: Taker): void {
    one.taker = taker
    taker.offered += 1
    taker.turn = ++this.#last
    one.late = setTimeout(() => {
      taker.isLate = true
      this.#offerAgain(one)
    }, lateMs)
    taker.send({ kind: 'offer', id: one.id })
  }

  #offerAgain(one: Waiting): void {
    this.#release(one)
    this.#unasked.add(one)
    this.#offerAll()
  }

  /** The process with the fewest connections; among equals the one whose last was longest ago. */
  #best(): Taker | undefined {
    let best: Taker | undefined
    for (const taker of this.#takers.values()) {
      if (taker.isLate || taker.offered >= offeredAtMost) continue
      const fewer = best ? taker.open + taker.offered - best.open - best.offered : -1
      if (!best || fewer < 0 || (fewer === 0 && taker.turn < best.turn)) best = taker
    }
    return best
  }

  #send(id: number, taker: Taker): void {
    const one = this.#waiting.get(id)
    // Another one was asked in the meantime.
    if (one?.taker !== taker || one.isSent) return
    one.isSent = true
    clearTimeout(one.late)
    taker.send({ kind: 'connection', id }, one.socket)
  }

  #taken(id: number): void {
    const one = this.#waiting.get(id)
    if (!one) return
    this.#forget(one)
    this.#offerAll()
  }

  #forget(one: Waiting): Waiting {
    this.#release(one)
    this.#waiting.delete(one.id)
    this.#unasked.delete(one)
    if (this.#waiting.size === 0) this.#settled?.()
    return one
  }

  #release(one: Waiting): void {
    clearTimeout(one.late)
    if (one.taker) one.taker.offered -= 1
    one.taker = undefined
  }
}
