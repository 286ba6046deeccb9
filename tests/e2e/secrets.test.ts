import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startServer, type ServerProcess } from '#tests/support/process.ts'

const hook = 'marker-webhook-4711'
const trigger = 'marker-trigger-4712'
const token = /\b(?:ab|cmn|act|lse)_[0-9A-Za-z]{38}\b/

describe('secrets', () => {
  let server: ServerProcess
  const shown: string[] = []

  beforeAll(async () => {
    server = await startServer({ env: { ABODE_LOG_LEVEL: 'debug' } })
  })
  afterAll(() => server.dispose())

  const call = async (method: string, path: string, body?: unknown, key?: string) => {
    const response = await fetch(server.url + path, {
      method,
      headers: {
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...(key && { authorization: `Bearer ${key}`, 'idempotency-key': `${method}${path}` }),
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
    return (await response.json()) as Record<string, string>
  }

  it('are in no answer but the one that makes them, in no log line, and in no file in clear', async () => {
    const claim = await call('POST', '/api/agent-claim', { name: 'Ada' })
    const key = claim.api_key ?? ''
    const second = await call('POST', '/api/api-keys/', { name: 'Second' }, key)
    await call('GET', `/api/agent-claim/status?token=${claim.token}`)
    const manifest = {
      app_id: 'secretive',
      name: 'Secretive',
      webhook: { url: 'https://hooks.example/in', secret: hook },
      agents: [
        {
          local_id: 'a',
          name: 'A',
          heart: {
            tasks: [
              {
                task_id: 't',
                name: 'T',
                triggers: [{ type: 'webhook', config: { path: 'in', secret: trigger } }],
              },
            ],
          },
        },
      ],
    }
    const run = (body: unknown, path: string, method = 'POST') => call(method, path, body, key)
    shown.push(
      JSON.stringify(await run(manifest, '/api/agent-apps/')),
      JSON.stringify(await run(undefined, '/api/agent-apps/secretive', 'GET')),
      JSON.stringify(await run(undefined, '/api/agent-apps/secretive/manifest', 'GET')),
      JSON.stringify(await run(undefined, '/api/characters/secretive--a', 'GET')),
      JSON.stringify(await run({ bio: 'x' }, '/api/characters/secretive--a', 'PUT')),
      JSON.stringify(await run(undefined, '/api/api-keys/', 'GET')),
      JSON.stringify(await run({ nonsense: key }, '/api/api-keys/')),
    )
    await run({ input: 'x' }, '/api/characters/secretive--a/tasks/t/run')
    const lease = await run({}, '/api/runs/lease')
    expect(lease.lease_token).toMatch(token)
    await call('GET', '/api/account', undefined, `${key.slice(0, -1)}!`)
    // A key in the address is not honoured, and no log keeps it.
    const inQuery = await fetch(
      `${server.url}/api/account?access_token=${key}&authorization=${key}`,
    )
    expect(inQuery.status).toBe(401)

    for (const text of shown) {
      expect(text).not.toContain(hook)
      expect(text).not.toContain(trigger)
      expect(text).not.toMatch(token)
    }
    const secrets = [
      key,
      claim.token,
      claim.claim_url?.split('/').at(-1),
      second.key,
      lease.lease_token,
    ]
    const raw = [hook, trigger, ...secrets.map(String)]
    await server.end('SIGTERM')
    const log = server.lines.join('\n')
    for (const secret of raw) expect(log).not.toContain(secret)
    for (const name of await readdir(server.dataDir)) {
      const bytes = await readFile(join(server.dataDir, name))
      for (const secret of raw) expect(bytes.includes(secret), `${secret} in ${name}`).toBe(false)
    }
  })

  it('survive a kill without being written in clear', async () => {
    const again = await startServer({ dataDir: server.dataDir })
    const { api_key } = (await (
      await fetch(`${again.url}/api/agent-claim`, {
        method: 'POST',
        headers: { 'idempotency-key': crypto.randomUUID() },
      })
    ).json()) as { api_key: string }
    await again.end('SIGKILL')
    for (const name of await readdir(server.dataDir)) {
      const bytes = await readFile(join(server.dataDir, name))
      expect(bytes.includes(api_key), name).toBe(false)
    }
  })
})
