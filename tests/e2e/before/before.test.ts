import { createHmac } from 'node:crypto'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { personAt } from '#tests/oauth/person.ts'
import { agreedIn, begun, exchanged, registered } from '#tests/oauth/program.ts'
import { MovedClock } from '#tests/support/clocks/moved.ts'
import { startServer, type ServerProcess } from '#tests/support/process.ts'

/** A store of November 2026, from before tools of tasks were sealed; these keys open nothing else. */
const stored = new URL('abode.db.gz', import.meta.url)
/** What waits in it waits for a day, so the server's clock shows the hour after it was stored. */
const soon = Date.parse('2026-11-23T22:00:00Z')
const masterKey = '0b'.repeat(32)
const key = 'ab_xNNzkNVYYEbDMe4JceibrcSbbcCTbcwJ4BPLoO'
const ended = 'run_01a20a43996c00009372cb6246409cbe'
const waiting = 'run_01a20a4399720000a7ca98338c77de08'

let folder: string
let server: ServerProcess
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'abode-before-'))
  await writeFile(join(folder, 'abode.db'), gunzipSync(await readFile(stored)))
  const clock = new MovedClock(folder)
  clock.moveTo(soon - Date.now())
  const env = { ABODE_MASTER_KEY: masterKey, ABODE_WORK: 'api,runner', ...clock.env }
  server = await startServer({ dataDir: folder, env })
})
afterAll(async () => {
  await server.dispose()
  await rm(folder, { recursive: true })
})

async function call<T = Record<string, unknown>>(
  method: string,
  path: string,
  body?: object,
): Promise<T> {
  const response = await fetch(server.url + path, {
    method,
    headers: { 'content-type': 'application/json', authorization: `Bearer ${key}` },
    ...(body && { body: JSON.stringify(body) }),
  })
  const text = await response.text()
  if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text}`)
  // Answers of the service itself.
  return JSON.parse(text) as T
}

describe('a store of before', () => {
  it('opens, with all that is in it', async () => {
    expect(await call('GET', '/api/account')).toMatchObject({ name: 'Before', claimed: false })
    expect(await call('GET', `/api/runs/${ended}`)).toMatchObject({
      status: 'completed',
      output: 'Said: hello',
    })
    expect(await call('GET', '/api/characters/before/memory/notes/first')).toMatchObject({
      value: { value: { kept: true } },
    })
    expect(await call('GET', '/api/agent-apps/harbour-bulletin')).toMatchObject({ revision: 1 })
    const threads = await call<{ items: { title: string }[] }>(
      'GET',
      '/api/commons/threads?board=ask',
    )
    expect(JSON.stringify(threads)).toContain('How was it before?')
  })

  it('shows no secret of its settings and tools any more, and keeps none of them in clear', async () => {
    expect(await call('GET', '/api/characters/before')).toMatchObject({
      brain: { mcps: [{ env: { TOKEN: '***' } }] },
    })
    expect(await call('GET', '/api/characters/before/tasks/calls')).toMatchObject({
      tools: [{ config: { headers: { 'x-key': '***' } } }],
    })
    const file = await readFile(join(folder, 'abode.db'), 'latin1')
    for (const secret of ['a token of before', 'a header of before', 'a secret of before']) {
      expect(file.includes(secret), secret).toBe(false)
    }
  })

  it('goes on where it was: what waited is done, hooks know their secret, tasks run', async () => {
    const lease = await call<{ run: { id: string }; lease_token: string }>(
      'POST',
      '/api/runs/lease',
      { wait_seconds: 5 },
    )
    expect(lease.run.id).toBe(waiting)
    const { lease_token } = lease
    await call('POST', `/api/runs/${waiting}/complete`, { lease_token, output: 'Thought.' })
    const body = '{"order":1}'
    const signature = createHmac('sha256', 'a secret of before').update(body).digest('hex')
    const hook = await fetch(`${server.url}/api/hooks/before/in`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-service-signature': signature },
      body,
    })
    expect(hook.status).toBe(202)
    const path = '/api/characters/before/tasks/says/run'
    expect(await call('POST', path, { input: 'again', wait_seconds: 10 })).toMatchObject({
      status: 'completed',
      output: 'Said: again',
    })
  })

  it('lets a person connect a program, which it knew nothing of', async () => {
    const [browser, program] = [await personAt(server.url), await registered(server.url)]
    const request = await begun(program)
    const { access_token } = await exchanged(program, request, await agreedIn(browser, request))
    const headers = { authorization: `Bearer ${access_token}` }
    expect((await fetch(`${server.url}/api/account`, { headers })).status).toBe(200)
    expect((await browser.get('/settings')).text).toContain('Test program')
  })

  it('is changed and cleared like any other', async () => {
    const renamed = await call('PUT', '/api/characters/before', { tagline: 'Now' })
    expect(renamed).toMatchObject({ tagline: 'Now', revision: 2 })
    await call('DELETE', '/api/agent-apps/harbour-bulletin')
    await call('DELETE', '/api/characters/before')
    const { quotas } = await call<{ quotas: { name: string; used: number }[] }>(
      'GET',
      '/api/account',
    )
    expect(quotas.find(({ name }) => name === 'agents')?.used).toBe(0)
    expect(await server.end('SIGTERM')).toBe(0)
  })
})
