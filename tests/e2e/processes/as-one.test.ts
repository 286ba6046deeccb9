import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { ask, clientOf1 } from '#tests/e2e/a2a-clients.ts'
import { answerOf, mcpClients } from '#tests/support/mcp-clients.ts'
import { startServerOn, type ServerProcess } from '#tests/support/process.ts'
import { call, newKey } from '#tests/support/rest/call.ts'
import { stores } from '#tests/support/stores.ts'
import { until } from '#tests/support/until.ts'

/** So many connections, one after the other, meet both processes. */
const often = 6

interface Run {
  id: string
  status: string
  output?: string
}

describe.each(stores())('two processes at one port, on $name', (kind) => {
  let server: ServerProcess
  let key: string
  beforeAll(async () => {
    // Clients of any kind come by a connection of its own with each request.
    vi.stubGlobal('fetch', onItsOwn(fetch))
    server = await startServerOn(kind, {
      ABODE_PROCESSES: '2',
      ABODE_LOG_LEVEL: 'debug',
      ABODE_METRICS: 'on',
    })
    key = await newKey(server.url)
    const task = { task_id: 'think', name: 'Think', prompt: '{{input}}' }
    await post('/api/characters/', { id: 'ada', name: 'Ada', heart: { tasks: [task] } })
  })
  afterAll(async () => {
    vi.unstubAllGlobals()
    // In order, so that none of them writes any more.
    await server.end('SIGTERM')
    await server.dispose()
  })

  const get = (path: string, by = key) =>
    fetch(server.url + path, { headers: { authorization: `Bearer ${by}` } })
  const post = <T>(path: string, body: object) => call<T>(server.url, 'POST', path, key, body)
  const statuses = async (path: string, by = key): Promise<number[]> => {
    const seen: number[] = []
    for (let times = 0; times < often; times++) seen.push((await get(path, by)).status)
    return seen
  }
  const all = (status: number) => Array.from({ length: often }, () => status)

  it('know a key that one has made, and soon none that one has revoked', async () => {
    const made = await post<{ id: string; key: string }>('/api/api-keys/', { name: 'second' })
    expect(await statuses('/api/account', made.key)).toEqual(all(200))
    await call(server.url, 'DELETE', `/api/api-keys/${made.id}`, key)
    const within = { seconds: 20, pauseMs: 10 }
    await until(
      async () => (await statuses('/api/account', made.key)).join() === all(401).join(),
      within,
    )
    expect(await statuses('/api/account')).toEqual(all(200))
  })

  it('answer who waits for a run, whichever of them ends it', async () => {
    for (let times = 0; times < often; times++) {
      const path = '/api/characters/ada/tasks/think/run'
      const waiting = post<Run>(path, { input: 'x', wait_seconds: 20 })
      const lease = await leased()
      await post(`/api/runs/${lease.run.id}/complete`, {
        lease_token: lease.lease_token,
        output: `o${times}`,
      })
      expect(await waiting).toMatchObject({ status: 'completed', output: `o${times}` })
    }
  })

  async function leased(): Promise<{ run: Run; lease_token: string }> {
    return post('/api/runs/lease', { wait_seconds: 20 })
  }

  it('tell who follows a run, whichever of them it goes on in', async () => {
    for (let times = 0; times < often; times++) {
      const run = await post<Run>('/api/characters/ada/tasks/think/run', { input: 'x' })
      const stream = await fetch(`${server.url}/api/runs/${run.id}/events`, {
        headers: { authorization: `Bearer ${key}`, accept: 'text/event-stream' },
      })
      const told = stream.text()
      const { lease_token } = await leased()
      await post(`/api/runs/${run.id}/complete`, { lease_token, output: 'done' })
      const events = [...(await told).matchAll(/^event: (.*)$/gm)].map(([, name]) => name)
      expect(events).toEqual(['run.queued', 'run.started', 'lease.given', 'run.completed'])
    }
  })

  it.each(mcpClients)('are one server of MCP to %s', async (_, connect) => {
    const client = await connect(`${server.url}/mcp`, { key })
    for (let times = 0; times < often; times++) {
      expect((await client.listTools()).tools.length).toBeGreaterThan(10)
      const read = await answerOf<{ id: string }>(client, 'characters_get', { char_id: 'ada' })
      expect(read.id).toBe('ada')
    }
    await client.close()
  })

  it('are one server of A2A', async () => {
    const client = await clientOf1(`${server.url}/a2a`, key)
    for (let times = 0; times < often; times++) {
      const { id } = await ask<{ id: string }>(client, 'characters.get', { char_id: 'ada' })
      expect(id).toBe('ada')
    }
  })

  it('count their requests together, and both have answered', async () => {
    const counted = /^abode_request_seconds_count\{door="rest"\} (\d+)$/m
    const page = async () => counted.exec(await (await get('/metrics')).text())?.[1]
    const before = Number(await page())
    await statuses('/health')
    expect(await page()).toBe(String(before + often))
    const answered = server.lines.filter((line) => line.includes('"answered"'))
    for (const name of ['api 1', 'api 2']) {
      const own = answered.filter((line) => line.includes(`"${name}"`))
      expect(own.length).toBeGreaterThan(answered.length / 4)
    }
  })
})

function onItsOwn(usual: typeof fetch): typeof fetch {
  return (input, init) => {
    const headers = new Headers(init?.headers)
    headers.set('connection', 'close')
    return usual(input, { ...init, headers })
  }
}
