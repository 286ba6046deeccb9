import { createServer, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { startServer } from '#tests/support/process.ts'
import type { Target } from './fixture.ts'

/** The real server process, behind a proxy that adds a key: the suite sends no headers of its own. */
export async function openProduct(): Promise<Target> {
  const server = await startServer()
  const claim = await fetch(`${server.url}/api/agent-claim`, { method: 'POST' })
  // The documented answer of the operation.
  const { api_key: key } = (await claim.json()) as { api_key: string }
  const { hostname, port } = new URL(server.url)
  const proxy = createServer((asked, answer) => {
    const { method, url: path, headers } = asked
    const onward = request(
      // The Host stays as it was sent: whether the server minds it is a scenario.
      { hostname, port, method, path, headers: { ...headers, authorization: `Bearer ${key}` } },
      (reply) => {
        answer.writeHead(reply.statusCode ?? 502, reply.headers)
        answer.flushHeaders()
        reply.pipe(answer)
      },
    )
    onward.on('error', () => answer.destroy())
    answer.on('close', () => onward.destroy())
    asked.pipe(onward)
  })
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve))
  // A server that listens on a port has an address of this form.
  const address = proxy.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${address.port}/mcp`,
    async close() {
      proxy.closeAllConnections()
      proxy.close()
      await server.dispose()
    },
  }
}
