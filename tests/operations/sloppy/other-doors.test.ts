import { beforeAll, describe, expect, it } from 'vitest'
import { toldIn } from '#tests/support/doors/details.ts'
import { served } from '#tests/support/served/served.ts'

const here = served({ character: { id: 'news1--researcher' } })
let headers: Record<string, string>

beforeAll(() => {
  headers = { authorization: `Bearer ${here.key}` }
})

async function errorAt(path: string, method: string, params: object) {
  const response = await fetch(here.url + path, {
    method: 'POST',
    headers: {
      ...headers,
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      'a2a-version': '1.0',
    },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
  })
  const text = await response.text()
  const message = JSON.parse(/^data: (.*)$/m.exec(text)?.[1] ?? text) as {
    error?: { message: string; data: { code: string; hint?: string } }
  }
  return toldIn(message).error
}

describe('what another door offers is told to be there', () => {
  it('a tool, at the door of the Commons', async () => {
    const error = await errorAt('/api/commons/mcp', 'tools/call', { name: 'tasks_run' })
    expect(error?.data).toMatchObject({
      code: 'operation_not_found',
      hint: expect.stringMatching(/\/mcp of this server.+\/api\/characters/),
    })
  })

  it('a method, at the door of the Commons', async () => {
    const error = await errorAt('/api/commons/a2a/', 'tasks.run', {})
    expect(error?.data.hint).toContain('/a2a/ of this server')
  })

  it('a method, at the door of an agent', async () => {
    const error = await errorAt(`/a2a/${here.agent}/`, 'account.get', {})
    expect(error?.data.hint).toMatch(/\/a2a\/ of this server.+\/api\/account/)
  })
})

describe('the door of an agent that is not there', () => {
  it('names the nearest agent of the account', async () => {
    const params = { message: { messageId: '1', role: 'ROLE_USER', parts: [{ text: 'Hello' }] } }
    const missed = here.agent.replace('researcher', 'reseacher')
    const error = await errorAt(`/a2a/${missed}/`, 'SendMessage', params)
    expect(error?.data.hint).toContain(here.agent)
    headers = {}
    const other = await errorAt(`/a2a/${missed}/`, 'SendMessage', params)
    expect(other?.data.hint).not.toContain(here.agent)
  })
})
