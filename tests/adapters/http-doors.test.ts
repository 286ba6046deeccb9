import { once } from 'node:events'
import { connect } from 'node:net'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { application } from '#adapters/http/application.ts'
import { doorPage } from '#adapters/http/doors.ts'
import { listener } from '#adapters/http/server.ts'
import { doorTerms, coreWithKey, withoutOperations } from '#tests/support/doors/terms.ts'
import type { Door, DoorAnswer, DoorRequest } from '#protocol/door.ts'

const silent = () => undefined
const log = { debug: silent, info: silent, warn: silent, error: silent }
const core = withoutOperations(coreWithKey)
const friend = 'https://friend.example'

let url: string
let port: number
let seen: DoorRequest
let answer: DoorAnswer
const door: Door = {
  async handle(request) {
    seen = request
    return answer
  },
  close: async () => undefined,
}
const terms = doorTerms(core, (origin) => origin === friend)
const page = doorPage(async () => door, terms)
const app = application({
  core,
  intake: terms.intake,
  log,
  pages: new Map([['/door', page]]),
  trustedProxies: [],
  publicUrl: () => 'http://127.0.0.1',
  draining: new AbortController().signal,
})
const server = listener(app.callback())

beforeAll(async () => {
  port = (await server.listen(0, '127.0.0.1')).port
  url = `http://127.0.0.1:${port}/door`
})
afterAll(() => server.close(1000))

const json = { 'content-type': 'application/json' }
const post = (body: string, headers: Record<string, string> = json) =>
  fetch(url, { method: 'POST', body, headers })
const plain = (): DoorAnswer => ({ status: 200, headers: { 'x-own': 'yes' }, body: '"fine"' })

describe('a door', () => {
  it('is given the request, and its answer goes out as it is', async () => {
    answer = plain()
    const headers = { ...json, 'x-request-id': 'one', 'x-more': 'm' }
    const response = await fetch(`${url}/?a=1&a=2`, { method: 'POST', body: '[1,"é"]', headers })
    expect(await response.text()).toBe('"fine"')
    expect(response.headers.get('x-own')).toBe('yes')
    expect(response.headers.get('x-request-id')).toBe('one')
    expect(response.headers.get('cache-control')).toBe('no-store')
    expect(response.headers.get('access-control-allow-origin')).toBe(null)
    expect(seen).toMatchObject({
      method: 'POST',
      body: [1, 'é'],
      address: '127.0.0.0/24',
      requestId: 'one',
    })
    expect(seen.headers['x-more']).toBe('m')
    expect(seen.query.getAll('a')).toEqual(['1', '2'])
  })

  it.each(['GET', 'PUT', 'DELETE', 'OPTIONS'])('answers %s itself', async (method) => {
    answer = { status: 405, headers: { allow: 'POST' }, body: undefined }
    const response = await fetch(url, { method })
    expect([response.status, response.headers.get('allow')]).toEqual([405, 'POST'])
    expect(seen.method).toBe(method)
  })

  it('shares a long text between its answers, also compressed, and with what each has of its own', async () => {
    const shared = { text: `"${'é'.repeat(5000)}"` }
    for (const after of [',"id":"ü"}', ',"id":2}']) {
      const body = `{"result":${shared.text}${after}`
      answer = { ...plain(), body, parts: { before: '{"result":', shared, after } }
      for (const encoding of ['identity', 'gzip']) {
        const response = await post('{}', { ...json, 'accept-encoding': encoding })
        expect(await response.text()).toBe(body)
        const length = encoding === 'gzip' ? expect.any(String) : `${Buffer.byteLength(body)}`
        expect(response.headers.get('content-length')).toEqual(length)
      }
    }
    // It is answered before its body has come, and that is left unread.
    const early = { method: 'PUT', body: 'a'.repeat(200_000), headers: json }
    expect(await (await fetch(url, early)).text()).toBe(answer.body)
  })

  it('hears that a body is not JSON, has no type, or is too large', async () => {
    answer = plain()
    await post('{"a":')
    expect(seen).toMatchObject({ parseError: true, body: undefined })
    await post('{"__proto__":1}')
    expect(seen.parseError).toBe(true)
    await post('{}', { 'content-type': 'text/plain' })
    expect([seen.parseError, seen.body]).toEqual([undefined, undefined])
    await post(`"${'x'.repeat(2 ** 16)}"`)
    expect(seen).toMatchObject({ body: undefined, fault: { status: 413 } })
    await post(`"${'x'.repeat(2 ** 16 - 2)}"`)
    expect(seen.body).toHaveLength(2 ** 16 - 2)
    const keyed = { ...json, authorization: 'Bearer good' }
    await post(`"${'x'.repeat(17 * 2 ** 20)}"`, keyed)
    expect(seen).toMatchObject({ body: undefined, fault: { status: 413 } })
    await post(`"${'x'.repeat(15 * 2 ** 20)}"`, keyed)
    expect(seen.body).toHaveLength(15 * 2 ** 20)
  })

  it('hears of what the transport got wrong, to say it in its own words', async () => {
    answer = { ...plain(), status: 415 }
    const zipped = { ...json, 'content-encoding': 'gzip' }
    const response = await post('{}', zipped)
    expect([response.status, await response.text()]).toEqual([415, '"fine"'])
    expect(seen.body).toBe(undefined)
    expect(seen.fault).toMatchObject({
      status: 415,
      message: expect.stringContaining('Compressed'),
      headers: { 'Accept-Encoding': 'identity' },
    })
    await post('{}', { 'content-type': 'application/json; charset=latin1' })
    expect(seen.fault).toMatchObject({ status: 415, message: expect.stringContaining('UTF-8') })
    const broken = await fetch(`${url}?a=%zz`, { method: 'POST', body: '{}', headers: json })
    expect(await broken.text()).toBe('"fine"')
    expect(seen.fault).toMatchObject({ status: 400, message: expect.stringContaining('escape') })
    await post('{}')
    expect(seen.fault).toBe(undefined)
  })

  it('gets no credential of two', async () => {
    answer = plain()
    const socket = connect(port, '127.0.0.1')
    const twice = 'Authorization: Bearer a\r\nAuthorization: Bearer b\r\n'
    socket.write(`POST /door HTTP/1.1\r\nHost: a\r\nConnection: close\r\n${twice}\r\n`)
    socket.resume()
    await once(socket, 'close')
    expect(seen.headers['authorization']).not.toMatch(/^Bearer \S+$/)
  })

  it('that fails is a fault of the server', async () => {
    answer = plain()
    const failing = { ...door, handle: () => Promise.reject(new Error('inside')) }
    const own = application({
      core,
      intake: terms.intake,
      log,
      pages: new Map([['/door', doorPage(async () => failing, terms)]]),
      trustedProxies: [],
      publicUrl: () => 'http://127.0.0.1',
      draining: new AbortController().signal,
    })
    const other = listener(own.callback())
    const at = await other.listen(0, '127.0.0.1')
    const response = await fetch(`http://127.0.0.1:${at.port}/door`, { method: 'POST' })
    expect(response.status).toBe(500)
    const said = await response.text()
    expect(JSON.parse(said)).toMatchObject({ jsonrpc: '2.0', id: null, error: { code: 500 } })
    expect(said).not.toContain('inside')
    await other.close(1000)
  })
})

describe('a stream of a door', () => {
  it('is passed on piece by piece, no faster than it is read', async () => {
    let pulled = 0
    const piece = new TextEncoder().encode(`data: ${'x'.repeat(64 * 1024)}\n\n`)
    const body = new ReadableStream<Uint8Array>({
      pull(controller) {
        pulled += 1
        if (pulled > 2000) controller.close()
        else controller.enqueue(piece)
      },
    })
    answer = { status: 200, headers: { 'content-type': 'text/event-stream' }, body }
    const response = await post('{}', { ...json, 'accept-encoding': 'gzip' })
    expect(response.headers.get('x-accel-buffering')).toBe('no')
    expect(response.headers.get('content-encoding')).toBe(null)
    const reader = response.body?.getReader()
    await reader?.read()
    // What fits into the buffers between here and there was pulled, and no more: 2,000 pieces are 125 MB.
    expect(pulled).toBeLessThan(1000)
    await reader?.cancel()
  })

  it('ends what was done for a caller that goes away', async () => {
    let controls: ReadableStreamDefaultController<Uint8Array> | undefined
    const cancelled = new Promise<void>((resolve) => {
      answer = {
        status: 200,
        headers: { 'content-type': 'text/event-stream' },
        body: new ReadableStream({
          start(controller) {
            controls = controller
            controller.enqueue(new TextEncoder().encode(':\n\n'))
          },
          cancel: () => resolve(),
        }),
      }
    })
    const leaving = new AbortController()
    const response = await fetch(url, {
      method: 'POST',
      body: '{}',
      headers: json,
      signal: leaving.signal,
    })
    await response.body?.getReader().read()
    const aborted = once(seen.signal, 'abort')
    leaving.abort()
    await Promise.all([cancelled, aborted])
    expect(controls).toBeDefined()
  })
})

describe('pages of other origins', () => {
  it('that are friends may read the answer, and are told so before', async () => {
    answer = plain()
    const response = await post('{}', { ...json, origin: friend })
    expect(response.headers.get('access-control-allow-origin')).toBe(friend)
    const asked = { origin: friend, 'access-control-request-method': 'POST' }
    const preflight = await fetch(url, { method: 'OPTIONS', headers: asked })
    expect(preflight.status).toBe(204)
    expect(preflight.headers.get('access-control-allow-headers')).toContain('MCP-Protocol-Version')
  })

  it('that are not get what the door says, and no leave to read it', async () => {
    answer = { status: 403, headers: {}, body: '{}' }
    const response = await post('{}', { ...json, origin: 'https://foe.example' })
    expect(response.status).toBe(403)
    expect(response.headers.get('access-control-allow-origin')).toBe(null)
  })
})
