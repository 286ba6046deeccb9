import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { text } from 'node:stream/consumers'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { listener } from '#adapters/http/server.ts'
import { waits } from './echo-catalog.ts'
import { serving, type Serving } from './serve.ts'

let server: Serving
beforeEach(async () => {
  server = await serving()
})
afterEach(() => server[Symbol.asyncDispose]())

const waiting = 'POST /api/wait HTTP/1.1\r\nHost: a\r\n\r\n'
const begun = () => new Promise<void>((resolve) => (waits.begun = resolve))
const ended = () => new Promise<string>((resolve) => (waits.ended = resolve))

describe('what is no HTTP', () => {
  it.each([
    ['a line that is none', 'hello\r\n\r\n', 400, 'bad_request'],
    [
      'two lengths',
      'POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n',
      400,
      'bad_request',
    ],
    [
      'a length and chunks',
      'POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n',
      400,
      'bad_request',
    ],
    [
      'headers without end',
      `GET / HTTP/1.1\r\nHost: a\r\nX: ${'x'.repeat(20_000)}\r\n\r\n`,
      431,
      'headers_too_large',
    ],
    ['no host', 'GET / HTTP/1.1\r\nConnection: close\r\n\r\n', 400, 'bad_request'],
  ])('is refused as JSON: %s', async (_, bytes, status, code) => {
    const answer = await server.raw(bytes)
    const [head = '', body = ''] = answer.split('\r\n\r\n')
    expect(head).toMatch(new RegExp(`^HTTP/1.1 ${status} `))
    expect(head).toContain('Content-Type: application/json')
    expect(JSON.parse(body)).toMatchObject({
      code,
      hint: expect.any(String),
      request_id: expect.any(String),
    })
  })

  it('is no reason to fall over: a connection that is reset', async () => {
    const socket = server.socket()
    socket.write('POST /api/echo HTTP/1.1\r\nHost: a\r\nContent-Length: 10\r\n\r\nabc')
    await once(socket, 'connect')
    socket.resetAndDestroy()
    await once(socket, 'close')
    expect((await server.ask('/api/echo/a')).status).toBe(200)
  })
})

describe('two Authorization headers', () => {
  it('are no credential, and no hindrance where none is needed', async () => {
    const twice = 'Authorization: Bearer ab_x\r\nauthorization: Bearer ab_y\r\n'
    const ask = (path: string) =>
      server.raw(`GET ${path} HTTP/1.1\r\nHost: a\r\nConnection: close\r\n${twice}\r\n`)
    expect(await ask('/api/keyed')).toMatch(/^HTTP\/1\.1 401 /)
    expect(await ask('/api/echo/a')).toMatch(/^HTTP\/1\.1 200 /)
  })
})

describe('an Expect header', () => {
  const ask = (expectation: string, body = '{}', length = body.length) =>
    server.raw(
      `PUT /api/echo/a HTTP/1.1\r\nHost: a\r\nConnection: close\r\nExpect: ${expectation}\r\nContent-Type: application/json\r\nContent-Length: ${length}\r\n\r\n${body}`,
    )

  it('of another kind than 100-continue is no hindrance', async () => {
    expect(await ask('foo')).toMatch(/^HTTP\/1\.1 200 /)
    expect(await ask('100-continue')).toMatch(/^HTTP\/1\.1 100 Continue\r\n\r\nHTTP\/1\.1 200 /)
  })

  it('is not met where the body is not wanted', async () => {
    expect(await ask('100-continue', '', 10_000_000)).toMatch(/^HTTP\/1\.1 413 /)
  })
})

describe('a caller that goes away', () => {
  it('ends what was done for it', async () => {
    const [started, over] = [begun(), ended()]
    const socket = server.socket()
    socket.write(waiting)
    await started
    socket.destroy()
    expect(await over).toBe('aborted')
  })
})

describe('a stream of events', () => {
  const follow = (last = '') =>
    `GET /api/events HTTP/1.1\r\nHost: a\r\nAccept: text/event-stream\r\n${last}\r\n`

  it('comes as it happens, and ends when the server stops', async () => {
    const socket = server.socket()
    const all = text(socket)
    socket.write(follow())
    await untilReceived(socket, 'data: {"i":3}\n\n')
    await server.abode.close()
    const answer = await all
    expect(answer).toContain('Content-Type: text/event-stream; charset=utf-8')
    expect(answer).toContain('X-Accel-Buffering: no')
    expect(answer).toContain('id: 1\nevent: count\ndata: {"i":1}\n\n')
    // The last chunk was written: the stream was ended, not cut.
    expect(answer).toMatch(/\r\n0\r\n\r\n$/)
  })

  it('is only for those who ask for it', async () => {
    expect((await server.ask('/api/events')).body.input).toEqual({})
    const accept = 'text/event-stream'
    expect((await server.ask('/api/echo/a', { headers: { accept } })).status).toBe(406)
  })
})

describe('stopping', () => {
  it('ends waits with what there is, lets no connection linger, and takes no more', async () => {
    const [started, idle, silent] = [begun(), server.socket(), server.socket()]
    idle.write('GET /api/echo/a HTTP/1.1\r\nHost: a\r\n\r\n')
    await Promise.all([untilReceived(idle, '}'), once(silent, 'connect')])
    const busy = server.socket()
    const answer = text(busy)
    busy.write(waiting)
    await started
    await server.abode.close()
    expect(await answer).toMatch(/^HTTP\/1\.1 200 OK[^]*Connection: close[^]*wait_seconds/)
    await expect(fetch(`${server.url}/`)).rejects.toThrow()
    await Promise.all([closed(idle), closed(silent)])
  })
})

describe('bounds on slow callers', () => {
  const quick = {
    headersTimeout: 100,
    requestTimeout: 200,
    keepAliveTimeout: 100,
    connectionsCheckingInterval: 20,
  }

  it.each([
    ['headers', 'GET / HTTP/1.1\r\nX: '],
    ['a body', 'POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 100\r\n\r\n'],
    ['nothing', ''],
  ])('who drips %s is shown the door', async (_, bytes) => {
    const slow = listener((request) => request.resume(), quick)
    const { port } = await slow.listen(0, '127.0.0.1')
    const socket = connect(port, '127.0.0.1')
    const dripping = setInterval(() => socket.write(bytes && 'x'), 30)
    socket.on('error', () => undefined)
    socket.write(bytes)
    const answer = await text(socket).catch(() => 'reset')
    clearInterval(dripping)
    expect(answer).toMatch(/^(HTTP\/1\.1 408 |reset$)/)
    await slow.close(1000)
  })
})

async function untilReceived(socket: Socket, end: string): Promise<void> {
  let received = ''
  await new Promise<void>((resolve) => {
    socket.on('data', (chunk) => {
      received += String(chunk)
      if (received.includes(end)) resolve()
    })
  })
}

async function closed(socket: Socket): Promise<void> {
  socket.resume()
  if (!socket.closed) await once(socket, 'close')
}
