import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { catalog } from '#src/catalog.ts'
import { echoes, longText } from './echo-catalog.ts'
import { sending, serving, type Serving } from './serve.ts'

let server: Serving
let key: string
beforeAll(async () => {
  const claim = catalog.filter((op) => op.name === 'agent_claim.create')
  server = await serving({}, [...echoes, ...claim])
  const claimed = await server.ask('/api/agent-claim', { method: 'POST' })
  key = (JSON.parse(claimed.text) as { api_key: string }).api_key
})
afterAll(() => server[Symbol.asyncDispose]())

const bearer = () => ({ authorization: `Bearer ${key}` })

describe('a revision', () => {
  it('is the ETag, and If-Match hands it back', async () => {
    const init = sending('PUT', {}, { 'if-match': '"7"' })
    const { headers, body } = await server.ask('/api/echo/a', init)
    expect([headers.get('etag'), body.expected]).toEqual(['"7"', 7])
    const star = await server.ask('/api/echo/a', sending('PUT', {}, { 'if-match': '*' }))
    expect(star.body.expected).toBe(null)
    const zipped = await server.ask('/api/echo/a', sending('PUT', {}, { 'if-match': '"12-gzip"' }))
    expect(zipped.body.expected).toBe(12)
  })

  it.each(['7', 'W/"7"', '"abc"', '"7", "8"', '""', '"-1"', '"1e3"', '"9999999999999999"'])(
    'is nothing else: %s',
    async (tag) => {
      const init = sending('PUT', {}, { 'if-match': tag })
      const { status, body } = await server.ask('/api/echo/a', init)
      expect([status, body.code]).toEqual([412, 'revision_mismatch'])
    },
  )

  it('is asked for with If-None-Match', async () => {
    const plain = { 'accept-encoding': 'identity' }
    const ask = (tag: string) =>
      server.ask('/api/long', { headers: { ...plain, 'if-none-match': tag } })
    for (const tag of ['"3"', 'W/"3"', '*', '"1", "3"', '"3-gzip"', '"3-br"']) {
      const { status, text, headers } = await ask(tag)
      expect([tag, status, text]).toEqual([tag, 304, ''])
      expect(headers.get('etag')).toBe('"3"')
      expect(headers.get('content-length')).toBe(null)
      expect(headers.get('cache-control')).toBe('no-cache')
    }
    for (const tag of ['"4"', '3', '"3-zip"', '']) {
      expect([tag, (await ask(tag)).status]).toEqual([tag, 200])
    }
  })

  it('of an answer without one is drawn from its text', async () => {
    const first = await server.ask('/api/echo/a')
    const tag = first.headers.get('etag') ?? ''
    expect(tag).toMatch(/^W\/"[^"]+"$/)
    const again = await server.ask('/api/echo/a', { headers: { 'if-none-match': tag } })
    expect([again.status, again.text]).toEqual([304, ''])
    const other = await server.ask('/api/echo/b', { headers: { 'if-none-match': tag } })
    expect(other.status).toBe(200)
    const post = sending('POST', { text: 'a' }, { 'if-none-match': '*' })
    expect((await server.ask('/api/echo', post)).status).toBe(201)
  })
})

describe('caches', () => {
  const controlOf = async (path: string, init?: RequestInit) =>
    (await server.ask(path, init)).headers.get('cache-control')

  it('may keep what is open to all, and ask each time', async () => {
    expect(await controlOf('/api/echo/a')).toBe('no-cache')
    expect(await controlOf('/openapi.agent.json')).toBe('public, max-age=300')
  })

  it('keep for one reader what a key opened, and nothing that is secret, written or refused', async () => {
    expect(await controlOf('/api/keyed', { headers: bearer() })).toBe('private, no-cache')
    expect(await controlOf('/api/echo/a', { headers: bearer() })).toBe('private, no-cache')
    expect(await controlOf('/api/secret')).toBe('no-store')
    expect((await server.ask('/api/secret')).headers.get('etag')).toBe(null)
    expect(await controlOf('/api/echo', sending('POST', { text: 'a' }))).toBe('no-store')
    expect(await controlOf('/api/nowhere')).toBe('no-store')
    expect(await controlOf('/api/keyed')).toBe('no-store')
  })

  it('keep nothing that is of use once: what notes what it shows, and challenges', async () => {
    expect(await controlOf('/api/marked')).toBe('no-store')
    await using real = await serving({ ABODE_RATE_LIMITS: 'off' }, catalog)
    for (const method of ['GET', 'HEAD']) {
      const { headers } = await real.ask('/api/commons/challenge', { method })
      expect(headers.get('cache-control')).toBe('no-store')
    }
  })
})

describe('compression', () => {
  const long = (encoding: string) =>
    server.ask('/api/long', { headers: { 'accept-encoding': encoding } })

  it.each([
    ['br', 'br'],
    ['gzip', 'gzip'],
    ['gzip, deflate, br', 'br'],
    ['br;q=0.1, gzip;q=0.5', 'gzip'],
    ['*', 'br'],
    ['br;q=0, *', 'gzip'],
    ['identity', null],
    ['identity, gzip;q=0.5', null],
    ['deflate', null],
    ['gzip;q=0', null],
    [`br${', br'.repeat(64)}`, null],
    [`br${' '.repeat(2048)}x, br`, null],
  ])('is chosen by the caller: %s', async (accepted, encoding) => {
    const { headers, body } = await long(accepted)
    expect(headers.get('content-encoding')).toBe(encoding)
    expect(headers.get('vary')).toContain('Accept-Encoding')
    expect(headers.get('etag')).toBe(encoding ? `"3-${encoding}"` : '"3"')
    expect(body.input).toBe(longText)
    if (encoding) expect(Number(headers.get('content-length'))).toBeLessThan(1000)
  })

  it('leaves alone what is short, and what is secret', async () => {
    const headers = { 'accept-encoding': 'br' }
    const encodingOf = async (path: string) =>
      (await server.ask(path, { headers })).headers.get('content-encoding')
    expect(await encodingOf('/api/echo/a')).toBe(null)
    expect(await encodingOf('/api/secret')).toBe(null)
  })
})

describe('what is accepted', () => {
  it.each(['text/html', 'application/xml', 'application/json;q=0', 'image/*'])(
    'must admit JSON: not %s',
    async (accept) => {
      const { status, body } = await server.ask('/api/echo/a', { headers: { accept } })
      expect([status, body.code]).toEqual([406, 'not_acceptable'])
    },
  )

  it.each([
    '*/*',
    'application/*',
    'application/json',
    'text/html, */*;q=0.1',
    'text/event-stream, application/json',
  ])('admits JSON: %s', async (accept) => {
    expect((await server.ask('/api/echo/a', { headers: { accept } })).status).toBe(200)
  })

  it.each([
    `text/html,"${','.repeat(15_000)}`,
    `text/html;x="${';'.repeat(15_000)}`,
    `text/html;x=${'x'.repeat(15_000)}`,
  ])('is everything where more is said than anybody needs', async (accept) => {
    const { status, headers } = await server.ask('/api/echo/a', { headers: { accept } })
    expect([status, headers.get('content-type')]).toEqual([200, 'application/json; charset=utf-8'])
    const refused = await server.ask('/nowhere', {
      headers: { accept: `application/problem+json,${accept}` },
    })
    expect(refused.headers.get('content-type')).toBe('application/json; charset=utf-8')
  })

  it('may ask for problem details', async () => {
    const headers = { accept: 'application/json, application/problem+json' }
    const { status, headers: back, body } = await server.ask('/api/echo/a?limit=x', { headers })
    expect(back.get('content-type')).toBe('application/problem+json; charset=utf-8')
    expect(body).toMatchObject({
      type: 'about:blank',
      title: 'Unprocessable Entity',
      status,
      code: 'invalid_input',
      errors: [{ pointer: '/limit' }],
    })
    expect(body.detail).toBeTruthy()
    const fine = await server.ask('/api/echo/a', { headers })
    expect(fine.headers.get('content-type')).toBe('application/json; charset=utf-8')
    const nowhere = await server.ask('/nowhere', { headers })
    expect(nowhere.body).toMatchObject({ status: 404, code: 'path_not_found' })
  })
})

describe('a fault of the server', () => {
  it('reveals nothing internal', async () => {
    const { status, body, text } = await server.ask('/api/broken')
    expect([status, body.code]).toEqual([500, 'internal_error'])
    expect(text).not.toContain('inside')
    expect(body.hint).toContain(body.request_id)
    const errors = server.logged.filter(({ level }) => level === 'error')
    expect(errors).toHaveLength(1)
    expect(errors[0]?.fields).toMatchObject({
      request_id: body.request_id,
      cause: new Error('a detail of the inside'),
    })
  })

  it('is the only thing that is logged above a whisper, and no query ever is', async () => {
    await server.ask('/api/echo/a?limit=7&token=act_secret')
    const line = server.logged.at(-1)
    expect(line).toMatchObject({ level: 'debug', fields: { path: '/api/echo/a', status: 200 } })
    expect(JSON.stringify(server.logged)).not.toContain('act_secret')
  })

  it('that passes says when to come back', async () => {
    const { status, headers, body } = await server.ask('/api/away')
    expect([status, headers.get('retry-after'), body.retry_after_s]).toEqual([503, '4', 3.2])
  })
})
