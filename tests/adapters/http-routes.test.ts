import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { sending, serving, type Serving } from './serve.ts'

let server: Serving
beforeAll(async () => {
  server = await serving()
})
afterAll(() => server[Symbol.asyncDispose]())

const heard = async (path: string, init?: RequestInit) => (await server.ask(path, init)).body.input

describe('paths', () => {
  it('work with and without a final slash, however they are documented', async () => {
    const post = sending('POST', { text: 'a' })
    expect((await server.ask('/api/echo', post)).status).toBe(201)
    expect((await server.ask('/api/echo/', post)).status).toBe(201)
    expect((await server.ask('/api/echo/a')).status).toBe(200)
    expect((await server.ask('/api/echo/a/')).status).toBe(200)
    expect((await server.ask('/api/echo/a//')).status).toBe(404)
  })

  it('are case-sensitive', async () => {
    expect((await server.ask('/api/Echo/a')).status).toBe(404)
    expect((await server.ask('/API/echo/a')).status).toBe(404)
  })

  it('narrow an operation at its other address', async () => {
    expect(await heard('/api/rooms/hall/echo/a')).toMatchObject({ id: 'a', room: 'hall' })
  })

  it('give members decoded, which may be named again and not otherwise', async () => {
    const path = '/api/echo/a%2Fb%20%C3%A9'
    expect(await heard(path)).toMatchObject({ id: 'a/b é' })
    expect(await heard(`${path}?id=${encodeURIComponent('a/b é')}`)).toMatchObject({ id: 'a/b é' })
    expect((await server.ask(`${path}?id=other`)).status).toBe(422)
    const poked = '/api/echo/a/poke'
    expect(await heard(`${poked}?id=a`, sending('POST', { id: 'a' }))).toEqual({ id: 'a' })
    for (const [query, id] of [
      ['?id=q', 'a'],
      ['', 'b'],
    ]) {
      expect((await server.ask(`${poked}${query}`, sending('POST', { id }))).status).toBe(422)
    }
  })

  it.each(['/api/echo/%', '/api/echo/%ff', '/api/echo/a?limit=%zz', '/%c3%28'])(
    'with a broken escape are refused: %s',
    async (path) => {
      const answer = await server.raw(
        `GET ${path} HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n`,
      )
      expect(answer).toMatch(/^HTTP\/1\.1 400 /)
      expect(answer).toContain('"code":"bad_address"')
    },
  )

  it.each([
    'GET http://',
    'POST http://[',
    'OPTIONS *',
    'GET *',
    'GET http://a:b/',
    'OPTIONS http://',
  ])('that are not named are asked for: %s', async (line) => {
    const answer = await server.raw(
      `${line} HTTP/1.1\r\nHost: a\r\nAccept: application/problem+json\r\nConnection: close\r\n\r\n`,
    )
    expect(answer).toMatch(/^HTTP\/1\.1 400 /)
    expect(answer).toContain('application/problem+json')
    expect(answer).toContain('"code":"bad_address"')
    expect(server.logged.filter(({ level }) => level === 'error')).toEqual([])
  })

  it.each(['http://a/api/echo/a', 'http://elsewhere:1/api/echo/a?limit=1'])(
    'are found behind a host, as a proxy is asked: %s',
    async (target) => {
      const answer = await server.raw(
        `GET ${target} HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n`,
      )
      expect(answer).toMatch(/^HTTP\/1\.1 200 /)
    },
  )

  it('that are unknown are answered with the nearest one', async () => {
    const { status, body } = await server.ask('/api/ecoh/a')
    expect(status).toBe(404)
    expect(body.code).toBe('path_not_found')
    expect(body.hint).toContain('`GET /api/echo/a`')
    expect(body.request_id).toBeTruthy()
    const far = await server.ask('/nothing/like/it/at/all')
    expect(far.body.hint).not.toContain('Did you mean')
    expect((await server.ask('/openapi.agent.jsn')).body.hint).toContain('/openapi.agent.json')
  })

  it.each([
    ['POST', '/register'],
    ['GET', '/authorize'],
    ['POST', '/token'],
    ['GET', '/.well-known/oauth-authorization-server/mcp'],
    ['GET', '/.well-known/oauth-protected-resource/mcp/elsewhere'],
  ])('of OAuth that lie elsewhere say where they are named: %s %s', async (method, path) => {
    const { status, body } = await server.ask(path, { method })
    expect([status, body.code]).toEqual([404, 'path_not_found'])
    expect(body.hint).toMatch(
      /^The addresses of OAuth are named at .+"Authorization: Bearer ab_…"\..+\/auth\.md/,
    )
  })
})

describe('methods', () => {
  it('HEAD has the headers of GET and no body', async () => {
    const get = await server.ask('/api/echo/a', { headers: { 'x-request-id': 'one' } })
    const head = await server.ask('/api/echo/a', {
      method: 'HEAD',
      headers: { 'x-request-id': 'one' },
    })
    expect(head.text).toBe('')
    expect(head.status).toBe(200)
    // The client asks for its own kind of connection with HEAD.
    const own = new Set(['date', 'connection', 'keep-alive'])
    const ofAnswer = (headers: Headers) => [...headers].filter(([name]) => !own.has(name))
    expect(ofAnswer(head.headers)).toEqual(ofAnswer(get.headers))
    expect((await server.ask('/api/limited', { method: 'HEAD' })).status).toBe(405)
  })

  it('OPTIONS tells them', async () => {
    const { status, headers, text } = await server.ask('/api/echo/a', { method: 'OPTIONS' })
    expect([status, text]).toEqual([204, ''])
    expect(headers.get('allow')).toBe('DELETE, GET, HEAD, OPTIONS, PUT')
    expect((await server.ask('/', { method: 'OPTIONS' })).headers.get('allow')).toBe(
      'GET, HEAD, OPTIONS, POST',
    )
    expect((await server.ask('/nowhere', { method: 'OPTIONS' })).status).toBe(404)
  })

  it('that an address does not have are refused with those it has', async () => {
    const { status, headers, body } = await server.ask('/api/echo/a', { method: 'PATCH' })
    expect(status).toBe(405)
    expect(headers.get('allow')).toBe('DELETE, GET, HEAD, OPTIONS, PUT')
    expect(body.code).toBe('method_not_allowed')
    expect((await server.ask('/openapi.agent.json', { method: 'POST' })).status).toBe(405)
  })

  it('that are unknown are refused too', async () => {
    const answer = await server.raw('BREW / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n')
    expect(answer).toMatch(/^HTTP\/1\.1 400 /)
    expect(answer).toContain('"code":"bad_request"')
    const trace = await server.raw('TRACE / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n')
    expect(trace).toMatch(/^HTTP\/1\.1 405 /)
  })
})

describe('the bare address', () => {
  it('says what is here', async () => {
    const { status, body } = await server.ask('/')
    expect(status).toBe(200)
    expect(body).toMatchObject({
      name: 'Abode',
      links: {
        mcp: `${server.url}/mcp?toolsets=core`,
        openapi: `${server.url}/openapi.agent.json`,
      },
    })
  })
})
