import { AgentCard, verifyAgentCardSignature, type AgentCard as Card } from '@a2a-js/sdk'
import { DefaultAgentCardResolver } from '@a2a-js/sdk/client'
import { once } from 'node:events'
import { request, type IncomingMessage } from 'node:http'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { startServer, type ServerProcess } from '#tests/support/process.ts'
import { lastingWindow } from '#tests/support/rest/windows.ts'

let server: ServerProcess
let key: string

beforeAll(async () => {
  server = await startServer()
  const { result } = await rpc<{ api_key: string }>('agent_claim.create')
  key = result.api_key
})
afterAll(() => server.dispose())

type Headers = Record<string, string>

const post = (body: string, headers: Headers = {}): Promise<Response> =>
  fetch(`${server.url}/a2a`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body,
  })

interface Answer<T> {
  id: unknown
  result: T
  error?: { code: number; data?: { code?: string } }
}

async function rpc<T>(method: string, params?: object, headers?: Headers): Promise<Answer<T>> {
  const response = await post(JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }), headers)
  expect(response.status).toBe(200)
  expect(response.headers.get('content-type')).toContain('application/json')
  return (await response.json()) as Answer<T>
}

describe('the card', () => {
  test('is found by the official client, and its signature holds with the published keys', async () => {
    const card: Card = await new DefaultAgentCardResolver().resolve(`${server.url}/a2a/`)
    const verify = verifyAgentCardSignature(async (kid, jku) => {
      expect(jku).toBe(`${server.url}/.well-known/jwks.json`)
      const published = (await (await fetch(String(jku))).json()) as { keys: { kid: string }[] }
      const found = published.keys.find((jwk) => jwk.kid === kid)
      if (!found) throw new Error('the key is not published')
      return found
    })
    // The client tells of every signature that it cannot use.
    vi.spyOn(console, 'debug').mockImplementation(() => undefined)
    await verify(card)
    await expect(verify({ ...card, description: 'Forged.' })).rejects.toThrow()
  })

  test('differs by version, may be cached, and is not sent twice', async () => {
    const url = `${server.url}/a2a/.well-known/agent-card.json`
    const modern = await fetch(url, { headers: { 'a2a-version': '1.0' } })
    expect(modern.status).toBe(200)
    expect(modern.headers.get('cache-control')).toMatch(/max-age=\d+/)
    expect(modern.headers.get('last-modified')).toMatch(/GMT$/)
    expect(modern.headers.get('vary')).toContain('A2A-Version')
    const card = AgentCard.fromJSON(await modern.json())
    expect(card.supportedInterfaces.map(({ url }) => url)).toEqual([
      `${server.url}/a2a/`,
      `${server.url}/a2a/`,
    ])
    const etag = modern.headers.get('etag') ?? ''
    const known = { 'a2a-version': '1.0', 'if-none-match': etag }
    expect((await fetch(url, { headers: known })).status).toBe(304)
    const legacy = await fetch(url)
    expect(await legacy.json()).toMatchObject({ protocolVersion: '0.3', url: `${server.url}/a2a/` })
  })
})

describe('operations as methods', () => {
  test('do the whole job: agents, a task, a run', async () => {
    const headers = { authorization: `Bearer ${key}` }
    const character = { id: 'wire', name: 'Wire' }
    const made = await rpc<{ id: string }>('characters.create', { character }, headers)
    expect(made.result.id).toBe('wire')
    const task = { task_id: 'hi', name: 'Hi', runtime: 'template', prompt: 'Hi {{input}}!' }
    await rpc('tasks.create', { char_id: 'wire', task }, headers)
    const params = { char_id: 'wire', task_id: 'hi', input: 'there', wait_seconds: 10 }
    const run = await rpc<{ output: string }>('tasks.run', params, headers)
    expect(run.result.output).toBe('Hi there!')
  })

  test('are answered in a batch, entry by entry', async () => {
    const entry = (id: number, method: string) => ({ jsonrpc: '2.0', id, method, params: {} })
    const batch = [entry(1, 'health.get'), entry(2, 'characters.list'), entry(3, 'no.such')]
    const response = await post(JSON.stringify(batch))
    const answers = (await response.json()) as Answer<unknown>[]
    expect(answers.map(({ id, error }) => [id, error?.code])).toEqual([
      [1, undefined],
      [2, 401],
      [3, -32601],
    ])
  })

  test('say how the limit stands', async () => {
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'limits.get' })
    const response = await post(body)
    expect(response.headers.get('ratelimit')).toMatch(/^"anonymous_reads";r=\d+;t=\d+$/)
  })

  test('are not answered as notifications', async () => {
    const response = await post(JSON.stringify({ jsonrpc: '2.0', method: 'health.get' }))
    expect(response.status).toBe(204)
    expect(await response.text()).toBe('')
  })
})

describe('what is wrong on the wire', () => {
  const health = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'health.get' })

  test.each([
    ['no JSON', 'nope', -32700],
    ['half of JSON', '{"jsonrpc":', -32700],
    ['nothing', '', -32700],
    ['a number', '3', -32600],
    ['an empty batch', '[]', -32600],
    ['an id that is an object', '{"jsonrpc":"2.0","method":"health.get","id":{}}', -32600],
  ])('%s is told in band', async (_, body, code) => {
    const response = await post(body)
    expect(response.status).toBe(200)
    expect(await response.json()).toMatchObject({ jsonrpc: '2.0', id: null, error: { code } })
  })

  test('a member called __proto__ is data that is refused', async () => {
    const body = '{"jsonrpc":"2.0","id":1,"method":"health.get","params":{"__proto__":{"x":1}}}'
    expect(await (await post(body)).json()).toHaveProperty('error')
  })

  test('an unknown key is 401 with a challenge', async () => {
    const response = await post(health, { authorization: 'Bearer ab_nonsense' })
    expect(response.status).toBe(401)
    expect(response.headers.get('www-authenticate')).toBe(
      `Bearer error="invalid_token", error_description="This is not an API key.", resource_metadata="${server.url}/.well-known/oauth-protected-resource/a2a/", scope="read write run"`,
    )
    expect(await response.json()).toMatchObject({ error: { data: { code: 'invalid_credential' } } })
  })

  test('another method is 405, and says which one is right', async () => {
    const response = await fetch(`${server.url}/a2a`)
    expect(response.status).toBe(405)
    expect(response.headers.get('allow')).toBe('POST')
  })

  test('another media type is 415, with the number that the protocol has for it', async () => {
    const response = await post(health, { 'content-type': 'text/plain' })
    expect(response.status).toBe(415)
    expect(await response.json()).toMatchObject({ error: { code: -32005 } })
  })

  test('a page of elsewhere is 403', async () => {
    expect((await post(health, { origin: 'https://evil.example' })).status).toBe(403)
  })

  test('another name than the service’s own is 403', async () => {
    const status = await new Promise((resolve, reject) => {
      const headers = { host: 'evil.example', 'content-type': 'application/json' }
      const sent = request(`${server.url}/a2a`, { method: 'POST', headers }, (response) => {
        response.resume()
        resolve(response.statusCode)
      })
      sent.on('error', reject).end(health)
    })
    expect(status).toBe(403)
  })

  test('a body of more than 16 MB is 413, told before it is sent', async () => {
    const headers = { 'content-type': 'application/json', 'content-length': 2 ** 24 + 1 }
    const sent = request(`${server.url}/a2a`, { method: 'POST', headers })
    sent.flushHeaders()
    const [answer] = (await once(sent, 'response')) as [IncomingMessage]
    sent.destroy()
    expect(answer.statusCode).toBe(413)
  })
})

test('an address over its limit is 429 and waits; an account is told in band', async () => {
  const limited = await startServer({
    env: { ABODE_RATE_LIMITS: `anonymous_reads=5/${lastingWindow()}` },
  })
  try {
    const ask = (method: string) =>
      fetch(`${limited.url}/a2a`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'a2a-version': '1.0' },
        body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params: { id: 'x' } }),
      })
    const statuses = []
    for (let i = 0; i < 6; i++) statuses.push((await ask('GetTask')).status)
    expect(statuses).toEqual([200, 200, 200, 200, 200, 429])
    const refused = await ask('no.such')
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0)
    expect(await refused.json()).toMatchObject({
      error: { code: 429, data: { code: 'rate_limited' } },
    })
  } finally {
    await limited.dispose()
  }
})
