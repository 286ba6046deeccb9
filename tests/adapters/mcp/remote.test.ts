import { createServer as createHttpServer, type RequestListener } from 'node:http'
import { createServer, type AddressInfo, type Server } from 'node:net'
import { afterEach, describe, expect, test } from 'vitest'
import { remoteCarrier } from '#adapters/commands/mcp/remote.ts'
import { messagesIn } from '#adapters/commands/mcp/reply.ts'

const open: Server[] = []

afterEach(async () => {
  for (const server of open.splice(0)) await new Promise((done) => server.close(done))
})

async function at(server: Server): Promise<string> {
  open.push(server)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  // A server that listens on TCP has an address of this form.
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

async function messagesOf(url: string): Promise<string[]> {
  const carrier = remoteCarrier({ url, query: '' })
  const message = { value: { jsonrpc: '2.0', id: 1, method: 'ping' }, bytes: 1 }
  return Array.fromAsync(messagesIn(await carrier.send(message, {}, new AbortController().signal)))
}

const http = (answer: RequestListener) => at(createHttpServer(answer))

describe('a service elsewhere', () => {
  test('that speaks something else is said to be out of reach, and no more', async () => {
    const url = await at(createServer((socket) => socket.resume().end('SSH-2.0-none\r\n')))
    await expect(messagesOf(url)).rejects.toThrow(/^http:\S+ cannot be reached( \([A-Z_]+\))?\.$/)
  })

  test('that breaks off its answer is said to have done so', async () => {
    const url = await http((_, response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' })
      response.write('data: {"half"', () => response.destroy())
    })
    await expect(messagesOf(url)).rejects.toThrow(`${url} broke off its answer`)
  })

  test('that sends elsewhere is not followed', async () => {
    let asked = 0
    const other = await http((_, response) => {
      asked += 1
      response.end()
    })
    const url = await http((_, response) => response.writeHead(307, { location: other }).end())
    expect([await messagesOf(url), asked]).toEqual([[], 0])
  })
})
