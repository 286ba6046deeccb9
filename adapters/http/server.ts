import { createServer, STATUS_CODES, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo, Server as NetServer, Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import { Connections } from './intake/connections.ts'
import { Incoming } from './intake/incoming.ts'
import { errorReply, HttpFault } from './errors.ts'
import { requestIdOf } from './trace.ts'

/**
 * Limits for slow clients: 300 sockets that send byte by byte hold only themselves, and are closed. The
 * timers are checked each second, so a limit is enforced at most a second late.
 */
export const defaultBounds = {
  headersTimeout: 15_000,
  requestTimeout: 60_000,
  keepAliveTimeout: 60_000,
  connectionsCheckingInterval: 1000,
}
/** Longer than the longest wait for a run, and than the pause between two keep-alives of a stream. */
const silentMs = 120_000

export interface Listener {
  /** @throws Error with `code` EADDRINUSE, EACCES, … */
  listen(port: number, host: string): Promise<AddressInfo>
  /** Takes connections from now on that another process has accepted; used instead of `listen`. */
  serve(): Accepted
  /** Accepts no more connections, gives requests under way this long to end, then cuts the rest. */
  close(graceMs: number): Promise<void>
}

/** Connections that another process accepts. */
export interface Accepted {
  take(socket: Socket): void
  /** How many are open. */
  readonly open: number
}

export function listener(
  handle: (request: IncomingMessage, response: ServerResponse) => unknown,
  bounds = defaultBounds,
  connections = new Connections(handle),
): Listener {
  let underWay = 0
  let allEnded: (() => void) | undefined
  // The application itself reports a missing Host header, as JSON.
  const terms = { ...bounds, IncomingMessage: Incoming, requireHostHeader: false }
  const server = createServer(terms, (request, response) => {
    underWay += 1
    response.once('close', () => {
      underWay -= 1
      if (underWay === 0) allEnded?.()
    })
    connections.take(request, response)
  })
  connections.watch(server)
  server.setTimeout(silentMs)
  server.on('clientError', refuseUnreadable)
  // By default Node refuses expectations other than 100-continue with an empty answer.
  server.on('checkExpectation', (request, response) => server.emit('request', request, response))
  // The reader of the body sends 100-continue once the body is known to be wanted.
  server.on('checkContinue', (request, response) => server.emit('request', request, response))
  const accepted = accepting(server)
  return {
    listen: (port, host) => listening(server, port, host),
    serve: () => accepted.begin(),
    async close(graceMs) {
      const cut = setTimeout(() => server.closeAllConnections(), graceMs)
      const closed = new Promise((resolve) => server.close(resolve))
      // The remaining connections have sent no complete request: no accepted request is cut.
      allEnded = () => server.closeAllConnections()
      if (underWay === 0) allEnded()
      await closed
      await accepted.closed()
      clearTimeout(cut)
    },
  }
}

/** Puts connections into the server that it has not accepted itself, and so does not wait for. */
function accepting(server: NetServer) {
  let open = 0
  let allClosed: (() => void) | undefined
  return {
    begin(): Accepted {
      // With this event the server begins to look at the time limits of its connections.
      server.emit('listening')
      return {
        get open() {
          return open
        },
        take(socket) {
          open += 1
          socket.once('close', () => {
            open -= 1
            if (open === 0) allClosed?.()
          })
          // As the server makes its own: Node gives a connection from another process no options.
          socket.allowHalfOpen = true
          server.emit('connection', socket)
        },
      }
    },
    closed: (): Promise<void> =>
      new Promise((resolve) => {
        allClosed = resolve
        if (open === 0) resolve()
      }),
  }
}

function listening(server: NetServer, port: number, host: string): Promise<AddressInfo> {
  return new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, host, () => {
      server.off('error', reject)
      // A server that listens on a port has an address of this form.
      resolve(server.address() as AddressInfo)
    })
  })
}

/** Refuses a request that could not be parsed as HTTP, or did not arrive in time. */
function refuseUnreadable(cause: Error & { code?: string }, socket: Duplex): void {
  if (cause.code === 'ECONNRESET' || !socket.writable || isAnswering(socket)) {
    socket.destroy()
    return
  }
  const requestId = requestIdOf(undefined)
  const { status, headers, body } = errorReply(faultOf(cause.code), { requestId, asProblem: false })
  const text = body ?? ''
  const lines = Object.entries({
    ...headers,
    'X-Request-Id': requestId,
    'Content-Length': Buffer.byteLength(text),
    Connection: 'close',
  }).map(([name, value]) => `${name}: ${value}\r\n`)
  socket.end(`HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines.join('')}\r\n${text}`)
}

/** Whether an answer has begun on this socket, which a second one would corrupt. */
function isAnswering(socket: Duplex): boolean {
  // Node stores the response here and checks it for the same purpose; there is no public way.
  const { _httpMessage: response } = socket as { _httpMessage?: ServerResponse | null }
  return response?.headersSent === true
}

function faultOf(code: string | undefined): HttpFault {
  if (code === 'HPE_HEADER_OVERFLOW') {
    return new HttpFault('headers_too_large', 'The headers are larger than 16 kB.')
  }
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') {
    return new HttpFault('request_timeout', 'The request did not come to its end in time.')
  }
  return new HttpFault('bad_request', 'This is not a request of HTTP/1.1.')
}
