import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Server, Socket } from 'node:net'
import { addresses, type Addresses } from '../address.ts'
import { Crowds, type Networks } from './crowds.ts'
import type { Incoming } from './incoming.ts'
import { readerBounds, Readers, type ReaderBounds } from './readers.ts'

/** The limits of connections. */
export interface ConnectionBounds extends ReaderBounds {
  /** Open connections; an idle one makes room for a new one. */
  readonly open: number
  /** The same for one network, /24 or /64; wider IPv6 networks may have more. */
  readonly eachNetwork: number
  /** Requests that may wait behind the one that their connection is answering. */
  readonly pipelined: number
  /** Bytes that all waiting requests may take together, including what has arrived of their bodies. */
  readonly waitingBytes: number
  /** How often the readers are checked. */
  readonly lookMs: number
}

export const connectionBounds: ConnectionBounds = {
  ...readerBounds,
  open: 10_000,
  eachNetwork: 2_500,
  pipelined: 16,
  waitingBytes: 32 * 2 ** 20,
  lookMs: 1_000,
}

/** The largest answers that there are still have to fit. */
const leastUnreadBytes = 48 * 2 ** 20

/** The bounds in each of so many processes that serve together. */
export function connectionBoundsOf(processes: number): ConnectionBounds {
  const bounds = connectionBounds
  const part = (most: number): number => Math.max(1, Math.floor(most / processes))
  return {
    ...bounds,
    open: part(bounds.open),
    eachNetwork: part(bounds.eachNetwork),
    waitingBytes: part(bounds.waitingBytes),
    hurriedBytes: part(bounds.hurriedBytes),
    unreadBytes: Math.max(leastUnreadBytes, part(bounds.unreadBytes)),
    unreadBytesEach: Math.max(leastUnreadBytes, part(bounds.unreadBytesEach)),
  }
}

type Handle = (request: IncomingMessage, response: ServerResponse) => unknown

/** A request that arrived while another was being answered, and the memory it takes. */
interface Waiting {
  request: Incoming
  response: ServerResponse
  bytes: number
}

/** The memory a request takes in addition to the bytes of its head. */
const bytesAroundHead = 2048

/** From this size on, unsent bytes of an answer are noticed at once. */
const largeAnswer = 65_536

/** One connection, and what is under way on it. */
interface Connection {
  socket: Socket
  networks: Networks
  waiting: Waiting[]
  /** The request being answered. */
  answered: { request: IncomingMessage; response: ServerResponse } | undefined
  /** The sender of the last answered requests. */
  sender: string
}

/**
 * Keeps connections within bounds: each answers one request at a time, and a client that does not read
 * is dropped. If there are too many connections, those idle longest are closed first, then those whose
 * requests do not arrive completely, then those of the network that has the most.
 */
export class Connections {
  readonly #handle: Handle
  readonly #bounds: ConnectionBounds
  /** In order of their last activity. */
  readonly #open = new Map<Socket, Connection>()
  readonly #crowds: Crowds
  readonly #readers: Readers
  readonly #addresses: Addresses
  #waitingBytes = 0
  #looking: NodeJS.Timeout | undefined

  constructor(
    handle: Handle,
    bounds: ConnectionBounds = connectionBounds,
    peers: Addresses = addresses([]),
  ) {
    this.#handle = handle
    this.#bounds = bounds
    this.#readers = new Readers(bounds)
    this.#crowds = new Crowds(bounds.eachNetwork)
    this.#addresses = peers
  }

  watch(server: Server): void {
    server.on('connection', (socket: Socket) => this.#enter(socket))
    this.#looking = setInterval(() => this.#look(), this.#bounds.lookMs).unref()
    server.once('close', () => clearInterval(this.#looking))
  }

  /** Answers the request once those before it on its connection are answered. */
  take(request: Incoming, response: ServerResponse): void {
    const connection = this.#open.get(request.socket) ?? this.#enter(request.socket)
    if (request.isBodiless) request.leave()
    if (!connection.answered) return this.#answer(connection, request, response)
    if (connection.waiting.length >= this.#bounds.pipelined) {
      request.socket.destroy()
      return
    }
    this.#wait(connection, { request, response, bytes: 0 })
  }

  /** Holds the request, and what arrives of its body, as long as the waiting requests have room. */
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

  /** Releases what it took while it waited. */
  #stopWaiting({ request, bytes }: Waiting): void {
    this.#waitingBytes -= bytes
    request.countWith(undefined)
  }

  #enter(socket: Socket): Connection {
    const networks = this.#crowds.networksOf(this.#addresses.ofPeer(socket.remoteAddress))
    if (!this.#hasRoom(networks)) socket.destroy()
    const connection: Connection = {
      socket,
      networks,
      waiting: [],
      answered: undefined,
      sender: networks.at(-1)?.network ?? '',
    }
    this.#open.set(socket, connection)
    this.#crowds.enter(networks)
    socket.once('close', () => {
      this.#leave(connection)
      for (const one of connection.waiting.splice(0)) this.#stopWaiting(one)
    })
    return connection
  }

  #leave({ socket, networks }: Connection): void {
    if (this.#open.delete(socket)) this.#crowds.leave(networks)
  }

  #answer(connection: Connection, request: IncomingMessage, response: ServerResponse): void {
    connection.answered = { request, response }
    // A proxy, which has no network of its own here, brings requests of many.
    if (connection.networks.length === 0) connection.sender = this.#senderOf(request)
    this.#touch(connection)
    response.once('prefinish', () => {
      // A small amount is noticed at the next check.
      if (connection.socket.writableLength < largeAnswer) return
      this.#readers.note(connection.socket, connection.sender)
      this.#readers.cutSlow()
    })
    response.once('close', () => {
      connection.answered = undefined
      if (!this.#open.has(connection.socket)) return
      this.#touch(connection)
      const next = connection.waiting.shift()
      if (!next) return
      this.#stopWaiting(next)
      this.#answer(connection, next.request, next.response)
    })
    this.#handle(request, response)
  }

  /** The widest network that it comes from, seen through proxies. */
  #senderOf({ socket, headers }: IncomingMessage): string {
    const networks = this.#crowds.networksOf(this.#addresses.of(socket.remoteAddress, headers))
    return networks.at(-1)?.network ?? ''
  }

  /** Moves it to the end of the order. */
  #touch(connection: Connection): void {
    if (this.#open.delete(connection.socket)) this.#open.set(connection.socket, connection)
  }

  /**
   * Whether another connection from these networks is admitted, if necessary in place of an existing
   * one.
   */
  #hasRoom(networks: Networks): boolean {
    const full = this.#crowds.fullOf(networks)
    if (full === undefined && this.#open.size < this.#bounds.open) return true
    const leaving = this.#leastOf(full, this.#crowds.sizeOf(networks))
    if (!leaving) return false
    this.#leave(leaving)
    leaving.socket.destroy()
    return true
  }

  /**
   * The connection to close in favour of a new one; undefined if all are busy.
   * @param within the network that is full, of which it must be
   * @param size how many connections the new one's network has
   */
  #leastOf(within: string | undefined, size: number): Connection | undefined {
    let unfinished: Connection | undefined
    let busy: Connection | undefined
    const isOfMore = ({ networks }: Connection, than: Connection | undefined): boolean =>
      !than || this.#crowds.sizeOf(networks) > this.#crowds.sizeOf(than.networks)
    for (const connection of this.#open.values()) {
      const { networks, answered } = connection
      if (within !== undefined && !networks.some(({ network }) => network === within)) continue
      if (!answered) return connection
      if (isAwaited(answered) && isOfMore(connection, unfinished)) unfinished = connection
      if (isOfMore(connection, busy)) busy = connection
    }
    if (unfinished || within !== undefined) return unfinished
    // So that a sender from a less crowded network is always admitted.
    return busy && this.#crowds.sizeOf(busy.networks) > size + 1 ? busy : undefined
  }

  #look(): void {
    for (const { socket, sender } of this.#open.values()) this.#readers.note(socket, sender)
    this.#readers.cutStill()
    this.#readers.cutSlow()
  }
}

/** Whether the request cannot be answered before more of it arrives. */
function isAwaited({ request, response }: NonNullable<Connection['answered']>): boolean {
  return !request.complete && !response.headersSent
}

function headBytes({ url = '', rawHeaders }: IncomingMessage): number {
  return rawHeaders.reduce((sum, { length }) => sum + length, bytesAroundHead + url.length)
}
