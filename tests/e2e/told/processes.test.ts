import { once } from 'node:events'
import { createServer, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Run } from '#src/runs/run.ts'
import { startServer, type ServerProcess } from '#tests/support/process.ts'
import { type Place, stores } from '#tests/support/stores.ts'
import { until } from '#tests/support/until.ts'

interface Event {
  type: string
}

describe.each(stores())('two processes on one store ($name)', (kind) => {
  let place: Place
  let outside: Server
  /** Calls of runs that wait for their answer. */
  const asked: ServerResponse[] = []
  let front: ServerProcess
  let back: ServerProcess
  let env: Record<string, string>
  let key: string

  const start = (work: string): Promise<ServerProcess> =>
    startServer({ dataDir: place.folder, env: { ...env, ABODE_WORK: work } })

  beforeAll(async () => {
    place = await kind.place()
    outside = createServer((_, response) => void asked.push(response)).listen(0, '127.0.0.1')
    await once(outside, 'listening')
    // A server that listens on a port has an address of this form.
    const { port } = outside.address() as AddressInfo
    const origin = `http://127.0.0.1:${port}`
    env = { ABODE_OUTBOUND_ALLOW: origin, ABODE_MASTER_KEY: '07'.repeat(32) }
    if (place.uri !== undefined) env['MONGODB_URI'] = place.uri
    front = await start('api')
    back = await start('api,runner')
    key = (await send<{ api_key: string }>(front, '/api/agent-claim', {})).api_key
    const task = { task_id: 't', name: 'T', runtime: 'api', api_url: origin }
    const character = { id: 'told', name: 'Told', heart: { tasks: [task] } }
    await send(front, '/api/characters/', character)
  })
  afterAll(async () => {
    await Promise.all([front.dispose(), back.dispose()])
    outside.closeAllConnections()
    outside.close()
    await place.remove()
  })

  async function request(to: ServerProcess, path: string, body?: unknown, method?: string) {
    const headers: Record<string, string> = { 'content-type': 'application/json' }
    if (key) headers['authorization'] = `Bearer ${key}`
    return fetch(to.url + path, {
      method: method ?? (body === undefined ? 'GET' : 'POST'),
      headers,
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
  }

  async function send<T>(to: ServerProcess, path: string, body?: unknown): Promise<T> {
    const response = await request(to, path, body)
    if (!response.ok) throw new Error(`${response.status} ${await response.text()}`)
    // The test knows what it asks for.
    return (await response.json()) as T
  }

  const begin = (): Promise<Run> => send(front, '/api/characters/told/tasks/t/run', {})
  const answer = (): void => {
    for (const response of asked.splice(0)) response.end('{"output":"done"}')
  }

  /** The events that a stream has shown so far; it ends with the run. */
  async function follow(
    to: ServerProcess,
    id: string,
  ): Promise<{ types: string[]; end: Promise<void> }> {
    const headers = { accept: 'text/event-stream', authorization: `Bearer ${key}` }
    const { body } = await fetch(`${to.url}/api/runs/${id}/events`, { headers })
    const types: string[] = []
    const read = async (): Promise<void> => {
      for await (const piece of body?.pipeThrough(new TextDecoderStream()) ?? []) {
        for (const [, data] of piece.matchAll(/^data: (.*)$/gm)) {
          // The stream sends events of the run.
          if (data) types.push((JSON.parse(data) as Event).type)
        }
      }
    }
    return { types, end: read() }
  }

  it('show a stream at one each event of a run that the other works on, as it happens', async () => {
    const { id } = await begin()
    const { types, end } = await follow(front, id)
    // The run is held until its beginning has been shown, so nothing but being told can show it.
    await until(() => types.includes('run.started'), { pauseMs: 10 })
    expect(types).toEqual(['run.queued', 'run.started'])
    await until(() => asked.length > 0, { pauseMs: 10 })
    answer()
    await end
    expect(types.at(-1)).toBe('run.completed')
  })

  it('refuse at one a key that is revoked at the other', async () => {
    const made = await send<{ id: string; key: string }>(front, '/api/api-keys/', { name: 'n' })
    const own = key
    key = made.key
    expect((await request(back, '/api/account')).status).toBe(200)
    key = own
    const revoked = await request(front, `/api/api-keys/${made.id}`, undefined, 'DELETE')
    expect(revoked.ok).toBe(true)
    key = made.key
    await until(async () => (await request(back, '/api/account')).status === 401, { pauseMs: 5 })
    key = own
  })

  it('go on when one is killed, and with the next', async () => {
    await back.end('SIGKILL')
    const { id } = await begin()
    const { types, end } = await follow(front, id)
    await until(() => types.length > 0, { pauseMs: 10 })
    expect(types).toEqual(['run.queued'])
    back = await start('api,runner')
    await until(() => types.includes('run.started') && asked.length > 0, { pauseMs: 10 })
    answer()
    await end
    expect(types.at(-1)).toBe('run.completed')
  })
})
