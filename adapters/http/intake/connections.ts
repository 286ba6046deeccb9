import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Server, Socket } from 'node:net'
import type { Incoming } from './incoming.ts'

/** What connections may hold. */
export interface ConnectionBounds {
  /** Connections at once; one that does nothing makes room for a new one. */
  readonly open: number
  /** Requests that may wait behind the one of their connection that is answered. */
  readonly pipelined: number
  /** Bytes that all requests that wait so may take together, with what has come of their bodies. */
  readonly waitingBytes: number
  /** How long an answer may wait for a reader who does not read. */
  readonly unreadMs: number
  /** The same where all that is unread takes more than that many bytes. */
  readonly hurriedMs: number
  readonly unreadBytes: number
  /** How often readers are looked at. */
  readonly lookMs: number
}

export const connectionBounds: ConnectionBounds = {
  open: 10_000,
  pipelined: 16,
  waitingBytes: 32 * 2 ** 20,
  unreadMs: 30_000,
  hurriedMs: 2_000,
  unreadBytes: 64 * 2 ** 20,
  lookMs: 1_000,
}

type Handle = (request: IncomingMessage, response: ServerResponse) => unknown

/** A request that came while another was answered, and what it takes meanwhile. */
interface Waiting {
  request: Incoming
  response: ServerResponse
  bytes: number
}

/** What a request takes beside the bytes of its head. */
const bytesAroundHead = 2048

/** One connection, and what is under way on it. */
interface Connection {
  socket: Socket
  waiting: Waiting[]
  isAnswering: boolean
  /** How much of its answers the system had not taken yet, and since when that has not changed. */
  queued: number
  unreadSince: number
}

/**
 * Keeps connections in bounds: of each one request at a time is answered, whoever does not read is
 * dropped, and where there are too many, those go first that have done nothing for longest.
 */
export class Connections {
  readonly #handle: Handle
  readonly #bounds: ConnectionBounds
  /** In the order in which they last had something to do. */
  readonly #open = new Map<Socket, Connection>()
  #waitingBytes = 0
  #looking: NodeJS.Timeout | undefined

  constructor(handle: Handle, bounds: ConnectionBounds = connectionBounds) {
    this.#handle = handle
    this.#bounds = bounds
  }

  watch(server: Server): void {
    server.on('connection', (socket: Socket) => this.#enter(socket))
    this.#looking = setInterval(() => this.#look(), this.#bounds.lookMs).unref()
    server.once('close', () => clearInterval(this.#looking))
  }

  /** Answers the request once those before it on its connection are. */
  take(request: Incoming, response: ServerResponse): void {
    const connection = this.#open.get(request.socket) ?? this.#enter(request.socket)
    if (request.isBodiless) request.leave()
    if (!connection.isAnswering) return this.#answer(connection, request, response)
    if (connection.waiting.length >= this.#bounds.pipelined) {
      request.socket.destroy()
      return
    }
    this.#wait(connection, { request, response, bytes: 0 })
  }

  /** Keeps the request, and what comes of its body, as long as there is room for what waits. */
  #wait({ socket, waiting }: Connection, one: Waiting): void {
    const room = (bytes: number): boolean => {
      one.bytes += bytes
      this.#waitingBytes += bytes
      return this.#waitingBytes <= this.#bounds.waitingBytes
    }
    waiting.push(one)
    if (!one.request.isBodiless) one.request.countWith(room)
    if (!room(headBytes(one.request))) socket.destroy()
  }

  /** Gives back what it took while it waited. */
  #stopWaiting({ request, bytes }: Waiting): void {
    this.#waitingBytes -= bytes
    request.countWith(undefined)
  }

  #enter(socket: Socket): Connection {
    if (this.#open.size >= this.#bounds.open && !this.#makeRoom()) socket.destroy()
    const connection: Connection = {
      socket,
      waiting: [],
      isAnswering: false,
      queued: 0,
      unreadSince: 0,
    }
    this.#open.set(socket, connection)
    socket.once('close', () => {
      this.#open.delete(socket)
      for (const one of connection.waiting.splice(0)) this.#stopWaiting(one)
    })
    return connection
  }

  #answer(connection: Connection, request: IncomingMessage, response: ServerResponse): void {
    connection.isAnswering = true
    response.once('close', () => {
      connection.isAnswering = false
      if (!this.#open.has(connection.socket)) return
      this.#open.delete(connection.socket)
      this.#open.set(connection.socket, connection)
      const next = connection.waiting.shift()
      if (!next) return
      this.#stopWaiting(next)
      this.#answer(connection, next.request, next.response)
    })
    this.#handle(request, response)
  }

  /** Cuts the first in the order that does nothing; false where all are busy. */
  #makeRoom(): boolean {
    for (const { socket, isAnswering } of this.#open.values()) {
      if (isAnswering) continue
      this.#open.delete(socket)
      socket.destroy()
      return true
    }
    return false
  }

  /** Drops readers who do not read, and sooner where they hold much together. */
  #look(): void {
    const now = performance.now()
    let unread = 0
    const unreading: Connection[] = []
    for (const connection of this.#open.values()) {
      const { socket } = connection
      const left = socket.writableLength
      if (left === 0) {
        connection.unreadSince = 0
        continue
      }
      const queued = queuedBytes(socket)
      if (connection.unreadSince === 0 || queued !== connection.queued) connection.unreadSince = now
      connection.queued = queued
      unread += left
      unreading.push(connection)
    }
    const { unreadMs, hurriedMs, unreadBytes } = this.#bounds
    const patience = unread > unreadBytes ? hurriedMs : unreadMs
    for (const { socket, unreadSince } of unreading) {
      if (now - unreadSince >= patience) socket.destroy()
    }
  }
}

function headBytes({ url = '', rawHeaders }: IncomingMessage): number {
  return rawHeaders.reduce((sum, { length }) => sum + length, bytesAroundHead + url.length)
}

/** Bytes that the system has not taken yet of what was written. */
function queuedBytes(socket: Socket): number {
  // Node counts a write as written when it begins; only here the progress of a large one is seen.
  const { _handle: handle } = socket as { _handle?: { writeQueueSize?: number } | null }
  return (handle?.writeQueueSize ?? 0) - socket.bytesWritten
}
