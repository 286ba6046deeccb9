import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startServer, type ServerProcess } from '#tests/support/process.ts'
import { lastingWindow } from '#tests/support/rest/windows.ts'

const json = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' }
const rpc = (method: string, params: unknown): string =>
  JSON.stringify({ jsonrpc: '2.0', id: 1, method, params })

describe('a door of agents', () => {
  let server: ServerProcess
  beforeAll(async () => {
    server = await startServer({
      env: { ABODE_RATE_LIMITS: `anonymous_reads=20/${lastingWindow()}` },
    })
  })
  afterAll(() => server.dispose())

  const post = (path: string, body: string, headers: Record<string, string> = {}) =>
    fetch(server.url + path, { method: 'POST', headers: { ...json, ...headers }, body })
  const key = async (): Promise<string> => {
    const answer = (await (await post('/api/agent-claim', '{}')).json()) as { api_key: string }
    return answer.api_key
  }

  it('says what is wrong with a handshake, and nothing of its inside', async () => {
    const authorization = `Bearer ${await key()}`
    for (const params of [{}, { protocolVersion: 1 }, { protocolVersion: '2025-06-18' }]) {
      const response = await post('/mcp', rpc('initialize', params), { authorization })
      const { error } = (await response.json()) as { error: { code: number; message: string } }
      expect(error.code).toBe(-32602)
      expect(error.message).toMatch(/^initialize takes/)
    }
  })

  it('reads no other charset than UTF-8', async () => {
    const authorization = `Bearer ${await key()}`
    const type = { 'content-type': 'application/json; charset=utf-16', authorization }
    for (const path of ['/mcp', '/a2a']) {
      expect((await post(path, rpc('ping', {}), type)).status, path).toBe(415)
    }
  })

  it('gives the whole result of a run as often as its task is read', async () => {
    const authorization = `Bearer ${await key()}`
    const input = 'x'.repeat(70_000)
    const task = { task_id: 't', name: 'T', runtime: 'template', prompt: '{{input}}' }
    const agent = JSON.stringify({ id: 'ada', name: 'Ada', heart: { tasks: [task] } })
    await post('/api/characters/', agent, { authorization })
    const operation = { operation: 'tasks.run', params: { char_id: 'ada', task_id: 't', input } }
    const message = {
      messageId: 'm',
      role: 'ROLE_USER',
      parts: [{ data: operation }],
      metadata: { pass: 's3cret' },
    }
    const a2a = async (method: string, params: object): Promise<string> => {
      const headers = { authorization, 'a2a-version': '1.0' }
      return (await post('/a2a', rpc(method, params), headers)).text()
    }
    const sent = await a2a('SendMessage', { message })
    const { id } = (JSON.parse(sent) as { result: { task: { id: string } } }).result.task
    await a2a('ListTasks', {})
    for (const read of [await a2a('GetTask', { id }), await a2a('GetTask', { id })]) {
      expect(read).toContain(input)
      expect(read).not.toContain('s3cret')
    }
  })

  it('counts calls that come to no operation', async () => {
    const unknown = rpc('tools/call', { name: 'nope', arguments: {} })
    const statuses = new Set<number>()
    for (let i = 0; i < 25; i++) statuses.add((await post('/mcp', unknown)).status)
    expect(statuses).toContain(429)
    const positional = await post('/a2a', rpc('health.get', [1]))
    const { error } = (await positional.json()) as { error: { code: number } }
    // health.get itself is not limited; what is wrong with its form is said as for any other.
    expect(error.code).toBe(-32602)
    const limited = await post('/a2a', rpc('limits.get', [1]))
    expect(((await limited.json()) as { error: { code: number } }).error.code).toBe(429)
  })
})
