import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer, type AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { canFindChildren, childrenOf, isRunning } from '#tests/support/kills/children.ts'
import { program, startServer, surroundings, type ServerProcess } from '#tests/support/process.ts'
import { isLong } from '#tests/support/long-tests.ts'
import { until } from '#tests/support/until.ts'
import { ask, isHealthy, keyOf, names, one, pause, serve, two } from './several.ts'

let folder: string
const running: ServerProcess[] = []
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'abode-processes-'))
})
afterEach(async () => {
  await Promise.all(running.splice(0).map((server) => server.dispose()))
  await rm(folder, { recursive: true, force: true })
})

async function start(env: Record<string, string>): Promise<ServerProcess> {
  const server = await startServer({ dataDir: folder, env: { ...two, ...env } })
  running.push(server)
  return server
}

describe('a start of several processes', () => {
  it('tells once what a person has to put right, and ends with 78', async () => {
    await writeFile(join(folder, 'master.key'), 'none')
    for (const [env, faults] of [
      [{ PORT: 'x', ABODE_POTR: '1' }, 2],
      [{}, 1],
    ] as const) {
      const { code, out, err } = await serve(folder, env)
      expect([code, out, err.trim().split('\n').length]).toEqual([78, '', faults])
    }
  })

  it('on a port that is taken says so once and ends with 1', async () => {
    const other = createServer().listen(0, '127.0.0.1')
    await once(other, 'listening')
    const { port } = other.address() as AddressInfo
    const { code, err } = await serve(folder, { PORT: String(port) })
    other.close()
    expect(code).toBe(1)
    expect(err.trim().split('\n')).toEqual([expect.stringMatching(`port ${port} is in use`)])
  })

  it.each([
    { says: 3, ends: 1 },
    // The store went away after it was prepared.
    { says: 69, ends: 69 },
  ])('with a process that ends early with $says ends with $ends', async ({ says, ends }) => {
    const preload = join(folder, 'broken.mjs')
    await writeFile(preload, `if (process.argv[2] === 'api') process.exit(${says})`)
    const { code, err } = await serve(folder, { NODE_OPTIONS: `--import ${preload}` })
    expect(code).toBe(ends)
    expect(err.trim().split('\n')).toEqual([
      expect.stringMatching(
        `^The process api \\d ended before it was ready, with exit code ${says}\\.$`,
      ),
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

describe.runIf(isLong && canFindChildren)('in the long form', () => {
  it('a process that cannot be replaced ends the server in order, after five tries', async () => {
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
    expect(server.lines).toContain('The process api 1 ended before it was ready, with exit code 3.')
    expect(server.lines.at(-1)).toContain('stopped')
  })

  it('SIGINT ends all in order', async () => {
    const server = await start({})
    const key = await keyOf(server)
    const pids = childrenOf(server.child.pid).map(({ pid }) => pid)
    expect((await ask(server, '/api/account', key)).status).toBe(200)
    expect(await server.end('SIGINT')).toBe(0)
    expect(pids.filter(isRunning)).toEqual([])
    expect(server.lines.at(-1)).toContain('stopped')
  })
})
