import { once } from 'node:events'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { connect, type Socket } from 'node:net'
import { text } from 'node:stream/consumers'
import { afterEach, describe, expect, it } from 'vitest'
import { connectionBounds, Connections } from '#adapters/http/intake/connections.ts'
import { defaultBounds, listener, type Listener } from '#adapters/http/server.ts'
import { serving } from '../serve.ts'

let server: Listener | undefined
afterEach(async () => {
  await server?.close(0)
  server = undefined
})

interface Asked {
  request: IncomingMessage
  response: ServerResponse
}

/** A server that answers nothing by itself: what it was asked, and a connection to it. */
async function asking(bounds: Partial<typeof connectionBounds> = {}) {
  const asked: Asked[] = []
  const handle = (request: IncomingMessage, response: ServerResponse) =>
    asked.push({ request, response })
  server = listener(
    handle,
    defaultBounds,
    new Connections(handle, { ...connectionBounds, ...bounds }),
  )
  const { port } = await server.listen(0, '127.0.0.1')
  const opened = (): Socket => connect(port, '127.0.0.1').on('error', () => undefined)
  return { asked, opened }
}

const get = 'GET / HTTP/1.1\r\nHost: a\r\n\r\n'
const chunked = 'Host: a\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n'
const inPieces = '1\r\nx\r\n'.repeat(5_000)

describe('a body that is not read yet', () => {
  it('is kept in few pieces while its request waits', async () => {
    const { asked, opened } = await asking()
    const socket = opened()
    socket.write(`${get}POST / HTTP/1.1\r\n${chunked}${inPieces}`)
    await expect.poll(() => asked.length).toBe(1)
    asked[0]?.response.end()
    await expect.poll(() => asked.length).toBe(2)
    expect(asked[1]?.request.readableLength).toBe(500)
    socket.destroy()
  })

  it('comes whole to a request that has waited', async () => {
    const { asked, opened } = await asking()
    const socket = opened()
    const body = 'x'.repeat(200_000)
    const length = `POST / HTTP/1.1\r\nHost: a\r\nContent-Length: ${body.length}\r\n\r\n`
    socket.write(`${get}${length}${body}`)
    await expect.poll(() => asked.length).toBe(1)
    asked[0]?.response.end()
    await expect.poll(() => asked.length).toBe(2)
    const [, waited] = asked
    if (!waited) throw new Error('the second request is not asked')
    expect(await text(waited.request)).toBe(body)
    socket.destroy()
  })

  it('costs its connection where too much waits on all of them, and gives its room back', async () => {
    const { asked, opened } = await asking({ waitingBytes: 40_000 })
    const body = 'x'.repeat(30_000)
    const waiting = `${get}POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 50000\r\n\r\n${body}`
    const first = opened()
    first.write(waiting)
    await expect.poll(() => asked.length).toBe(1)
    const second = opened()
    second.write(waiting)
    await once(second, 'close')
    expect(first.closed).toBe(false)
    first.destroy()
    await expect.poll(() => asked[0]?.response.closed).toBe(true)
    const third = opened()
    third.write(waiting)
    await expect.poll(() => asked.length).toBe(3)
    asked[2]?.response.end()
    await expect.poll(() => asked.length).toBe(4)
    third.destroy()
  })
})

describe('a body that is never read', () => {
  it('is not kept, and not parsed to its end', async () => {
    const { asked, opened } = await asking()
    const socket = opened()
    socket.write(`HEAD / HTTP/1.1\r\n${chunked}${inPieces}`)
    await expect.poll(() => asked[0]?.request).toMatchObject({ isCut: true, readableLength: 0 })
    socket.destroy()
  })

  it('is no hindrance to the next request where it is small', async () => {
    const { asked, opened } = await asking()
    const socket = opened()
    socket.write(
      `GET /1 HTTP/1.1\r\n${chunked}2\r\n{}\r\n0\r\n\r\nGET /2 HTTP/1.1\r\nHost: a\r\n\r\n`,
    )
    await expect.poll(() => asked.length).toBe(1)
    asked[0]?.response.end()
    await expect.poll(() => asked[1]?.request.url).toBe('/2')
    socket.destroy()
  })
})

describe('a body in small pieces', () => {
  it.each([
    ['GET /llms.txt', 200],
    ['GET /nothing', 404],
    ['POST /nothing', 404],
    ['POST /api/echo', 413],
    ['POST /mcp', 413],
  ])('does not hinder the answer: %s', async (line, status) => {
    await using abode = await serving()
    const answer = await abode.raw(`${line} HTTP/1.1\r\n${chunked}${inPieces}`)
    expect(answer).toMatch(new RegExp(`^HTTP/1.1 ${status} `))
    expect(answer).toContain('Connection: close')
  })

  it('is refused also where its request has waited', async () => {
    await using abode = await serving()
    const ahead = 'GET /llms.txt HTTP/1.1\r\nHost: a\r\n\r\n'
    const answers = await abode.raw(`${ahead}POST /api/echo HTTP/1.1\r\n${chunked}${inPieces}`)
    expect(answers.match(/HTTP\/1\.1 \d+/g)).toEqual(['HTTP/1.1 200', 'HTTP/1.1 413'])
    expect(answers).toContain('The body comes in too many small pieces.')
  })
})
