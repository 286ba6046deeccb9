import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { openSender } from '#adapters/sender/fetch.ts'
import {
  OutboundFailure,
  type Outbound,
  type OutboundStream,
  type Sender,
  type Streamer,
} from '#src/ports/sender.ts'
import { startWebServer, type WebServer } from '#tests/support/web-server.ts'

let web: WebServer
let elsewhere: WebServer
let sender: Sender & Streamer

beforeAll(async () => {
  web = await startWebServer()
  elsewhere = await startWebServer()
  sender = openSender({ allow: [web.origin], userAgent: 'abode-test/1' })
})
afterAll(async () => {
  await sender.close()
  web.close()
  elsewhere.close()
})

const open = (path: string, more: Partial<Outbound> = {}): Promise<OutboundStream> =>
  sender.stream({ method: 'GET', url: web.origin + path, ...more })

async function faultOf(promise: Promise<unknown>): Promise<string> {
  const cause: unknown = await promise.catch((error: unknown) => error)
  if (cause instanceof OutboundFailure) return cause.fault
  throw new Error('it did not fail as a request does', { cause })
}

async function wholeOf({ body }: OutboundStream): Promise<string> {
  const chunks: Uint8Array[] = []
  for await (const chunk of body) chunks.push(chunk)
  return Buffer.concat(chunks).toString()
}

/** A path whose answer says one thing and then waits; resolves when the caller has gone. */
function holding(path: string): Promise<void> {
  const { promise: left, resolve } = Promise.withResolvers<void>()
  web.on(path, (_, response) => {
    response.write('first')
    response.once('close', resolve)
  })
  return left
}

describe('a streamed answer', () => {
  test('is read while it comes', async () => {
    const { promise: read, resolve: tell } = Promise.withResolvers<void>()
    web.on('/pieces', async (_, response) => {
      response.writeHead(201, { 'X-Mark': 'a', 'Set-Cookie': 'a=1' })
      response.write('one')
      // The second piece waits until the first has been read.
      await read
      response.end('two')
    })
    const answer = await open('/pieces')
    expect(answer).toMatchObject({ status: 201, headers: { 'x-mark': 'a' } })
    expect(answer.headers['set-cookie']).toBeUndefined()
    const pieces: string[] = []
    for await (const piece of answer.body) {
      pieces.push(Buffer.from(piece).toString())
      tell()
    }
    expect(pieces).toEqual(['one', 'two'])
  })

  test('is decompressed', async () => {
    web.on('/gzip', (_, response) => {
      response.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync('squeezed'))
    })
    expect(await wholeOf(await open('/gzip'))).toBe('squeezed')
  })

  test('may have no body', async () => {
    web.on('/empty', (_, response) => response.writeHead(204).end())
    const answer = await open('/empty')
    expect(answer.status).toBe(204)
    expect(await wholeOf(answer)).toBe('')
  })

  test('has at most 10 MB, also where it was squeezed', async () => {
    const large = Buffer.alloc(11 * 1024 * 1024)
    web.on('/large', (_, response) => response.end(large))
    web.on('/bomb', (_, response) => {
      response.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync(large))
    })
    for (const path of ['/large', '/bomb']) {
      expect(await faultOf(wholeOf(await open(path)))).toBe('too_large')
    }
  })

  test('that is cut off fails where it is read', async () => {
    web.on('/cut', (_, response) => {
      response.writeHead(200, { 'content-length': '100' }).write('half')
      setTimeout(() => response.destroy(), 10)
    })
    expect(await faultOf(wholeOf(await open('/cut')))).toBe('broken_answer')
  })

  test('is given up when its time is over, before and within the body', async () => {
    web.on('/mute', () => undefined)
    expect(await faultOf(open('/mute', { timeoutMs: 50 }))).toBe('timeout')
    const left = holding('/slow')
    expect(await faultOf(open('/slow', { timeoutMs: 300 }).then(wholeOf))).toBe('timeout')
    await left
  })

  test('may take longer than the 20 seconds of others, where it is told so', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    try {
      const left = holding('/usual')
      void holding('/long')
      const usual = open('/usual').then(wholeOf)
      const usualFault = faultOf(usual)
      const long = (await open('/long', { timeoutMs: 60_000 })).body[Symbol.asyncIterator]()
      expect(await long.next()).toMatchObject({ done: false })
      const longFault = faultOf(long.next())
      await vi.advanceTimersByTimeAsync(21_000)
      expect(await usualFault).toBe('timeout')
      await left
      expect(await Promise.race([longFault, Promise.resolve('it goes on')])).toBe('it goes on')
      await vi.advanceTimersByTimeAsync(40_000)
      expect(await longFault).toBe('timeout')
    } finally {
      vi.useRealTimers()
    }
  })

  test('is left at once when it is not wanted any more', async () => {
    const left = holding('/held')
    const enough = new AbortController()
    const { body } = await open('/held', { signal: enough.signal })
    const reading = async (): Promise<void> => {
      for await (const _ of body) enough.abort()
    }
    expect(await faultOf(reading())).toBe('cancelled')
    await left
  })

  test('is left when its reader goes, also before the first byte', async () => {
    const left = holding('/gone')
    for await (const _ of (await open('/gone')).body) break
    await left
    const unread = holding('/unread')
    const { body } = await open('/unread')
    await body[Symbol.asyncIterator]().return?.()
    await unread
  })

  test('keeps to the rules for addresses, on every hop', async () => {
    expect(await faultOf(sender.stream({ method: 'GET', url: elsewhere.origin }))).toBe(
      'address_refused',
    )
    web.on('/away', (_, response) => {
      response.writeHead(307, { location: `${elsewhere.origin}/` }).end()
    })
    expect(await faultOf(open('/away'))).toBe('address_refused')
  })

  test('follows redirects as often as it may', async () => {
    web.on('/here', (_, response) => response.end('here'))
    web.on('/there', (_, response) => response.writeHead(302, { location: '/here' }).end('no'))
    expect(await wholeOf(await open('/there'))).toBe('here')
    expect(await faultOf(open('/there', { redirects: 0 }))).toBe('too_many_redirects')
  })

  test('ends with the sender', async () => {
    const own = openSender({ allow: [web.origin], userAgent: 'abode-test/1' })
    const left = holding('/closing')
    const { body } = await own.stream({ method: 'GET', url: `${web.origin}/closing` })
    const reading = async (): Promise<void> => {
      for await (const _ of body) await own.close()
    }
    expect(await faultOf(reading())).toBe('cancelled')
    await left
  })
})
