import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { ErrorObject } from '#src/core/errors.ts'
import { oneStore } from '#tests/support/stores.ts'
import { openServer, type PlayedServer } from '../doors/server.ts'

let server: PlayedServer
let made: { api_key: string; token: string }

beforeAll(async () => {
  const [kind] = oneStore()
  if (!kind) throw new Error('there is a store')
  server = await openServer(kind)
  made = await server.world.ask<typeof made>('agent_claim.create', {})
})
afterAll(() => server.close())

interface Answer {
  status: number
  /** The whole answer. */
  text: string
}

async function sent(path: string, authorization: string, message?: object): Promise<Answer> {
  const headers = { authorization, accept: 'application/json, text/event-stream' }
  const response = await fetch(server.url + path, {
    headers: { ...headers, ...(message && { 'content-type': 'application/json' }) },
    ...(message && { method: 'POST', body: JSON.stringify({ jsonrpc: '2.0', id: 1, ...message }) }),
  })
  return { status: response.status, text: await response.text() }
}

const toolCall = (_meta?: object) => ({
  method: 'tools/call',
  params: { name: 'account_get', arguments: {}, ...(_meta && { _meta }) },
})
const doors: Readonly<Record<string, (authorization: string) => Promise<Answer>>> = {
  REST: (authorization) => sent('/api/account', authorization),
  MCP: (authorization) => sent('/mcp', authorization, toolCall()),
  A2A: (authorization) => sent('/a2a', authorization, { method: 'account.get', params: {} }),
}

/** How each door names the two calls for which a claim token is good. */
const ways: Readonly<Record<string, readonly string[]>> = {
  REST: ['GET /api/agent-claim/status', 'POST /api/agent-claim/recover'],
  MCP: ['agent_claim_status', 'agent_claim_recover'],
  A2A: ['agent_claim.status', 'agent_claim.recover'],
}

describe.each(Object.entries(doors))('over %s', (door, ask) => {
  test('a key without "Bearer" works', async () => {
    for (const authorization of [made.api_key, `${made.api_key} `, `Bearer ${made.api_key}`]) {
      const { status, text } = await ask(authorization)
      expect([status, text]).toEqual([200, expect.stringContaining('quotas')])
    }
  })

  test('a claim token is told to give its key back, and no second account is offered', async () => {
    for (const authorization of [`Bearer ${made.token}`, made.token, 'Bearer act_x']) {
      const { status, text } = await ask(authorization)
      expect([status, text]).toEqual([401, expect.stringContaining('claim token')])
      for (const way of ways[door] ?? []) expect(text).toContain(way)
      expect(text).not.toMatch(/agent_claim[._]create|POST \/api\/agent-claim`/)
      expect(text).not.toContain(made.token)
    }
  })

  test.each(['Basic dXNlcjpwYXNz', 'Bearer a b', 'Token x'])(
    '"%s" is told the form',
    async (sent) => {
      const { status, text } = await ask(sent)
      expect([status, text]).toEqual([401, expect.stringContaining('Authorization: Bearer ab_…')])
      expect(text).not.toMatch(/agent_claim[._]create|POST \/api\/agent-claim`/)
    },
  )
})

test.each(['api_key', 'authorization', 'example.com/key', 'anything'])(
  'over MCP a key in _meta as "%s" is told to go into the header',
  async (name) => {
    const response = await fetch(`${server.url}/mcp`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
      },
      body: JSON.stringify({
        jsonrpc: '2.0',
        id: 1,
        ...toolCall({ [name]: `Bearer ${made.api_key}` }),
      }),
    })
    const text = await response.text()
    const json = JSON.parse(text.slice(text.indexOf('{'))) as {
      result: { _meta: { 'abode/error': ErrorObject } }
    }
    const { code, hint } = json.result._meta['abode/error']
    expect([code, hint]).toEqual(['unauthenticated', expect.stringContaining(`"${name}" in _meta`)])
    expect(hint).toContain('Authorization: Bearer')
    expect(text).not.toContain(made.api_key)
  },
)
