import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { createServer as createSocketServer, type AddressInfo, type Socket } from 'node:net'

export interface WebServer {
  /** Scheme, host and port, without a final slash. */
  origin: string
  /** Answers a path from now on; gives its address. */
  on(path: string, answer: (request: IncomingMessage, response: ServerResponse) => unknown): string
  /** How it answers a path now. */
  answerAt(path: string): (request: IncomingMessage, response: ServerResponse) => unknown
  close(): void
}

/** A server on the loopback that answers each path as it was told, others with 404. */
export async function startWebServer(host = '127.0.0.1'): Promise<WebServer> {
  const answers = new Map<string, (request: IncomingMessage, response: ServerResponse) => unknown>()
  const server = createServer((request, response) => {
    const answer = answers.get(new URL(request.url ?? '', 'http://localhost').pathname)
    if (answer) answer(request, response)
    else response.writeHead(404).end()
  })
  server.listen(0, host)
  await once(server, 'listening')
  // A server that listens on a host has an address with a port, not the path of a pipe.
  const { port } = server.address() as AddressInfo
  const origin = `http://${host.includes(':') ? `[${host}]` : host}:${port}`
  return {
    origin,
    on(path, answer) {
      answers.set(path, answer)
      return origin + path
    },
    answerAt(path) {
      const answer = answers.get(path)
      if (!answer) throw new Error(`nothing answers ${path}`)
      return answer
    },
    close() {
      server.close()
      server.closeAllConnections()
    },
  }
}

export interface SocketServer {
  origin: string
  close(): void
}

/** A server that answers raw bytes with raw bytes. */
export async function startSocketServer(speak: (socket: Socket) => unknown): Promise<SocketServer> {
  const sockets: Socket[] = []
  const server = createSocketServer((socket) => {
    sockets.push(socket)
    socket.on('error', () => undefined)
    socket.once('data', () => speak(socket))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  // As above.
  const { port } = server.address() as AddressInfo
  return {
    origin: `http://127.0.0.1:${port}`,
    close() {
      server.close()
      for (const socket of sockets) socket.destroy()
    },
  }
}
