import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { connect, createServer, type AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import {
  canFindChildren,
  childrenOf,
  isRunning,
  type Child,
} from '#tests/support/kills/children.ts'
import {
  program,
  runToEnd,
  startServer,
  surroundings,
  type Ended,
  type ServerProcess,
} from '#tests/support/process.ts'
import { inForm, isLong } from '#tests/support/long-tests.ts'
import { until } from '#tests/support/until.ts'

const pause = { pauseMs: 20, seconds: 45 }

let folder: string
const running: ServerProcess[] = []
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'abode-processes-'))
})
afterEach(async () => {
  const servers = running.splice(0)
  const others = canFindChildren ? servers.flatMap(({ child }) => childrenOf(child.pid)) : []
  await Promise.all(servers.map((server) => server.dispose()))
  // They end by themselves, and write until then.
  await until(() => !others.some(({ pid }) => isRunning(pid)), pause)
  await rm(folder, { recursive: true, force: true })
})

const two = { ABODE_PROCESSES: '2' }
const signals = inForm({ short: ['SIGTERM'] as const, long: ['SIGTERM', 'SIGINT'] as const })

async function start(
  env: Record<string, string> = {},
  flags: readonly string[] = [],
): Promise<ServerProcess> {
  const server = await startServer({ dataDir: folder, env: { ...two, ...env }, flags })
  running.push(server)
  return server
}

/** Runs the server to its end. */
const serve = (env: Record<string, string>): Promise<Ended> =>
  runToEnd(program, [], { DATA_DIR: folder, PORT: '0', ...two, ...env })

/** A request on a connection of its own. */
const ask = ({ url }: ServerProcess, path: string, key?: string): Promise<Response> =>
  fetch(url + path, {
    headers: { connection: 'close', ...(key !== undefined && { authorization: `Bearer ${key}` }) },
    signal: AbortSignal.timeout(20_000),
  })

/** A key, got on a connection that no later request uses: it may end with its process. */
async function keyOf({ url }: ServerProcess): Promise<string> {
  const init = { method: 'POST', headers: { connection: 'close' } }
  // The answer is that of the operation.
  return ((await (await fetch(`${url}/api/agent-claim`, init)).json()) as { api_key: string })
    .api_key
}

const isHealthy = async (server: ServerProcess): Promise<boolean> =>
  (await ask(server, '/health')).status === 200

const names = ({ child }: ServerProcess): string[] =>
  childrenOf(child.pid)
    .map(({ name }) => name)
    .sort()

function one(server: ServerProcess, name: string): Child {
  const found = childrenOf(server.child.pid).find((child) => child.name === name)
  if (!found) throw new Error(`there is no ${name}`)
  return found
}

describe('a start', () => {
  it('says once where it listens, when all processes answer, each with the flags of Node', async () => {
    const server = await start({}, ['--stack-trace-limit=7'])
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

  it('tells once what a person has to put right, and ends with 78', async () => {
    await writeFile(join(folder, 'master.key'), 'none')
    for (const [env, faults] of [
      [{ PORT: 'x', ABODE_POTR: '1' }, 2],
      [{}, 1],
    ] as const) {
      const { code, out, err } = await serve(env)
      expect([code, out, err.trim().split('\n').length]).toEqual([78, '', faults])
    }
  })

  it('on a port that is taken says so once and ends with 1', async () => {
    const other = createServer().listen(0, '127.0.0.1')
    await once(other, 'listening')
    const { port } = other.address() as AddressInfo
    const { code, err } = await serve({ PORT: String(port) })
    other.close()
    expect(code).toBe(1)
    expect(err.trim().split('\n')).toEqual([expect.stringMatching(`port ${port} is in use`)])
  })

  it('with a process that is never ready ends with 1, and tries no second one', async () => {
    const preload = join(folder, 'broken.mjs')
    await writeFile(preload, "if (process.argv[2] === 'api') process.exit(3)")
    const { code, err } = await serve({ NODE_OPTIONS: `--import ${preload}` })
    expect(code).toBe(1)
    expect(err.trim().split('\n')).toEqual([
      expect.stringMatching(/^The process api \d ended before it was ready, with exit code 3\.$/),
    ])
  })
})

describe.skipIf(!canFindChildren)('the processes', () => {
  it('are those that the roles ask for', async () => {
    const answering = await start({ ABODE_WORK: 'api' })
    expect(names(answering)).toEqual(['api 1', 'api 2'])
    await answering.end('SIGTERM')
  })

  it('are one where no one is to answer', async () => {
    const child = spawn(process.execPath, [program], {
      env: { ...surroundings(), ...two, DATA_DIR: folder, ABODE_WORK: 'runner,upkeep' },
    })
    const [first] = await once(child.stdout, 'data')
    expect(String(first)).toContain('working without listening')
    expect(childrenOf(child.pid)).toEqual([])
    child.kill('SIGTERM')
    expect(await once(child, 'exit')).toEqual([0, null])
  })

  it('are one where a host speaks to it on standard input', async () => {
    const env = { ...surroundings(), ...two, ABODE_LOG_LEVEL: 'error' }
    const key = join(folder, 'key.json')
    const child = spawn(process.execPath, [program, 'mcp', '--data', folder, '--key-file', key], {
      env,
    })
    child.stdin.write('{"jsonrpc":"2.0","id":1,"method":"ping"}\n')
    const [answer] = await once(child.stdout, 'data')
    expect(JSON.parse(String(answer))).toMatchObject({ id: 1 })
    expect(childrenOf(child.pid)).toEqual([])
    child.stdin.end()
    expect(await once(child, 'exit')).toEqual([0, null])
  })
})

describe.skipIf(!canFindChildren)('a process that ends', () => {
  it('is replaced, and what was acknowledged is there', async () => {
    const server = await start({ ABODE_METRICS: 'on' })
    const key = await keyOf(server)
    for (const name of ['api 1', 'api 2', 'worker 1']) {
      const { pid } = one(server, name)
      process.kill(pid, 'SIGKILL')
      // The other one answers all the while.
      if (name !== 'worker 1') expect(await isHealthy(server)).toBe(true)
      await until(() => names(server).includes(name) && one(server, name).pid !== pid, pause)
    }
    await until(async () => (await ask(server, '/api/account', key)).status === 200, pause)
    const page = await (await ask(server, '/metrics')).text()
    expect(page).toMatch(/abode_process_restarts_total\{process="worker"\} [1-9]/)
    expect(server.child.exitCode).toBe(null)
  })

  it.runIf(isLong)(
    'and cannot be replaced ends the server in order, after five tries',
    async () => {
      const [preload, broken] = [join(folder, 'break.mjs'), join(folder, 'broken')]
      const isBroken = `(await import('node:fs')).existsSync(${JSON.stringify(broken)})`
      await writeFile(preload, `if (process.argv[2] === 'api' && ${isBroken}) process.exit(3)`)
      const server = await start({ NODE_OPTIONS: `--import ${preload}` })
      await writeFile(broken, '')
      process.kill(one(server, 'api 1').pid, 'SIGKILL')
      expect(await isHealthy(server)).toBe(true)
      await until(() => server.child.exitCode !== null, pause)
      expect(server.child.exitCode).toBe(1)
      const again = server.lines.filter((line) => line.includes('is started again'))
      expect(again).toHaveLength(5)
      expect(server.lines).toContain(
        'The process api 1 ended before it was ready, with exit code 3.',
      )
      expect(server.lines.at(-1)).toContain('stopped')
    },
  )

  it('in order, by a signal of its own, is replaced without an error to anyone', async () => {
    const server = await start()
    const { pid } = one(server, 'api 1')
    process.kill(pid, 'SIGTERM')
    while (isRunning(pid)) expect(await isHealthy(server)).toBe(true)
    await until(() => names(server).includes('api 1'), pause)
  })
})

describe.skipIf(!canFindChildren)('a process that is held', () => {
  it('gets no connection, and is ended and replaced after ten seconds', async () => {
    const server = await start({ ABODE_METRICS: 'on' })
    const { pid } = one(server, 'api 1')
    process.kill(pid, 'SIGSTOP')
    for (let times = 0; times < 20; times++) expect(await isHealthy(server)).toBe(true)
    // Its figures are those that it told last.
    expect((await ask(server, '/metrics')).status).toBe(200)
    await until(() => !isRunning(pid), { pauseMs: 100, seconds: 45 })
    await until(() => names(server).includes('api 1'), pause)
    expect(await isHealthy(server)).toBe(true)
    expect(server.lines.some((line) => line.includes('a process is frozen'))).toBe(true)
  })
})

describe('SIGTERM and SIGINT', () => {
  it.each(signals)('%s ends all in order', async (signal) => {
    const server = await start()
    const key = await keyOf(server)
    const pids = canFindChildren ? childrenOf(server.child.pid).map(({ pid }) => pid) : []
    const half = connect(Number(new URL(server.url).port), '127.0.0.1')
    half.on('error', () => undefined)
    half.write('GET /heal')
    expect(await server.end(signal)).toBe(0)
    expect(pids.filter(isRunning)).toEqual([])
    expect(server.lines.at(-1)).toContain('stopped')
    const next = await start()
    expect((await ask(next, '/api/account', key)).status).toBe(200)
  })

  it('loses no answer of what is under way', async () => {
    const server = await start()
    const key = await keyOf(server)
    const head = { authorization: `Bearer ${key}`, 'content-type': 'application/json' }
    const post = (path: string, body: object) =>
      fetch(server.url + path, { method: 'POST', headers: head, body: JSON.stringify(body) })
    const task = { task_id: 'think', name: 'Think', prompt: 'Think.' }
    await post('/api/characters/', { id: 'ada', name: 'Ada', heart: { tasks: [task] } })
    const run = () => post('/api/characters/ada/tasks/think/run', { wait_seconds: 60 })
    const waiting = [run(), run(), run()]
    await until(async () => {
      const list = await (await ask(server, '/api/runs', key)).text()
      return new Set(list.match(/"run_[0-9a-f]+"/g)).size === waiting.length
    })
    expect(await server.end('SIGTERM')).toBe(0)
    const answers = await Promise.all(waiting)
    expect(answers.map(({ status }) => status)).toEqual([202, 202, 202])
  })

  it('twice ends all at once', async () => {
    const server = await start()
    const pids = canFindChildren ? childrenOf(server.child.pid).map(({ pid }) => pid) : []
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
    await until(() => !pids.some(isRunning), pause)
  })
})

describe.skipIf(!canFindChildren)('the supervisor that is killed', () => {
  it('leaves no process, and its port to the next one at once', async () => {
    const server = await start()
    const { port } = new URL(server.url)
    const pids = childrenOf(server.child.pid).map(({ pid }) => pid)
    expect(pids).toHaveLength(3)
    await server.end('SIGKILL')
    const next = await start({ PORT: port })
    expect(await isHealthy(next)).toBe(true)
    await until(() => !pids.some(isRunning), pause)
  })
})
