import { createServer, type ServerResponse } from 'node:http'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { startServer, type ServerProcess } from '#tests/support/process.ts'
import { until } from '#tests/support/until.ts'
import { keyOf, pause } from './several.ts'

let folder: string
const servers: ServerProcess[] = []
/** What was called, and the answers that are owed. */
let calls: { path: string; attempt: unknown; answer: ServerResponse }[]
const receiver = createServer((request, answer) => {
  const attempt = request.headers['abode-attempt']
  calls.push({ path: request.url ?? '', attempt, answer })
})

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'abode-grace-'))
  calls = []
  await once(receiver.listen(0, '127.0.0.1'), 'listening')
})
afterEach(async () => {
  await Promise.all(servers.splice(0).map((server) => server.dispose()))
  receiver.closeAllConnections()
  receiver.close()
  await rm(folder, { recursive: true, force: true })
})

async function start(env: Record<string, string> = {}): Promise<ServerProcess> {
  const { port } = receiver.address() as AddressInfo
  const allowed = { ABODE_OUTBOUND_ALLOW: `http://127.0.0.1:${port}`, ABODE_RATE_LIMITS: 'off' }
  const server = await startServer({ dataDir: folder, env: { ...allowed, ...env } })
  servers.push(server)
  return server
}

type Asked = <T>(path: string, body?: object) => Promise<T>

function asking({ url }: ServerProcess, key: string): Asked {
  return async <T>(path: string, body?: object) => {
    const answer = await fetch(url + path, {
      method: body ? 'POST' : 'GET',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      ...(body && { body: JSON.stringify(body) }),
    })
    // The operations answer so.
    return (await answer.json()) as T
  }
}

const called = (path: string) => calls.filter((one) => one.path === path)

it('lets runs end within the grace, which begins after the drain, and hands back only what is left', async () => {
  const first = await start({ ABODE_DRAIN_SECONDS: '1', ABODE_GRACE_SECONDS: '2' })
  const key = await keyOf(first)
  const ask = asking(first, key)
  const { port } = receiver.address() as AddressInfo
  await ask('/api/characters/', { id: 'ada', name: 'Ada' })
  const ids: string[] = []
  for (const name of ['quick', 'slow']) {
    const api_url = `http://127.0.0.1:${port}/${name}`
    const task = { task_id: name, name, runtime: 'api', api_url }
    await ask('/api/characters/ada/tasks', task)
    const { id } = await ask<{ id: string }>(`/api/characters/ada/tasks/${name}/run`, {})
    ids.push(id)
    await until(() => Promise.resolve(called(`/${name}`).length === 1), pause)
  }
  first.child.kill('SIGTERM')
  const isListening = () =>
    fetch(`${first.url}/livez`).then(
      () => true,
      () => false,
    )
  await until(async () => !(await isListening()), pause)
  calls[0]?.answer.end('"done"')
  await once(first.child, 'exit')
  expect(first.child.exitCode).toBe(0)

  const second = await start()
  const read = asking(second, key)
  await until(() => Promise.resolve(called('/slow').length === 2), pause)
  expect(called('/slow').map(({ attempt }) => attempt)).toEqual(['1', '2'])
  const [quick, slow] = ids
  expect(await read(`/api/runs/${quick}`)).toMatchObject({ status: 'completed', attempt: 1 })
  expect(called('/quick')).toHaveLength(1)
  expect(await read(`/api/runs/${slow}`)).toMatchObject({ status: 'running', attempt: 2 })
  const { items } = await read<{ items: { type: string; data: object }[] }>(
    `/api/runs/${slow}/events`,
  )
  const told = items.filter(({ type }) => /handed_back|retried/.test(type))
  expect(told).toMatchObject([
    { type: 'run.handed_back', data: { attempt: 1, reason: 'stopping' } },
    { type: 'run.retried', data: { attempt: 2 } },
  ])
})
