import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { catalog } from '#src/catalog.ts'
import { serving, type Serving } from './serve.ts'

let server: Serving
beforeAll(async () => {
  server = await serving({ ABODE_METRICS: 'on' }, catalog)
})
afterAll(() => server[Symbol.asyncDispose]())

describe('the published documents', () => {
  it('are made once, and asked for with their tag', async () => {
    const first = await server.ask('/openapi.agent.json')
    expect(first.status).toBe(200)
    expect(first.body).toMatchObject({ openapi: '3.1.1', servers: [{ url: server.url }] })
    const tag = first.headers.get('etag') ?? ''
    const again = await server.ask('/openapi.agent.json', { headers: { 'if-none-match': tag } })
    expect([again.status, again.text]).toEqual([304, ''])
  })

  it('hold the card of the A2A door and the keys that it is signed with', async () => {
    const card = await server.ask('/a2a/.well-known/agent-card.json')
    expect(card.status).toBe(200)
    expect(card.body).toMatchObject({
      name: 'Abode',
      signatures: expect.arrayContaining([expect.anything()]),
    })
    expect(card.headers.get('last-modified')).toBeTruthy()
    expect(card.headers.get('vary')).toContain('A2A-Version')
    const tag = card.headers.get('etag') ?? ''
    const known = { headers: { 'if-none-match': tag } }
    expect((await server.ask('/a2a/.well-known/agent-card.json', known)).status).toBe(304)
    const since = (date: string) => ({ headers: { 'if-modified-since': date } })
    const ask = (date: string) => server.ask('/a2a/.well-known/agent-card.json', since(date))
    const changed = card.headers.get('last-modified') ?? ''
    expect((await ask(changed)).status).toBe(304)
    expect((await ask(new Date(Date.parse(changed) + 60_000).toUTCString())).status).toBe(304)
    expect((await ask(new Date(Date.parse(changed) - 1000).toUTCString())).status).toBe(200)
    expect((await ask('yesterday')).status).toBe(200)
    // A tag that is named counts alone.
    const other = { headers: { 'if-modified-since': changed, 'if-none-match': '"other"' } }
    expect((await server.ask('/a2a/.well-known/agent-card.json', other)).status).toBe(200)
    const keys = await server.ask('/.well-known/jwks.json')
    expect(keys.body).toMatchObject({ keys: [expect.objectContaining({ kty: 'OKP' })] })
    expect(keys.text).not.toContain('"d"')
  })
})

describe('the doors of agents', () => {
  it('are at their addresses', async () => {
    const headers = {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
    }
    const rpc = (method: string) => JSON.stringify({ jsonrpc: '2.0', id: 1, method, params: {} })
    const a2a = await server.ask('/a2a', { method: 'POST', headers, body: rpc('health.get') })
    expect(a2a.body).toMatchObject({ result: { status: 'ok' } })
    const mcp = await server.ask('/mcp', { method: 'POST', headers, body: rpc('tools/list') })
    expect(mcp.status).toBe(200)
    expect(mcp.text).toContain('characters_create')
    expect((await server.ask('/mcp')).status).toBe(405)
    expect(mcp.headers.get('ratelimit')).toBeTruthy()
  })

  it('speak JSON-RPC also of what HTTP got wrong', async () => {
    const headers = { 'content-type': 'application/json' }
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'ping' })
    for (const path of ['/mcp', '/a2a']) {
      const zipped = { ...headers, 'content-encoding': 'gzip' }
      const refused = await server.ask(path, { method: 'POST', headers: zipped, body })
      expect(refused.status).toBe(415)
      expect(refused.body).toMatchObject({ jsonrpc: '2.0', id: null, error: { code: 415 } })
      expect(refused.headers.get('accept-encoding')).toBe('identity')
      const broken = await server.ask(`${path}?a=%zz`, { method: 'POST', headers, body })
      expect(broken.status).toBe(400)
      expect(broken.body).toMatchObject({ jsonrpc: '2.0', id: null, error: { code: 400 } })
    }
  })

  it('say nothing of limits where there are none', async () => {
    await using free = await serving({ ABODE_RATE_LIMITS: 'off' }, catalog)
    const headers = {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
    }
    for (const path of ['/mcp', '/a2a']) {
      const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'ping' })
      const answer = await free.ask(path, { method: 'POST', headers, body })
      expect(answer.status).toBe(200)
      expect(answer.headers.get('ratelimit')).toBe(null)
      expect(answer.headers.get('ratelimit-policy')).toBe(null)
    }
  })
})

describe('/health', () => {
  it('is ok while the store answers, and says when it does not', async () => {
    const { status, body } = await server.ask('/health')
    expect([status, body]).toEqual([200, { status: 'ok' }])
    await using down = await serving({}, catalog)
    await down.abode.ports.store.close()
    const answer = await down.ask('/health')
    expect([answer.status, answer.body.status]).toEqual([503, 'unavailable'])
    expect(answer.headers.get('retry-after')).toBe('2')
  })
})

describe('/metrics', () => {
  it('counts what came through each door, for this machine alone', async () => {
    await server.ask('/api/limits')
    const { status, text, headers } = await server.ask('/metrics')
    expect(status).toBe(200)
    expect(headers.get('content-type')).toMatch(/^text\/plain; version=/)
    // A page of another origin in a browser on this machine reads neither.
    for (const path of ['/metrics', '/readyz']) {
      const asked = await server.ask(path, { headers: { origin: 'https://evil.example' } })
      expect(asked.headers.get('access-control-allow-origin')).toBeNull()
    }
    expect(text).toMatch(
      /^abode_requests_total\{door="rest",operation="limits.get",outcome="ok"\} 1$/m,
    )
    expect(text).toMatch(
      /^abode_requests_total\{door="a2a",operation="health.get",outcome="ok"\} 1$/m,
    )
    expect(text).toMatch(/^abode_runs_queued 0$/m)
    expect(text).toMatch(/^abode_runs_oldest_waiting_seconds 0$/m)
    await server.ask('/of-no-one/made-up')
    expect((await server.ask('/metrics')).text).toMatch(
      /^abode_refusals_total\{operation="none",status="404",code="path_not_found"\} [1-9]\d*$/m,
    )
    for (const name of ['x-forwarded-for', 'forwarded', 'via']) {
      const passedOn = await server.ask('/metrics', { headers: { [name]: '203.0.113.7' } })
      expect([name, passedOn.status, passedOn.body.code]).toEqual([name, 403, 'forbidden'])
    }
  })

  it('is for holders of the token where there is one, and not there when switched off', async () => {
    await using other = await serving({ ABODE_METRICS: 'on', ABODE_METRICS_TOKEN: 'open-sesame' })
    const ask = async (authorization?: string) =>
      (await other.ask('/metrics', authorization ? { headers: { authorization } } : {})).status
    expect([await ask(), await ask('Bearer wrong'), await ask('Bearer open-sesame')]).toEqual([
      401, 401, 200,
    ])
    await using off = await serving()
    expect((await off.ask('/metrics')).status).toBe(404)
  })
})
