import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { catalog } from '#src/catalog.ts'
import { serving, type Serving } from '#tests/adapters/serve.ts'
import { claimable } from '#tests/support/rest/call.ts'

const browsers = 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8'

let server: Serving
beforeAll(async () => {
  server = await serving({ ABODE_RATE_LIMITS: 'off' }, catalog)
})
afterAll(() => server[Symbol.asyncDispose]())

const asked = (method: string, path: string, accept: string) =>
  server.ask(path, { method, headers: { accept } })

const wrong: [method: string, path: string, status: number, code: string, heading: string][] = [
  ['GET', '/settings?account=%ff', 400, 'bad_address', 'This address is broken'],
  ['GET', '/sign-in?next=%', 400, 'bad_address', 'This address is broken'],
  ['GET', '/claim/%ff', 400, 'bad_address', 'This address is broken'],
  ['GET', '/pay/done?x=%ff', 400, 'bad_address', 'This address is broken'],
  ['PUT', '/settings', 405, 'method_not_allowed', 'That did not work'],
  ['DELETE', '/sign-out/', 405, 'method_not_allowed', 'That did not work'],
  ['PATCH', '/claim/act_1', 405, 'method_not_allowed', 'That did not work'],
  ['POST', '/pay/done', 405, 'method_not_allowed', 'That did not work'],
  ['GET', '/claim', 404, 'path_not_found', 'There is nothing here'],
  ['GET', '/claim/', 404, 'path_not_found', 'There is nothing here'],
  ['POST', '/claim', 404, 'path_not_found', 'There is nothing here'],
]

describe('what is wrong at an address of people', () => {
  it.each(wrong)('%s %s is a page of status %d to a browser', async (method, path, ...told) => {
    const [status, , heading] = told
    const page = await asked(method, path, browsers)
    expect(page.status).toBe(status)
    expect(page.headers.get('content-type')).toBe('text/html; charset=utf-8')
    expect(page.headers.get('content-security-policy')).toMatch(/^default-src 'none';/)
    expect(page.headers.get('cache-control')).toBe('no-store')
    expect(page.headers.get('access-control-allow-origin')).toBeNull()
    expect(page.text).toContain(`<h1>${heading}</h1>`)
    expect(page.text).toContain('<span>Abode</span>')
    expect(page.text).not.toMatch(/<script|openapi/)
    expect(page.headers.has('allow')).toBe(status === 405)
  })

  it.each(wrong)('%s %s is JSON of status %d to others', async (method, path, ...told) => {
    const [status, code] = told
    const others = ['*/*', 'application/json', 'application/json, text/html;q=0.5', 'text/html;q=0']
    for (const accept of others) {
      const answer = await asked(method, path, accept)
      expect([accept, answer.status, answer.body.code]).toEqual([accept, status, code])
      expect(answer.headers.has('allow')).toBe(status === 405)
    }
    const problem = await asked(method, path, 'application/problem+json')
    expect(problem.headers.get('content-type')).toMatch(/^application\/problem\+json/)
  })

  it('is a page too where the fault is ours, and names what was logged', async () => {
    const { store } = server.abode.ports
    const { claim_url } = await claimable(server.url)
    const broken = vi.spyOn(store.claims, 'find')
    broken.mockRejectedValueOnce(new Error('no secret of the store'))
    const page = await asked('GET', new URL(claim_url).pathname, browsers)
    expect(broken).toHaveBeenCalled()
    broken.mockRestore()
    expect(page.status).toBe(500)
    expect(page.headers.get('content-type')).toBe('text/html; charset=utf-8')
    expect(page.text).toContain(`It was logged as ${page.headers.get('x-request-id')}.`)
    expect(page.text).not.toContain('no secret')
  })
})

it.each(['/nothing', '/claims', '/runs/of/nothing'])(
  'is a page at %s for browsers, and JSON for programs',
  async (path) => {
    const page = await asked('GET', path, browsers)
    expect([page.status, page.headers.get('content-type')]).toEqual([
      404,
      'text/html; charset=utf-8',
    ])
    expect(page.text).toContain('<h1>There is nothing here</h1>')
    expect((await asked('GET', path, 'application/json')).body.code).toBe('path_not_found')
  },
)

it.each(['/api/nothing', '/api/account/%ff', '/.well-known/nothing'])(
  'is JSON at %s, regardless of the Accept header',
  async (path) => {
    const { status, body } = await asked('GET', path, browsers)
    expect(status).toBeGreaterThanOrEqual(400)
    expect(body.code).toBeTypeOf('string')
  },
)
