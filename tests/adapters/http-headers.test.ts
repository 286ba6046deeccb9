import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { lastingWindow } from '#tests/support/rest/windows.ts'
import { sending, serving, type Serving } from './serve.ts'
import { wrongToken } from '#tests/support/doors/challenge.ts'

const window = lastingWindow()
let server: Serving
beforeAll(async () => {
  server = await serving({ ABODE_RATE_LIMITS: `votes=2/${window}` })
})
afterAll(() => server[Symbol.asyncDispose]())

const headersOf = async (path: string, init?: RequestInit) => (await server.ask(path, init)).headers

describe('every answer', () => {
  it.each(['/api/echo/a', '/', '/nowhere', '/api/broken', '/openapi.agent.json'])(
    'is guarded and named: %s',
    async (path) => {
      const headers = await headersOf(path)
      expect(headers.get('x-content-type-options')).toBe('nosniff')
      expect(headers.get('referrer-policy')).toBe('no-referrer')
      expect(headers.get('content-security-policy')).toContain("default-src 'none'")
      expect(headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/)
      expect(headers.get('access-control-allow-origin')).toBe('*')
      expect(headers.get('x-powered-by')).toBe(null)
    },
  )

  it('carries the request id of the caller, where it is readable', async () => {
    const idFor = async (id: string) =>
      (await server.ask('/nowhere', { headers: { 'x-request-id': id } })).body.request_id
    expect(await idFor('abc-1')).toBe('abc-1')
    expect(await idFor('x'.repeat(128))).toBe('x'.repeat(128))
    expect(await idFor('x'.repeat(129))).toHaveLength(36)
    expect(await idFor('two words')).toHaveLength(36)
  })
})

describe('a trace', () => {
  const [trace, parent] = ['0af7651916cd43dd8448eb211c80319c', 'b7ad6b7169203331']
  const heard = async (traceparent: string) =>
    (await server.ask('/api/echo/a', { headers: { traceparent } })).body.traceparent

  it('is kept', async () => {
    const sent = `00-${trace}-${parent}-01`
    expect(await heard(sent)).toBe(sent)
    expect(await heard(`cc-${trace}-${parent}-01-more`)).toBe(`cc-${trace}-${parent}-01-more`)
  })

  it.each([
    `00-${trace}-${parent}`,
    `00-${trace}-${parent}-01-more`,
    `ff-${trace}-${parent}-01`,
    `00-${'0'.repeat(32)}-${parent}-01`,
    `00-${trace}-${'0'.repeat(16)}-01`,
    `00-${trace.toUpperCase()}-${parent}-01`,
    'x',
  ])('that is malformed is not: %s', async (sent) => {
    expect(await heard(sent)).toBe(null)
  })
})

describe('a rate limit', () => {
  it('shows how it stands, and when to come back', async () => {
    const ask = () => server.ask('/api/limited', { method: 'POST' })
    const first = await ask()
    expect(first.headers.get('ratelimit-policy')).toBe(`"votes";q=2;w=${window}`)
    expect(first.headers.get('ratelimit')).toMatch(/^"votes";r=1;t=\d+$/)
    expect((await ask()).headers.get('ratelimit')).toMatch(/^"votes";r=0;t=\d+$/)
    const { status, headers, body } = await ask()
    expect([status, body.code]).toEqual([429, 'rate_limited'])
    expect(headers.get('retry-after')).toBe(String(body.retry_after_s))
    expect(headers.get('ratelimit')).toMatch(/^"votes";r=0;t=\d+$/)
    expect(Number(headers.get('retry-after'))).toBeGreaterThan(0)
  })

  it('that does not count says nothing', async () => {
    expect((await headersOf('/api/echo/a')).get('ratelimit')).toBe(null)
  })
})

describe('a credential', () => {
  const keyed = (authorization?: string) =>
    server.ask('/api/keyed', authorization === undefined ? {} : { headers: { authorization } })

  it('is asked for as a bearer token', async () => {
    const { status, headers, body } = await keyed()
    expect(status).toBe(401)
    expect(headers.get('www-authenticate')).toMatch(
      /^Bearer resource_metadata="http.+\/\.well-known\/oauth-protected-resource", scope="read write run"$/,
    )
    expect(body.code).toBe('unauthenticated')
    expect(body.hint).toContain('agent_claim.create')
  })

  it.each([
    'Bearer',
    'Bearer ab_x',
    'Basic YWI6Yw==',
    'ab_x',
    'Bearer a b',
    'Bearer ab_x, Bearer ab_y',
  ])('of another form is refused: %s', async (authorization) => {
    const { status, headers, body } = await keyed(authorization)
    expect([status, body.code]).toEqual([401, 'invalid_credential'])
    expect(headers.get('www-authenticate')).toEqual(wrongToken)
    const open = await server.ask('/api/echo/a', { headers: { authorization } })
    expect(open.status).toBe(200)
  })
})

describe('other origins', () => {
  it('may call with a key, and are told so before', async () => {
    const headers = {
      origin: 'https://app.example',
      'access-control-request-method': 'PUT',
      'access-control-request-headers': 'authorization, if-match',
    }
    const { status, headers: back } = await server.ask('/api/echo/a', {
      method: 'OPTIONS',
      headers,
    })
    expect(status).toBe(204)
    expect(back.get('access-control-allow-origin')).toBe('*')
    expect(back.get('access-control-allow-methods')).toContain('PUT')
    expect(back.get('access-control-allow-headers')).toContain('Authorization')
    // Clients of A2A ask for cards with it.
    expect(back.get('access-control-allow-headers')).toContain('A2A-Version')
    expect(back.get('access-control-allow-credentials')).toBe(null)
    const answer = await headersOf('/api/echo/a', sending('PUT', {}, { origin: headers.origin }))
    expect(answer.get('access-control-expose-headers')).toContain('ETag')
  })
})
