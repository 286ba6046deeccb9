import { once } from 'node:events'
import { connect, createServer, type AddressInfo, type Socket } from 'node:net'

/** A way to a server on which everything that is sent to it comes late. */
export interface SlowWay {
  /** The address by this way. */
  readonly uri: string
  /** How late, in milliseconds, from now on. */
  delay(milliseconds: number): void
  close(): Promise<void>
}

/** @param uri with one host and its port */
export async function openSlowWay(uri: string): Promise<SlowWay> {
  const { hostname, port, host } = new URL(uri)
  const sockets = new Set<Socket>()
  let lateMs = 0
  const server = createServer((client) => {
    const target = connect(Number(port), hostname)
    for (const socket of [client, target]) {
      sockets.add(socket)
      socket.on('error', () => undefined)
      socket.once('close', () => {
        sockets.delete(socket)
        client.destroy()
        target.destroy()
      })
    }
    target.pipe(client)
    // Timers of the same length end in the order in which they began; a shorter one must not overtake.
    let last: Promise<void> = Promise.resolve()
    client.on('data', (bytes) => {
      const late = new Promise((resolve) => setTimeout(resolve, lateMs))
      last = Promise.all([last, late]).then(() => void target.write(bytes))
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  // A listening TCP server has an address with a port.
  const own = (server.address() as AddressInfo).port
  return {
    uri: uri.replace(host, `127.0.0.1:${own}`),
    delay(milliseconds) {
      lateMs = milliseconds
    },
    async close() {
      server.close()
      for (const socket of sockets) socket.destroy()
      await once(server, 'close')
    },
  }
}
