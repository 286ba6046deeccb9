import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createServer, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, expect, it } from 'vitest'
import { program, startServer, surroundings, type ServerProcess } from '#tests/support/process.ts'
import { freePort } from '#tests/support/rest/free-port.ts'
import { until } from '#tests/support/until.ts'
import { ask, keyOf, names, pause, two } from './several.ts'

const started: ServerProcess[] = []
const places: Server[] = []
afterEach(async () => {
  await Promise.all(started.splice(0).map((server) => server.dispose()))
  for (const place of places.splice(0)) place.close()
})

async function start(env: Record<string, string>): Promise<ServerProcess> {
  const server = await startServer({ env: { ABODE_RATE_LIMITS: 'off', ...env } })
  started.push(server)
  return server
}

/** The status and the body of an answer, or undefined where nothing listens. */
async function told(url: string, token?: string) {
  const headers = {
    connection: 'close',
    ...(token !== undefined && { authorization: `Bearer ${token}` }),
  }
  const answer = await fetch(url, { headers }).catch(() => undefined)
  return answer && { status: answer.status, text: await answer.text() }
}

const draining = { code: 'draining', message: 'The process is to stop.' }

it('is told to stop: says at once that it is not ready, still answers, and begins nothing', async () => {
  const server = await start({
    ABODE_DRAIN_SECONDS: '2',
    ABODE_OUTBOUND_ALLOW: 'http://127.0.0.1:9',
  })
  const ready = `${server.url}/readyz`
  const facts = { store: 'ok', form: expect.any(Number) as number, backlog: { runs: 0 } }
  const first = await told(ready)
  expect(first?.status).toBe(200)
  expect(JSON.parse(first?.text ?? '')).toMatchObject({ status: 'ready', ...facts })
  const passedOn = await fetch(ready, { headers: { 'x-forwarded-for': '203.0.113.7' } })
  expect(await passedOn.json()).toEqual({ status: 'ready' })
  expect(await told(`${server.url}/livez`)).toEqual({ status: 200, text: '{"status":"ok"}' })
  const post = await posterTo(server)
  await post('/api/characters/', { id: 'ada', name: 'Ada' })
  const task = { task_id: 'call', name: 'Call', runtime: 'api', api_url: 'http://127.0.0.1:9/' }
  expect((await post('/api/characters/ada/tasks', task)).status).toBe(201)
  server.child.kill('SIGTERM')
  await until(async () => (await told(ready))?.status === 503, pause)
  const reasons = JSON.parse((await told(ready))?.text ?? '') as unknown
  expect(reasons).toMatchObject({ status: 'not_ready', reasons: [draining], ...facts })
  expect((await told(`${server.url}/health`))?.status).toBe(200)
  const run = await post('/api/characters/ada/tasks/call/run', { wait_seconds: 1 })
  expect(await run.json()).toMatchObject({ status: 'queued', attempt: 0 })
  await once(server.child, 'exit')
  expect(server.child.exitCode).toBe(0)
})

it('has a port for the operator, with several processes too, where they are drained together', async () => {
  const port = String(await freePort())
  const admin = `http://127.0.0.1:${port}`
  const slow = await slowPlace()
  const server = await start({
    ...two,
    ABODE_DRAIN_SECONDS: '1',
    ABODE_GRACE_SECONDS: '9',
    ABODE_ADMIN_PORT: port,
    ABODE_ADMIN_TOKEN: 'hush',
    ABODE_OUTBOUND_ALLOW: slow.origin,
  })
  expect((await ask(server, '/readyz')).status).toBe(200)
  // What callers see has no metrics.
  expect((await ask(server, '/metrics')).status).toBe(404)
  expect((await told(`${admin}/metrics`))?.status).toBe(401)
  expect((await told(`${admin}/metrics`, 'hush'))?.text).toMatch(
    /abode_process_ready\{process="api 2"\} 1/,
  )
  expect((await told(`${admin}/health`))?.status).toBe(200)
  expect((await told(`${admin}/api/account`))?.status).toBe(404)
  await beginCall(server, slow.origin)
  const call = await slow.called
  server.child.kill('SIGTERM')
  await until(async () => (await told(`${admin}/readyz`))?.status === 503, pause)
  expect((await ask(server, '/livez')).status).toBe(200)
  expect((await ask(server, '/readyz')).status).toBe(503)
  // Callers have nowhere to come any more, and the worker still lets the run end.
  await until(async () => (await told(`${server.url}/livez`)) === undefined, pause)
  await until(() => Promise.resolve(!names(server).includes('api 2')), pause)
  expect((await told(`${admin}/readyz`))?.status).toBe(503)
  expect((await told(`${admin}/metrics`, 'hush'))?.status).toBe(200)
  call.end('done')
  await once(server.child, 'exit')
  expect(server.child.exitCode).toBe(0)
})

/** A place outside that answers when it is told to. */
async function slowPlace() {
  const { promise: called, resolve } = Promise.withResolvers<ServerResponse>()
  const place = createServer((_, answer) => resolve(answer))
  places.push(place)
  await once(place.listen(0, '127.0.0.1'), 'listening')
  // A server that listens on a port has an address of this form.
  const { port } = place.address() as AddressInfo
  return { origin: `http://127.0.0.1:${port}`, called }
}

/** What sends bodies with a new key, each on a connection of its own. */
async function posterTo(server: ServerProcess) {
  const authorization = `Bearer ${await keyOf(server)}`
  return (path: string, body: object) =>
    fetch(server.url + path, {
      method: 'POST',
      headers: { authorization, 'content-type': 'application/json', connection: 'close' },
      body: JSON.stringify(body),
    })
}

async function beginCall(server: ServerProcess, origin: string): Promise<void> {
  const post = await posterTo(server)
  await post('/api/characters/', { id: 'ada', name: 'Ada' })
  const task = { task_id: 'call', name: 'Call', runtime: 'api', api_url: `${origin}/` }
  await post('/api/characters/ada/tasks', task)
  expect((await post('/api/characters/ada/tasks/call/run', {})).ok).toBe(true)
}

it('answers the operator where it does not listen for callers', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'abode-worker-'))
  const port = String(await freePort())
  const env = { ...surroundings(), DATA_DIR: folder, ABODE_WORK: 'runner', ABODE_ADMIN_PORT: port }
  const worker = spawn(process.execPath, [program], { env, stdio: 'ignore' })
  const ended = once(worker, 'exit')
  try {
    const admin = `http://127.0.0.1:${port}`
    await until(async () => (await told(`${admin}/readyz`))?.status === 200, pause)
    expect(JSON.parse((await told(`${admin}/readyz`))?.text ?? '')).toMatchObject({
      store: 'ok',
      roles: ['runner'],
      backlog: { runs: 0, oldest_seconds: 0 },
    })
    expect((await told(`${admin}/livez`))?.status).toBe(200)
    expect((await told(`${admin}/metrics`))?.text).toContain('abode_runs_queued 0')
    worker.kill('SIGTERM')
    expect(await ended).toEqual([0, null])
  } finally {
    worker.kill('SIGKILL')
    await ended
    await rm(folder, { recursive: true, force: true })
  }
})
