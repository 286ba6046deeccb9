import { spawn } from 'node:child_process'
import { createHmac, hash } from 'node:crypto'
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { inForm } from '#tests/support/long-tests.ts'
import {
  endOf,
  program,
  startServer,
  surroundings,
  type Ended,
  type ServerProcess,
} from '#tests/support/process.ts'
import { stores, type Place } from '#tests/support/stores.ts'
import { startWebServer, type WebServer } from '#tests/support/web-server.ts'

const keyOf = (n: number): string => hash('sha256', `a key of the tests ${n}`, 'hex')
const secret = 'marker-of-the-shelf-1'
const hookSecret = 'marker-of-the-hook-2'

/**
 * Runs the command to its end.
 * @param killAt kills it once it has written a line that begins so
 */
async function rotate(
  env: Record<string, string>,
  words: readonly string[] = [],
  killAt?: string,
): Promise<Ended> {
  const all = { ...surroundings(), ...env }
  const child = spawn(process.execPath, [program, 'rotate-master-key', ...words], { env: all })
  if (killAt !== undefined) {
    createInterface({ input: child.stdout }).on('line', (line) => {
      if (line.startsWith(killAt)) child.kill('SIGKILL')
    })
  }
  return endOf(child)
}

describe.each(stores())('npm run rotate-master-key on $name', (kind) => {
  let place: Place
  let web: WebServer
  let server: ServerProcess | undefined
  let key = ''
  /** Which key the store has: each test goes on with what the one before has left. */
  let n = 0
  const seen: unknown[] = []

  /** With MongoDB the key is configured, else it is the one in the file. */
  const isConfigured = (): boolean => place.uri !== undefined
  const settings = (which: number): Record<string, string> => ({
    DATA_DIR: place.folder,
    ...(place.uri !== undefined && {
      MONGODB_URI: place.uri,
      ABODE_MASTER_KEY: keyOf(which),
    }),
  })
  /** What the command is given to go from one key to the next. */
  const toNext = (): Record<string, string> => ({
    ...settings(n),
    ...(isConfigured() && { ABODE_NEW_MASTER_KEY: keyOf(n + 1) }),
  })
  const start = async (): Promise<void> => {
    const env = { ...settings(n), ABODE_OUTBOUND_ALLOW: web.origin }
    server ??= await startServer({ dataDir: place.folder, env })
  }
  const stop = async (): Promise<void> => {
    await server?.end('SIGTERM')
    server = undefined
  }
  const call = async (method: string, path: string, body?: unknown, more: object = {}) => {
    const response = await fetch(`${server?.url}${path}`, {
      method,
      headers: {
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...(key && { authorization: `Bearer ${key}` }),
        ...more,
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
    // The test says what it expects of the answer.
    return { status: response.status, value: (await response.json()) as Record<string, string> }
  }

  beforeAll(async () => {
    web = await startWebServer()
    web.on('/echo', ({ headers }, response) => {
      seen.push(headers['x-secret'])
      response.writeHead(200, { 'content-type': 'application/json' }).end('{}')
    })
    place = await kind.place()
    await start()
    key = (await call('POST', '/api/agent-claim', {})).value.api_key ?? ''
    await call('POST', '/api/characters/', { id: 'ada', name: 'Ada' })
    const secrets = [{ name: 'TOKEN', value: secret }]
    await call('PUT', '/api/characters/ada/secrets', { secrets })
    const task = {
      task_id: 't',
      name: 'T',
      runtime: 'api',
      api_url: `${web.origin}/echo`,
      selected_secrets: ['TOKEN'],
      tools: [{ name: 'c', type: 'http', config: { headers: { 'X-Secret': '{{secret.TOKEN}}' } } }],
      triggers: [{ type: 'webhook', config: { path: 'in', secret: hookSecret } }],
    }
    await call('POST', '/api/characters/ada/tasks', task)
  })
  afterEach(() => stop())
  afterAll(async () => {
    await server?.end('SIGKILL')
    await place.remove()
    web.close()
  })

  /** Runs are still given the secret, and hooks still know theirs. */
  async function works(): Promise<void> {
    seen.length = 0
    const path = '/api/characters/ada/tasks/t/run'
    const { value } = await call('POST', path, { wait_seconds: 30 })
    expect(value).toMatchObject({ status: 'completed' })
    // The hook's runs may come later.
    expect(new Set(seen)).toEqual(new Set([secret]))
    const body = JSON.stringify({ x: 1 })
    const sign = (by: string) => createHmac('sha256', by).update(body).digest('hex')
    const hook = (by: string) =>
      call('POST', '/api/hooks/ada/in', { x: 1 }, { 'x-service-signature': sign(by) })
    expect((await hook(hookSecret)).status).toBe(202)
    expect((await hook('another')).status).toBe(401)
  }

  const isRefused = (oldKey: string): Promise<void> => {
    const env = { ...settings(n), ABODE_MASTER_KEY: oldKey }
    return expect(startServer({ dataDir: place.folder, env })).rejects.toThrow('ended with 78')
  }

  it('gives the store a new key, under which everything goes on', async () => {
    await start()
    const cardKey = async () => (await call('GET', '/.well-known/jwks.json')).value
    const before = await cardKey()
    await stop()
    const file = join(place.folder, 'master.key')
    const old = isConfigured() ? keyOf(n) : (await readFile(file, 'utf8')).trim()
    const { code, out, err } = await rotate(toNext())
    expect({ code, err }).toEqual({ code: 0, err: '' })
    expect(out).toContain('secrets: 1 sealed under the new key.')
    expect(out).toContain('tasks: 1 sealed under the new key.')
    for (const one of [keyOf(n), keyOf(n + 1), secret]) expect(out).not.toContain(one)
    await isRefused(old)
    n += 1
    await start()
    await works()
    expect(await cardKey()).not.toEqual(before)
  })

  /** What it has said when it is killed: in the short form in the midst and at the end, on one store. */
  const moments = ['Started', 'secrets: ', 'The store takes', 'The file of the key']
  const short = kind.name === 'sqlite' ? ['secrets: ', 'The file of the key'] : []

  it.each(inForm({ short, long: moments }))(
    'that is killed after it has said "%s" is ended by calling it again',
    async (line) => {
      await stop()
      const killed = await rotate(toNext(), [], line)
      // The last lines may come too late to kill it.
      const isDone = killed.code === 0
      if (!isDone) {
        expect(killed.code).toBe(null)
        const again = await rotate(toNext())
        // It may have come to its end before the signal came.
        if (again.code !== 0) expect(again.err).toContain('is not the master key')
      }
      n += 1
      await start()
      await works()
      const names = await readdir(place.folder)
      expect(names.filter((name) => name.startsWith('master.key')).length).toBe(
        isConfigured() ? 0 : 1,
      )
    },
  )

  it.runIf(kind.name === 'sqlite')('refuses with 65 while a server runs', async () => {
    await start()
    const before = await readFile(join(place.folder, 'master.key'))
    const { code, err } = await rotate(toNext())
    expect(code).toBe(65)
    expect(err).toContain('stop every server first')
    expect(await readFile(join(place.folder, 'master.key'))).toEqual(before)
    await works()
    await stop()
    await start()
    await works()
  })

  it('ends with 78 for keys that are not those of the store', async () => {
    await stop()
    const wrong = { ...settings(n), ABODE_MASTER_KEY: keyOf(97), ABODE_NEW_MASTER_KEY: keyOf(98) }
    expect(await rotate(wrong)).toMatchObject({ code: 78, out: '' })
    const unreadable = await rotate({ ...settings(n), ABODE_NEW_MASTER_KEY: 'short' })
    expect(unreadable).toMatchObject({ code: 78, out: '' })
    expect(unreadable.err).toContain('ABODE_NEW_MASTER_KEY must be 32 bytes')
    expect(unreadable.err).not.toContain('short')
    if (isConfigured()) {
      const none = await rotate(settings(n))
      expect(none.code).toBe(78)
      expect(none.err).toContain('Set ABODE_NEW_MASTER_KEY')
    }
    await start()
    await works()
  })
})

describe('npm run rotate-master-key', () => {
  it('ends with 64 for words that it does not know, and says how it is called', async () => {
    const { code, out, err } = await rotate({}, ['now'])
    expect({ code, out }).toEqual({ code: 64, out: '' })
    expect(err).toContain('abode rotate-master-key')
    expect(await rotate({}, ['--help'])).toMatchObject({ code: 0, err: '' })
  })

  it('ends with 78 where no server has been, and leaves nothing there', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'abode-rotation-'))
    try {
      const { code, err } = await rotate({ DATA_DIR: folder })
      expect(code).toBe(78)
      expect(err).toContain(folder)
      expect(await readdir(folder)).toEqual([])
    } finally {
      await rm(folder, { recursive: true, force: true })
    }
  })
})
