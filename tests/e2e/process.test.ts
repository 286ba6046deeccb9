import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { rmSync, statSync, truncateSync } from 'node:fs'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { connect, createServer, type AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { inForm } from '#tests/support/long-tests.ts'
import {
  program,
  runToEnd,
  startServer,
  type Ended,
  type ServerOptions,
  type ServerProcess,
} from '#tests/support/process.ts'

const rounds = inForm({ short: 6, long: 12 })

let folder: string
const running: ServerProcess[] = []
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'abode-process-'))
})
afterEach(async () => {
  await Promise.all(running.splice(0).map((server) => server.dispose()))
  await rm(folder, { recursive: true, force: true })
})

async function start(options: ServerOptions = {}): Promise<ServerProcess> {
  const server = await startServer({ dataDir: folder, ...options })
  running.push(server)
  return server
}

/** Runs the server to its end. */
const serve = (env: Record<string, string>): Promise<Ended> =>
  runToEnd(program, [], { DATA_DIR: folder, ...env })

async function claim({ url }: ServerProcess): Promise<string> {
  const response = await fetch(`${url}/api/agent-claim`, { method: 'POST' })
  // The answer is that of the operation.
  return ((await response.json()) as { api_key: string }).api_key
}

function post({ url }: ServerProcess, path: string, key: string, body: object): Promise<Response> {
  return fetch(url + path, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${key}` },
    body: JSON.stringify(body),
  })
}

const accountOf = async (server: ServerProcess, key: string) =>
  (await fetch(`${server.url}/api/account`, { headers: { authorization: `Bearer ${key}` } })).status

describe('a start', () => {
  it('on an empty folder answers, and says where and how', async () => {
    const server = await start({ env: { ABODE_OUTBOUND_ALLOW: 'http://127.0.0.1:9' } })
    expect(await (await fetch(`${server.url}/health`)).json()).toEqual({ status: 'ok' })
    const line = server.lines.find((one) => one.includes('listening')) ?? ''
    expect(JSON.parse(line)).toMatchObject({
      url: server.url,
      data: folder,
      private_origins: ['http://127.0.0.1:9'],
      mcp: {
        mcpServers: {
          abode: {
            url: `${server.url}/mcp?toolsets=core`,
            headers: { Authorization: 'Bearer ab_…' },
          },
        },
      },
    })
  })

  it('that is told nonsense ends with 78 and one line for each fault', async () => {
    const { code, out, err } = await serve({
      PORT: 'x',
      ABODE_POTR: '1',
      ABODE_METRICS: 'maybe',
    })
    expect([code, out]).toEqual([78, ''])
    expect(err.trim().split('\n')).toHaveLength(3)
  })

  it.skipIf(process.platform !== 'linux')(
    'on a folder that cannot be made ends with 78 and one line',
    async () => {
      const { code, err } = await serve({ PORT: '0', DATA_DIR: '/proc/abode/data' })
      expect(code).toBe(78)
      expect(err.trim().split('\n')).toEqual([
        expect.stringMatching(/^The data folder \/proc\/abode\/data cannot be made: /),
      ])
    },
  )

  it('with another master key than before ends with 78 and one line', async () => {
    await (await start()).end('SIGTERM')
    const { code, err } = await serve({ PORT: '0', ABODE_MASTER_KEY: '0'.repeat(64) })
    expect(code).toBe(78)
    expect(err.trim().split('\n')).toEqual([expect.stringContaining('ABODE_MASTER_KEY is not')])
  })

  it('on a port that is taken says so and ends with 1', async () => {
    const other = createServer().listen(0, '127.0.0.1')
    await once(other, 'listening')
    const { port } = other.address() as AddressInfo
    const { code, err } = await serve({ PORT: String(port) })
    other.close()
    expect(code).toBe(1)
    expect(err.trim().split('\n')).toEqual([expect.stringMatching(`port ${port} is in use`)])
  })

  it('of two at once on one empty folder gives them one key', async () => {
    const [one, two] = await Promise.all([start(), start()])
    const key = await claim(one)
    expect(await accountOf(two, key)).toBe(200)
    expect(await readFile(join(folder, 'master.key'), 'utf8')).toMatch(/^[0-9a-f]{64}\n$/)
  })

  it('without the role api works and does not listen', async () => {
    const child = spawn(process.execPath, [program], {
      env: { PATH: process.env.PATH ?? '', DATA_DIR: folder, ABODE_WORK: 'runner,upkeep' },
    })
    const [first] = (await once(child.stdout, 'data')) as [Buffer]
    expect(String(first)).toContain('working without listening')
    child.kill('SIGTERM')
    expect(await once(child, 'exit')).toEqual([0, null])
  })

  it('that is killed at any moment leaves a folder on which the next one works', async () => {
    const { PATH = '' } = process.env
    for (let round = 0; round < rounds; round++) {
      const child = spawn(process.execPath, [program], {
        env: { PATH, DATA_DIR: folder, PORT: '0' },
      })
      // From the first instant to well after the first answer.
      const timer = setTimeout(() => child.kill('SIGKILL'), (round * 900) / rounds)
      await once(child, 'exit')
      clearTimeout(timer)
    }
    const server = await start()
    const key = await claim(server)
    expect(await accountOf(server, key)).toBe(200)
  })
})

describe('SIGTERM', () => {
  it('ends in order: what is under way is answered, and the data is there at the next start', async () => {
    const server = await start()
    const key = await claim(server)
    await post(server, '/api/characters/', key, { id: 'ada', name: 'Ada' })
    const task = { task_id: 'think', name: 'Think', prompt: 'Think.' }
    await post(server, '/api/characters/ada/tasks', key, task)
    const waiting = post(server, '/api/characters/ada/tasks/think/run', key, { wait_seconds: 60 })
    const half = connect(Number(new URL(server.url).port), '127.0.0.1')
    half.write('GET /heal')
    await until(async () => {
      const list = await fetch(`${server.url}/api/runs`, {
        headers: { authorization: `Bearer ${key}` },
      })
      return (await list.text()).includes('run_')
    })
    // One that does not end by itself within the promised time ends itself, with another code.
    expect(await server.end('SIGTERM')).toBe(0)
    const answer = await waiting
    expect(answer.status).toBe(202)
    const { id, status } = (await answer.json()) as { id: string; status: string }
    expect(status).toBe('queued')
    expect(server.lines.at(-1)).toContain('stopped')
    const next = await start()
    const kept = await fetch(`${next.url}/api/runs/${id}`, {
      headers: { authorization: `Bearer ${key}` },
    })
    expect(kept.status).toBe(200)
  })

  it('twice ends at once', async () => {
    const server = await start()
    const busy = connect(Number(new URL(server.url).port), '127.0.0.1')
    busy.on('error', () => undefined)
    const head = 'POST /api/agent-claim HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\n'
    busy.write(`${head}Content-Length: 10\r\nExpect: 100-continue\r\n\r\n`)
    // The server has taken the request, and waits for a body that does not come.
    await once(busy, 'data')
    server.child.kill('SIGTERM')
    await until(async () => server.lines.some((line) => line.includes('stopping')))
    expect(server.child.exitCode).toBe(null)
    expect(await server.end('SIGINT')).toBe(1)
  })
})

describe('SIGINT', () => {
  it('ends in order too', async () => {
    const server = await start()
    expect(await server.end('SIGINT')).toBe(0)
  })
})

async function until(isSo: () => Promise<boolean>): Promise<void> {
  const deadline = performance.now() + 10_000
  while (!(await isSo())) {
    if (performance.now() > deadline) throw new Error('it did not come to that')
    await new Promise((resolve) => setImmediate(resolve))
  }
}

describe('a start after a kill', () => {
  const env = { ABODE_METRICS: 'on', ABODE_RATE_LIMITS: 'off' }
  const health = async ({ url }: ServerProcess) =>
    // As the documents say of it.
    (await (await fetch(`${url}/health`)).json()) as { status: string; commits_missing?: number }
  const metric = async ({ url }: ServerProcess): Promise<string | undefined> => {
    const text = await (await fetch(`${url}/metrics`)).text()
    return /^abode_store_commits_missing (\d+)$/m.exec(text)?.[1]
  }

  it('reports loudly what a damaged log has lost, until an operator confirms it', async () => {
    const keys: string[] = []
    let server = await start({ env })
    for (let i = 0; i < 10; i++) keys.push(await claim(server))
    await server.end('SIGKILL')
    server = await start({ env })
    expect(server.lines.join()).not.toContain('DAMAGED')
    expect([await health(server), await metric(server)]).toEqual([{ status: 'ok' }, '0'])
    for (let i = 0; i < 10; i++) keys.push(await claim(server))
    await server.end('SIGKILL')
    const log = join(folder, 'abode.db-wal')
    truncateSync(log, Math.floor(statSync(log).size / 2))
    server = await start({ env })
    let lost = 0
    for (const key of keys) if ((await accountOf(server, key)) === 401) lost += 1
    expect(lost).toBeGreaterThan(0)
    const { status, commits_missing = 0 } = await health(server)
    expect(status).toBe('ok')
    expect(commits_missing).toBeGreaterThanOrEqual(lost)
    expect(await metric(server)).toBe(String(commits_missing))
    const words = `THE STORE WAS DAMAGED: ${commits_missing} commits that had been acknowledged`
    const file = join(folder, 'abode.db-missing')
    const told = server.lines.filter((line) => line.includes(words) && line.includes(file))
    // In the log, and for people.
    expect(told).toHaveLength(2)
    rmSync(file)
    expect([await health(server), await metric(server)]).toEqual([{ status: 'ok' }, '0'])
  })
})
