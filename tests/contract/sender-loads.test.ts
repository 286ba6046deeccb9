import { randomBytes } from 'node:crypto'
import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openSender } from '#adapters/sender/fetch.ts'
import { OutboundFailure, type OutboundFault, type Sender } from '#src/ports/sender.ts'
import { startWebServer, type WebServer } from '#tests/support/web-server.ts'

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

const load = (url: string, more: object = {}) => sender.load({ method: 'GET', url, ...more })
const fault = async (url: string, more: object = {}): Promise<OutboundFault | undefined> => {
  const outcome = await load(url, more).catch((error: unknown) => error)
  return outcome instanceof OutboundFailure ? outcome.fault : undefined
}

describe('an answer that is loaded', () => {
  test('has its bytes unchanged, compressed or not', async () => {
    const bytes = randomBytes(300_000)
    const plain = web.on('/bytes', (_, response) => response.end(bytes))
    const packed = web.on('/packed', (_, response) =>
      response.setHeader('content-encoding', 'gzip').end(gzipSync(bytes)),
    )
    for (const url of [plain, packed]) {
      const answer = await load(url)
      expect(Buffer.compare(answer.bytes, bytes)).toBe(0)
      expect(answer).toMatchObject({ status: 200, address: url })
    }
  })

  test('has none where there are none', async () => {
    const url = web.on('/none', (_, response) => response.writeHead(304).end())
    const answer = await load(url, { headers: { 'if-none-match': '"a"' } })
    expect(answer.status).toBe(304)
    expect(answer.bytes).toHaveLength(0)
  })

  test('tells where it came from in the end', async () => {
    const end = web.on('/end', (_, response) => response.end('here'))
    const begin = web.on('/begin', (_, response) =>
      response.writeHead(301, { location: '/end' }).end(),
    )
    expect((await load(begin)).address).toBe(end)
  })

  test('is bounded as every other is', async () => {
    const endless = web.on('/endless', (_, response) => {
      const more = (): void => {
        while (response.write('x'.repeat(65_536)));
      }
      response.on('drain', more)
      more()
    })
    expect(await fault(endless)).toBe('too_large')
    const silent = web.on('/silent', () => undefined)
    expect(await fault(silent, { timeoutMs: 50 })).toBe('timeout')
    const inside = web.on('/inside', (_, response) =>
      response.writeHead(302, { location: 'http://127.0.0.1:1/' }).end(),
    )
    expect(await fault(inside)).toBe('address_refused')
    expect(await fault('http://10.0.0.1/')).toBe('address_refused')
  })
})
