import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startServer, type ServerProcess } from '#tests/support/process.ts'
import { newKey } from '#tests/support/rest/call.ts'

let server: ServerProcess
let url: string
let key: string

beforeAll(async () => {
  server = await startServer()
  url = `${server.url}/mcp`
  key = await newKey(server.url)
})
afterAll(() => server.dispose())

const revision = '2026-07-28'

interface Answer {
  result?: Record<string, unknown>
  error?: { code: number; message: string; data?: { hint?: string } }
}

function post(body: unknown, headers: Record<string, string> = {}, at = url): Promise<Response> {
  return fetch(at, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      ...headers,
    },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  })
}

async function answerIn(response: Response): Promise<Answer> {
  const text = await response.text()
  // One message, alone or as the only event of a stream.
  return JSON.parse(/^data: (.*)$/m.exec(text)?.[1] ?? text) as Answer
}

const ping = { jsonrpc: '2.0', id: 1, method: 'ping' }

describe('the address', () => {
  test.each(['GET', 'PUT', 'DELETE'])('takes no %s', async (method) => {
    const response = await fetch(url, { method, headers: { accept: 'text/event-stream' } })
    expect(response.status).toBe(405)
    expect(response.headers.get('allow')).toBe('POST')
  })

  test.each([
    ['not JSON', '{', {}, 400, -32700],
    ['nothing', '', {}, 400, -32700],
    ['a batch', [ping], {}, 400, -32600],
    ['a form', 'a=b', { 'content-type': 'application/x-www-form-urlencoded' }, 415, 415],
    ['a page of another origin', ping, { origin: 'https://evil.example' }, 403, 403],
    ['a wrong key', ping, { authorization: 'Bearer ab_wrong' }, 401, 401],
  ])('refuses %s', async (_, body, headers, status, code) => {
    const response = await post(body, headers)
    expect(response.status).toBe(status)
    expect((await answerIn(response)).error?.code).toBe(code)
    expect(response.headers.get('x-request-id')).toBeTruthy()
  })

  test('says how to be let in, and points to this server alone', async () => {
    const response = await post(ping, { authorization: 'Bearer ab_wrong' })
    const metadata = url.replace('/mcp', '/.well-known/oauth-protected-resource/mcp')
    expect(response.headers.get('www-authenticate')).toBe(
      `Bearer error="invalid_token", error_description="This is not an API key.", resource_metadata="${metadata}", scope="read write run"`,
    )
    expect((await answerIn(response)).error?.data?.hint).toContain('`agent_claim_create`')
  })

  test('refuses a body of more than 16 MB', async () => {
    const response = await post({ ...ping, params: { x: 'x'.repeat(16 * 1024 * 1024) } })
    expect(response.status).toBe(413)
  })

  test('names the toolsets when another is asked for', async () => {
    const response = await post(ping, {}, `${url}?toolsets=agnets`)
    expect(response.status).toBe(400)
    const { error } = await answerIn(response)
    expect(error?.data?.hint).toMatch(/Did you mean "agents"\?.*core, account/)
  })

  test('keeps no session', async () => {
    const params = {
      protocolVersion: '2025-11-25',
      capabilities: {},
      clientInfo: { name: 'c', version: '1' },
    }
    const response = await post({ jsonrpc: '2.0', id: 1, method: 'initialize', params })
    expect(response.status).toBe(200)
    expect(response.headers.get('mcp-session-id')).toBeNull()
    const listed = await post({ jsonrpc: '2.0', id: 2, method: 'tools/list' })
    expect((await answerIn(listed)).result).toHaveProperty('tools')
  })
})

test('a call of the 2026 era shows how its limit stands', async () => {
  const _meta = {
    'io.modelcontextprotocol/protocolVersion': revision,
    'io.modelcontextprotocol/clientCapabilities': {},
  }
  const params = { name: 'account_get', arguments: {}, _meta }
  const response = await post(
    { jsonrpc: '2.0', id: 1, method: 'tools/call', params },
    {
      authorization: `Bearer ${key}`,
      'mcp-protocol-version': revision,
      'mcp-method': 'tools/call',
      'mcp-name': 'account_get',
    },
  )
  expect((await answerIn(response)).result).toHaveProperty('structuredContent')
  expect(response.headers.get('ratelimit')).toMatch(/^"keyed_reads";r=\d+;t=\d+$/)
  expect(response.headers.get('ratelimit-policy')).toMatch(/^"keyed_reads";q=\d+;w=60$/)
})
