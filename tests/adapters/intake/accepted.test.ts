import { once } from 'node:events'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { connect, createServer, type AddressInfo, type Socket } from 'node:net'
import { text } from 'node:stream/consumers'
import { afterEach, describe, expect, it } from 'vitest'
import { defaultBounds, listener, type Accepted, type Listener } from '#adapters/http/server.ts'

const doors: (() => Promise<unknown>)[] = []
afterEach(async () => {
  await Promise.all(doors.splice(0).map((close) => close()))
})

/** A server of HTTP whose connections a socket of another one accepts. */
async function served(
  handle: (request: IncomingMessage, response: ServerResponse) => unknown,
  bounds: Partial<typeof defaultBounds> = {},
): Promise<{ http: Listener; accepted: Accepted; ask: (bytes: string) => Socket }> {
  const http = listener(handle, { ...defaultBounds, ...bounds })
  const accepted = http.serve()
  const door = createServer((socket) => accepted.take(socket)).listen(0, '127.0.0.1')
  await once(door, 'listening')
  doors.push(async () => {
    door.close()
    await http.close(0)
  })
  return {
    http,
    accepted,
    ask(bytes) {
      // Its own address has a port.
      const socket = connect((door.address() as AddressInfo).port, '127.0.0.1')
      socket.on('error', () => undefined)
      socket.write(bytes)
      return socket
    },
  }
}

const get = 'GET / HTTP/1.1\r\nHost: a\r\n\r\n'

describe('a connection that another process has accepted', () => {
  it('is answered like any other, and counted while it is open', async () => {
    const { accepted, ask } = await served((_, response) => response.end('here'))
    const socket = ask(get)
    const [first] = await once(socket, 'data')
    expect(String(first)).toMatch(/^HTTP\/1\.1 200 [^]*here$/)
    expect(accepted.open).toBe(1)
    socket.destroy()
    await expect.poll(() => accepted.open).toBe(0)
  })

  it('is closed where it drips', async () => {
    const { ask } = await served((request) => request.resume(), {
      headersTimeout: 100,
      connectionsCheckingInterval: 20,
    })
    expect(await text(ask('GET / HTTP/1.1\r\nX: '))).toMatch(/^HTTP\/1\.1 408 /)
  })

  it('is answered before the server is closed, and does not linger then', async () => {
    const waiting = Promise.withResolvers<ServerResponse>()
    const { http, accepted, ask } = await served((_, response) => waiting.resolve(response))
    const [busy, idle] = [ask(get), ask('')]
    const answer = text(busy)
    const [response] = await Promise.all([waiting.promise, once(idle, 'connect')])
    let isClosed = false
    const closed = http.close(5000).then(() => (isClosed = true))
    await new Promise(setImmediate)
    expect(isClosed).toBe(false)
    response.end('in time')
    expect(await answer).toMatch(/in time$/)
    await closed
    expect(accepted.open).toBe(0)
    if (!idle.closed) await once(idle.resume(), 'close')
  })

  it('is cut once the time for requests is up', async () => {
    const begun = Promise.withResolvers<void>()
    const { http, ask } = await served(() => begun.resolve())
    const answer = text(ask(get))
    await begun.promise
    await http.close(20)
    expect(await answer.catch(() => '')).toBe('')
  })
})
