import * as zlib from 'node:zlib'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openSender } from '#adapters/sender/fetch.ts'
import { OutboundFailure, type Outbound, type Sender } from '#src/ports/sender.ts'
import { startWebServer, type WebServer } from '#tests/support/web-server.ts'

const megabyte = 1024 * 1024
let web: WebServer
let sender: Sender

beforeAll(async () => {
  web = await startWebServer()
  sender = openSender({ allow: [web.origin], userAgent: 'abode-test/1' })
})

afterAll(async () => {
  await sender.close()
  web.close()
})

async function faultOf(url: string, more: Partial<Outbound> = {}): Promise<string> {
  const outcome = await sender
    .send({ method: 'GET', url, ...more })
    .catch((error: unknown) => error)
  expect(outcome).toBeInstanceOf(OutboundFailure)
  // Checked in the line above.
  return (outcome as OutboundFailure).fault
}

describe('a body', () => {
  const content = 'Grüße\n'.repeat(1000)
  const swift = { params: { [zlib.constants.BROTLI_PARAM_QUALITY]: 1 } }
  const codings: Record<string, (plain: Buffer) => Buffer> = {
    gzip: zlib.gzipSync,
    'x-gzip': zlib.gzipSync,
    deflate: zlib.deflateSync,
    'DEFLATE ': zlib.deflateRawSync,
    br: (plain) => zlib.brotliCompressSync(plain, swift),
    zstd: zlib.zstdCompressSync,
    identity: (plain) => plain,
    'gzip, br': (plain) => zlib.brotliCompressSync(zlib.gzipSync(plain), swift),
  }

  function offer(path: string, coding: string, bytes: Buffer, status = 200): string {
    web.on(path, (_request, response) => {
      response.writeHead(status, { 'Content-Encoding': coding })
      response.end(bytes)
    })
    return `${web.origin}${path}`
  }

  test.each(Object.keys(codings))('of coding %s is decompressed', async (coding) => {
    const bytes = codings[coding]?.(Buffer.from(content)) ?? Buffer.of()
    const answer = await sender.send({ method: 'GET', url: offer('/coded', coding, bytes) })
    expect(answer.body).toBe(content)
  })

  test.each(['gzip', 'deflate', 'DEFLATE ', 'br', 'zstd', 'gzip, br'])(
    'of coding %s that unpacks to far more than 10 MB is given up early',
    async (coding) => {
      const bomb = codings[coding]?.(Buffer.alloc(200 * megabyte)) ?? Buffer.of()
      const url = offer('/bomb', coding, bomb)
      // All that is unpacked is in buffers, which are counted where they are made; resident memory is
      // also what the system has not taken back yet.
      const before = process.memoryUsage().arrayBuffers
      expect(await faultOf(url)).toBe('too_large')
      expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(100 * megabyte)
    },
  )

  test('of exactly 10 MB passes and one byte more does not', async () => {
    const most = Buffer.alloc(10 * megabyte, 'a')
    const answer = await sender.send({ method: 'GET', url: offer('/most', 'identity', most) })
    expect(answer.body.length).toBe(most.length)
    const url = offer('/more', 'identity', Buffer.concat([most, Buffer.of(0)]))
    expect(await faultOf(url)).toBe('too_large')
  })

  test('of as much as was asked for passes and one byte more does not', async () => {
    const url = offer('/short', 'gzip', zlib.gzipSync('a'.repeat(100)))
    const short = { method: 'GET', url, bytesAtMost: 100 } as const
    expect((await sender.send(short)).body).toHaveLength(100)
    expect(await faultOf(url, { bytesAtMost: 99 })).toBe('too_large')
    const long = offer('/long', 'gzip', zlib.gzipSync('a'.repeat(65_537)))
    await expect(sender.send({ method: 'GET', url: long, bytesAtMost: 65_536 })).rejects.toThrow(
      'The answer is larger than 64 kB.',
    )
    const more = { bytesAtMost: 20 * megabyte }
    const most = Buffer.alloc(10 * megabyte + 1)
    expect(await faultOf(offer('/more', 'identity', most), more)).toBe('too_large')
  })

  test('that never ends is given up, also when it unpacks to nothing', async () => {
    const empty = zlib.deflateRawSync(Buffer.of(), { finishFlush: zlib.constants.Z_FULL_FLUSH })
    for (const [coding, chunk] of [
      ['identity', Buffer.alloc(65_536)],
      ['deflate', Buffer.concat(Array.from({ length: 20_000 }, () => empty))],
    ] as const) {
      web.on('/endless', (_request, response) => {
        response.writeHead(200, { 'Content-Encoding': coding })
        const pump = (): void => {
          while (!response.destroyed && response.write(chunk)) continue
          if (!response.destroyed) response.once('drain', pump)
        }
        pump()
      })
      expect(await faultOf(`${web.origin}/endless`)).toBe('too_large')
    }
  })

  test('that is not what it says is broken', async () => {
    const wrong = Buffer.from(content)
    const cut = zlib.gzipSync(wrong).subarray(0, 30)
    expect(await faultOf(offer('/wrong', 'gzip', wrong))).toBe('broken_answer')
    expect(await faultOf(offer('/cut', 'gzip', cut))).toBe('broken_answer')
    expect(await faultOf(offer('/odd', 'compress', wrong))).toBe('broken_answer')
    const deep = 'gzip, gzip, gzip, gzip'
    expect(await faultOf(offer('/deep', deep, wrong))).toBe('broken_answer')
    // A window of 128 MB would be held in memory for a frame of a few bytes.
    const wide = { params: { [zlib.constants.ZSTD_c_windowLog]: 27 } }
    const frame = zlib.zstdCompressSync(Buffer.alloc(160 * megabyte), wide)
    expect(await faultOf(offer('/wide', 'zstd', frame))).toBe('broken_answer')
  })

  test('may be absent where a coding is named', async () => {
    const url = offer('/empty', 'gzip', Buffer.of(), 204)
    expect(await sender.send({ method: 'GET', url })).toMatchObject({ status: 204, body: '' })
    const none = offer('/nothing', 'deflate', Buffer.of())
    expect(await sender.send({ method: 'GET', url: none })).toMatchObject({ status: 200, body: '' })
  })

  test('is read in the character set that the answer names', async () => {
    for (const [charset, bytes, text] of [
      ['iso-8859-1', Buffer.from('Gr\u00fc\u00dfe', 'latin1'), 'Grüße'],
      ['"utf-16le"', Buffer.from('Grüße', 'utf16le'), 'Grüße'],
      ['unheard-of', Buffer.from('Grüße'), 'Grüße'],
      ['utf-8', Buffer.of(0xff, 0x41), '\ufffdA'],
    ] as const) {
      web.on('/charset', (_request, response) => {
        response.writeHead(200, { 'Content-Type': `text/plain; charset=${charset}` })
        response.end(bytes)
      })
      const answer = await sender.send({ method: 'GET', url: `${web.origin}/charset` })
      expect(answer.body).toBe(text)
    }
  })
})
