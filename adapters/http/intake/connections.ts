import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Server, Socket } from 'node:net'
import { addresses, type Addresses } from '../address.ts'
import { Crowds, type Networks } from './crowds.ts'
import type { Incoming } from './incoming.ts'
import { readerBounds, Readers, type ReaderBounds } from './readers.ts'

/** What connections may hold. */
export interface ConnectionBounds extends ReaderBounds {
  /** Connections at once; one that does nothing makes room for a new one. */
  readonly open: number
  /** The same of one network, /24 or /64; wider ones of IPv6 may have more. */
  readonly eachNetwork: number
  /** Requests that may wait behind the one of their connection that is answered. */
  readonly pipelined: number
  /** Bytes that all requests that wait so may take together, with what has come of their bodies. */
  readonly waitingBytes: number
  /** How often readers are looked at. */
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

type Handle = (request: IncomingMessage, response: ServerResponse) => unknown

/** A request that came while another was answered, and what it takes meanwhile. */
interface Waiting {
  request: Incoming
  response: ServerResponse
  bytes: number
}

/** What a request takes beside the bytes of its head. */
const bytesAroundHead = 2048

/** From here on what waits of an answer is seen at once. */
const largeAnswer = 65_536

/** One connection, and what is under way on it. */
interface Connection {
  socket: Socket
  networks: Networks
  waiting: Waiting[]
  /** What is answered now. */
  answered: { request: IncomingMessage; response: ServerResponse } | undefined
  /** Whose requests were last answered on it. */
  sender: string
}

/**
 * Keeps connections in bounds: of each one request at a time is answered, whoever does not read is
 * dropped, and where there are too many, those go first that have done nothing for longest, then
 * those whose requests do not come to their end, then those of the network that has the most.
 */
export class Connections {
  readonly #handle: Handle
  readonly #bounds: ConnectionBounds
  /** In the order in which they last had something to do. */
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

  /** Answers the request once those before it on its connection are. */
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
    const networks = this.#crowds.networksOf(this.#addresses.ofPeer(socket.remoteAddress))
    if (!this.#hasRoom(networks)) socket.destroy()
    const connection: Connection = {
      socket,
      networks,
      waiting: [],
      answered: undefined,
      sender: '',
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
    connection.sender = this.#senderOf(request)
    this.#touch(connection)
    response.once('prefinish', () => {
      // What little of it waits is seen with the next look.
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

  /** Puts it at the end of the order. */
  #touch(connection: Connection): void {
    if (this.#open.delete(connection.socket)) this.#open.set(connection.socket, connection)
  }

  /** Whether one more may come from there, if need be in place of another. */
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
   * The connection that a new one is worth more than; undefined where all are busy.
   * @param within the network that it must be of, as far as that is full
   * @param size how many the network of the new one has
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
    // So that whoever comes from elsewhere is always let in.
    return busy && this.#crowds.sizeOf(busy.networks) > size + 1 ? busy : undefined
  }

  #look(): void {
    for (const { socket, sender } of this.#open.values()) this.#readers.note(socket, sender)
    this.#readers.cutStill()
    this.#readers.cutSlow()
  }
}

/** Whether nothing can be answered before more of the request comes. */
function isAwaited({ request, response }: NonNullable<Connection['answered']>): boolean {
  return !request.complete && !response.headersSent
}

function headBytes({ url = '', rawHeaders }: IncomingMessage): number {
  return rawHeaders.reduce((sum, { length }) => sum + length, bytesAroundHead + url.length)
}
