import { once } from 'node:events'
import { connect } from 'node:net'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { canFindChildren, childrenOf, isRunning } from '#tests/support/kills/children.ts'
import { startServer, type ServerProcess } from '#tests/support/process.ts'
import { until } from '#tests/support/until.ts'
import { ask, isHealthy, keyOf, names, one, pause, two } from './several.ts'

/**
 * One server from its start to its end, and the two that follow it on its folder: each test takes it as the
 * one before has left it, for a start of four processes is dear.
 */
describe('the life of a server of several processes', () => {
  let folder: string
  let server: ServerProcess
  let key: string
  const started: ServerProcess[] = []

  const start = async (env: Record<string, string> = {}): Promise<void> => {
    server = await startServer({
      dataDir: folder,
      env: { ...two, ABODE_METRICS: 'on', ...env },
      flags: ['--stack-trace-limit=7'],
    })
    started.push(server)
  }
  const pids = (): number[] =>
    canFindChildren ? childrenOf(server.child.pid).map(({ pid }) => pid) : []

  const page = async (): Promise<string> => (await ask(server, '/metrics')).text()
  const allReady = async (): Promise<boolean> =>
    (await page()).match(/abode_process_ready\{process="[^"]*"\} 1/g)?.length === 3

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'abode-processes-'))
    await start()
    key = await keyOf(server)
  })
  afterAll(async () => {
    const others = started.flatMap(({ child }) => (canFindChildren ? childrenOf(child.pid) : []))
    await Promise.all(started.map((one) => one.dispose()))
    // They end by themselves, and write until then.
    await until(() => !others.some(({ pid }) => isRunning(pid)), pause)
    await rm(folder, { recursive: true, force: true })
  })

  it('begins when all processes answer, each with the flags of Node, and says once where', async () => {
    const answers = await Promise.all(Array.from({ length: 8 }, () => isHealthy(server)))
    expect(answers).not.toContain(false)
    expect(server.lines.filter((line) => line.includes('"listening"'))).toHaveLength(1)
    const line = server.lines.find((text) => text.includes('"listening"')) ?? ''
    const mcp = { mcpServers: { abode: { url: `${server.url}/mcp?toolsets=core` } } }
    expect(JSON.parse(line)).toMatchObject({ url: server.url, data: folder, mcp })
    // Each process links to the port that is known only now.
    const index = await Promise.all(Array.from({ length: 4 }, async () => ask(server, '/')))
    for (const answer of index) expect(await answer.text()).toContain(`${server.url}/mcp`)
    if (!canFindChildren) return
    const children = childrenOf(server.child.pid)
    expect(children.map(({ name }) => name).sort()).toEqual(['api 1', 'api 2', 'worker 1'])
    expect(children.map(({ words }) => words[1])).toEqual(Array(3).fill('--stack-trace-limit=7'))
  })

  it.runIf(canFindChildren)('loses a process and gets another, with what it had said', async () => {
    for (const name of ['api 1', 'api 2', 'worker 1']) {
      const { pid } = one(server, name)
      process.kill(pid, 'SIGKILL')
      // The other one answers all the while.
      if (name !== 'worker 1') expect(await isHealthy(server)).toBe(true)
      await until(() => names(server).includes(name) && one(server, name).pid !== pid, pause)
    }
    await until(allReady, pause)
    expect((await ask(server, '/api/account', key)).status).toBe(200)
    expect(await page()).toMatch(/abode_process_restarts_total\{process="worker"\} [1-9]/)
    expect(server.child.exitCode).toBe(null)
  })

  it.runIf(canFindChildren)(
    'replaces a process that a signal ends, without an error to anyone',
    async () => {
      const { pid } = one(server, 'api 1')
      process.kill(pid, 'SIGTERM')
      while (isRunning(pid)) expect(await isHealthy(server)).toBe(true)
      await until(() => names(server).includes('api 1'), pause)
    },
  )

  it.runIf(canFindChildren)(
    'gives a process that is held no connection, and ends and replaces it after ten seconds',
    async () => {
      await until(allReady, pause)
      const { pid } = one(server, 'api 1')
      process.kill(pid, 'SIGSTOP')
      for (let times = 0; times < 20; times++) expect(await isHealthy(server)).toBe(true)
      // Its figures are those that it told last.
      expect((await ask(server, '/metrics')).status).toBe(200)
      await until(() => !isRunning(pid), { pauseMs: 100, seconds: 120 })
      await until(() => names(server).includes('api 1'), pause)
      expect(await isHealthy(server)).toBe(true)
      expect(server.lines.some((line) => line.includes('a process is frozen'))).toBe(true)
    },
  )

  it('ends by SIGTERM in order, and loses no answer of what is under way', async () => {
    const head = { authorization: `Bearer ${key}`, 'content-type': 'application/json' }
    const { url } = server
    const post = (path: string, body: object) =>
      fetch(url + path, { method: 'POST', headers: head, body: JSON.stringify(body) })
    const task = { task_id: 'think', name: 'Think', prompt: 'Think.' }
    await post('/api/characters/', { id: 'ada', name: 'Ada', heart: { tasks: [task] } })
    const run = () => post('/api/characters/ada/tasks/think/run', { wait_seconds: 60 })
    const waiting = [run(), run(), run()]
    await until(async () => {
      const list = await (await ask(server, '/api/runs', key)).text()
      return new Set(list.match(/"run_[0-9a-f]+"/g)).size === waiting.length
    })
    const all = pids()
    const half = connect(Number(new URL(url).port), '127.0.0.1')
    half.on('error', () => undefined)
    half.write('GET /heal')
    expect(await server.end('SIGTERM')).toBe(0)
    const answers = await Promise.all(waiting)
    expect(answers.map(({ status }) => status)).toEqual([202, 202, 202])
    expect(all.filter(isRunning)).toEqual([])
    expect(server.lines.at(-1)).toContain('stopped')
  })

  it('is followed by one that knows what it has said', async () => {
    await start()
    expect((await ask(server, '/api/account', key)).status).toBe(200)
  })

  it.runIf(canFindChildren)(
    'leaves no process when its supervisor is killed, and its port to the next one at once',
    async () => {
      const { port } = new URL(server.url)
      const all = pids()
      expect(all).toHaveLength(3)
      await server.end('SIGKILL')
      await start({ PORT: port })
      expect(await isHealthy(server)).toBe(true)
      await until(() => !all.some(isRunning), pause)
    },
  )

  it('ends at once by a second signal', async () => {
    const all = pids()
    const busy = connect(Number(new URL(server.url).port), '127.0.0.1')
    busy.on('error', () => undefined)
    const type = 'Content-Type: application/json\r\nContent-Length: 10\r\nExpect: 100-continue'
    busy.write(`POST /api/agent-claim HTTP/1.1\r\nHost: a\r\n${type}\r\n\r\n`)
    // A process has taken the request, and waits for a body that does not come.
    await once(busy, 'data')
    server.child.kill('SIGTERM')
    await until(() =>
      server.lines.some((line) => line.includes('"api 1"') || line.includes('"api 2"')),
    )
    expect(server.child.exitCode).toBe(null)
    expect(await server.end('SIGINT')).toBe(1)
    await until(() => !all.some(isRunning), pause)
  })
})
