import { once } from 'node:events'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { connect, type Socket } from 'node:net'
import { text } from 'node:stream/consumers'
import { afterEach, describe, expect, it } from 'vitest'
import { addresses } from '#adapters/http/address.ts'
import { connectionBounds, Connections } from '#adapters/http/intake/connections.ts'
import { defaultBounds, listener, type Listener } from '#adapters/http/server.ts'

let server: Listener | undefined
afterEach(async () => {
  await server?.close(0)
})

/** A server of these bounds, and a way to connect to it. */
async function serving(
  handle: (request: IncomingMessage, response: ServerResponse) => unknown,
  bounds: Partial<typeof connectionBounds>,
  proxies: readonly string[] = [],
): Promise<(from?: string) => Promise<Socket>> {
  const all = { ...connectionBounds, ...bounds }
  const connections = new Connections(handle, all, addresses(proxies))
  server = listener(handle, defaultBounds, connections)
  const { port } = await server.listen(0, '127.0.0.1')
  return async (from = '127.0.0.1') => {
    const socket = connect({ port, host: '127.0.0.1', localAddress: from })
    await once(
      socket.on('error', () => undefined),
      'connect',
    )
    return socket
  }
}

const get = (path: string): string => `GET ${path} HTTP/1.1\r\nHost: a\r\n\r\n`

describe('a connection', () => {
  it('has its requests answered one after the other, in order', async () => {
    const begun: string[] = []
    let answer: (() => void) | undefined
    const opened = await serving((request, response) => {
      begun.push(request.url ?? '')
      answer = () => void response.end(request.url)
    }, {})
    const socket = await opened()
    socket.write(get('/1') + get('/2') + get('/3'))
    const heard: string[] = []
    socket.on('data', (bytes: Buffer) => heard.push(bytes.toString()))
    for (const path of ['/1', '/2', '/3']) {
      await expect.poll(() => begun.at(-1)).toBe(path)
      answer?.()
    }
    await expect.poll(() => heard.join('').match(/\/\d(?=HTTP|$)/g)).toEqual(['/1', '/2', '/3'])
    socket.destroy()
  })

  it('that sends more requests than may wait is cut', async () => {
    let begun = 0
    const opened = await serving(() => (begun += 1), { pipelined: 3 })
    const socket = await opened()
    socket.write(get('/').repeat(4))
    await expect.poll(() => begun).toBe(1)
    expect(socket.closed).toBe(false)
    socket.on('error', () => undefined).write(get('/'))
    await once(socket, 'close')
    expect(begun).toBe(1)
  })

  it('whose reader does not read is cut, and one that reads is not', async () => {
    const large = Buffer.alloc(32 * 2 ** 20, 'x')
    const cut: string[] = []
    const opened = await serving(
      (request, response) => {
        response.once('close', () => response.writableFinished || cut.push(request.url ?? ''))
        response.end(large)
      },
      { unreadMs: 1000, lookMs: 50 },
    )
    const idle = await opened()
    idle
      .on('error', () => undefined)
      .pause()
      .write(get('/idle'))
    const reader = await opened()
    reader.write('GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n')
    expect((await text(reader)).length).toBeGreaterThan(large.length)
    await expect.poll(() => cut, { timeout: 10_000 }).toEqual(['/idle'])
    idle.destroy()
  })

  it('makes room for a new one where it does nothing, the longest idle first', async () => {
    const opened = await serving((_, response) => response.end('ok'), { open: 3 })
    const [first, second, third] = [await opened(), await opened(), await opened()]
    first.write(get('/'))
    await once(first, 'data')
    const gone = once(second, 'close')
    const fourth = await opened()
    fourth.write(get('/'))
    await once(fourth, 'data')
    await gone
    expect([first.closed, third.closed]).toEqual([false, false])
    for (const socket of [first, third, fourth]) socket.destroy()
  })

  it('that is answered is not cut for a new one', async () => {
    let begun = 0
    const opened = await serving(() => (begun += 1), { open: 2 })
    const busy = [await opened(), await opened()]
    for (const socket of busy) socket.on('error', () => undefined)
    for (const socket of busy) socket.write(get('/'))
    await expect.poll(() => begun).toBe(2)
    const late = await opened()
    late.on('error', () => undefined)
    await once(late, 'close')
    expect(busy.map((socket) => socket.closed)).toEqual([false, false])
    for (const socket of busy) socket.destroy()
  })

  it('that waits for a body makes room for a new one, the longest first', async () => {
    const begun: string[] = []
    const opened = await serving(({ url = '' }) => begun.push(url), { open: 3 })
    const [first, second, third] = [await opened(), await opened(), await opened()]
    first.write(get('/busy'))
    await expect.poll(() => begun).toHaveLength(1)
    for (const [path, socket] of Object.entries({ '/long': second, '/short': third })) {
      socket.write(`POST ${path} HTTP/1.1\r\nHost: a\r\nContent-Length: 100\r\n\r\n{`)
      await expect.poll(() => begun.at(-1)).toBe(path)
    }
    const gone = once(second, 'close')
    const fourth = await opened()
    await gone
    fourth.write(get('/new'))
    await expect.poll(() => begun.at(-1)).toBe('/new')
    expect([first.closed, third.closed]).toEqual([false, false])
    for (const socket of [first, third, fourth]) socket.destroy()
  })
})

describe('a network', () => {
  it('has a bound of its own, within which it makes room itself', async () => {
    let begun = 0
    const opened = await serving(() => (begun += 1), { eachNetwork: 2 })
    const elsewhere = await opened('127.0.2.1')
    const [first, second] = [await opened('127.0.1.1'), await opened('127.0.1.2')]
    second.write(get('/'))
    await expect.poll(() => begun).toBe(1)
    const gone = once(first, 'close')
    const third = await opened('127.0.1.3')
    await gone
    third.write(get('/'))
    await expect.poll(() => begun).toBe(2)
    const late = await opened('127.0.1.4')
    await once(late, 'close')
    expect([elsewhere, second, third].map((socket) => socket.closed)).toEqual([false, false, false])
    for (const socket of [elsewhere, second, third]) socket.destroy()
  })

  it('that has the most makes room for others, also where all it has are busy', async () => {
    let begun = 0
    const opened = await serving(() => (begun += 1), { open: 4 })
    const sockets: Socket[] = []
    for (const from of ['127.0.2.1', '127.0.1.1', '127.0.1.2', '127.0.1.3']) {
      const socket = await opened(from)
      sockets.push(socket)
      socket.write(get('/'))
      await expect.poll(() => begun).toBe(sockets.length)
    }
    const [other, first, ...rest] = sockets
    if (!first) throw new Error('none is open')
    const gone = once(first, 'close')
    const newcomer = await opened('127.0.3.1')
    await gone
    newcomer.write(get('/'))
    await expect.poll(() => begun).toBe(5)
    expect([other, ...rest].map((socket) => socket?.closed)).toEqual([false, false, false])
    for (const socket of [...sockets, newcomer]) socket.destroy()
  })

  it('is not what a trusted proxy is counted as', async () => {
    let begun = 0
    const opened = await serving(() => (begun += 1), { eachNetwork: 1 }, ['127.0.1.0/24'])
    const sockets = [await opened('127.0.1.1'), await opened('127.0.1.1')]
    for (const socket of sockets) socket.write(get('/'))
    await expect.poll(() => begun).toBe(2)
    for (const socket of sockets) socket.destroy()
  })
})

describe('answers that no client reads', () => {
  const answer = Buffer.alloc(16 * 2 ** 20, 'x')

  /** A server of such answers, the paths of those that were cut, and who asks for one and does not read. */
  async function unread(bounds: Partial<typeof connectionBounds>, proxies: readonly string[] = []) {
    const begun: string[] = []
    const cut: string[] = []
    const opened = await serving(
      ({ url = '' }, response) => {
        begun.push(url)
        response.once('close', () => response.writableFinished || cut.push(url))
        response.end(answer)
      },
      bounds,
      proxies,
    )
    const ask = async (path: string, from: string, forwarded = from): Promise<Socket> => {
      const socket = await opened(from)
      socket
        .pause()
        .write(`GET ${path} HTTP/1.1\r\nHost: a\r\nX-Forwarded-For: ${forwarded}\r\n\r\n`)
      await expect.poll(() => begun.at(-1)).toBe(path)
      return socket
    }
    return { ask, cut }
  }

  it('are bounded for one sender, and of one answer never', async () => {
    const { ask, cut } = await unread({ unreadBytesEach: 15 * 2 ** 20 })
    const sockets = [await ask('/other', '127.0.2.1'), await ask('/1', '127.0.1.1')]
    expect(cut).toEqual([])
    sockets.push(await ask('/2', '127.0.1.2'))
    await expect.poll(() => cut).toEqual(['/1'])
    for (const socket of sockets) socket.destroy()
  })

  it('are bounded in all, at the cost of whom the most waits for', async () => {
    const { ask, cut } = await unread({ unreadBytes: 40 * 2 ** 20 })
    const sockets = [await ask('/other', '127.0.2.1'), await ask('/1', '127.0.1.1')]
    sockets.push(await ask('/2', '127.0.1.2'))
    await expect.poll(() => cut).toEqual(['/1'])
    for (const socket of sockets) socket.destroy()
  })

  it('are bounded in all also where each sender has one', async () => {
    const { ask, cut } = await unread({ unreadBytes: 40 * 2 ** 20 })
    const sockets = [await ask('/1', '127.0.1.1'), await ask('/2', '127.0.2.1')]
    sockets.push(await ask('/3', '127.0.3.1'))
    await expect.poll(() => cut).toEqual(['/1'])
    for (const socket of sockets) socket.destroy()
  })

  it('are told apart by sender behind a trusted proxy', async () => {
    const { ask, cut } = await unread({ unreadBytesEach: 15 * 2 ** 20 }, ['127.0.0.0/8'])
    const sockets = [await ask('/1', '127.0.1.1', '203.0.113.1')]
    sockets.push(await ask('/2', '127.0.1.1', '198.51.100.1'))
    expect(cut).toEqual([])
    sockets.push(await ask('/3', '127.0.1.1', '203.0.113.2'))
    await expect.poll(() => cut).toEqual(['/1'])
    for (const socket of sockets) socket.destroy()
  })

  it('cost the slowest its connection', async () => {
    const { ask, cut } = await unread({ unreadBytes: 40 * 2 ** 20, graceMs: 0 })
    const reader = await ask('/reader', '127.0.1.1')
    const idle = await ask('/idle', '127.0.1.2')
    let taken = 0
    for await (const bytes of reader.iterator({ destroyOnReturn: false })) {
      taken += (bytes as Buffer).length
      if (taken > answer.length / 2) break
    }
    const last = await ask('/last', '127.0.1.3')
    await expect.poll(() => cut).toEqual(['/idle'])
    for (const socket of [reader, idle, last]) socket.destroy()
  })
})
