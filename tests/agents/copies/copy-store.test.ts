import { cp, mkdtemp, readdir, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { placesOf } from '#adapters/commands/copy/arguments.ts'
import { picture } from '#tests/support/pictures.ts'
import { runCommand, startServer, type Ended, type ServerProcess } from '#tests/support/process.ts'
import { newKey } from '#tests/support/rest/call.ts'
import { stores, type Place } from '#tests/support/stores.ts'

const copy = (words: readonly string[], env: Record<string, string> = {}): Promise<Ended> =>
  runCommand('copy-store', words, env)

/** A server that holds an agent with a photo, a secret and a task that needs it. */
async function stocked(server: ServerProcess): Promise<string> {
  const key = await newKey(server.url)
  const sent = async (method: string, path: string, body: string | FormData): Promise<void> => {
    const headers = {
      authorization: `Bearer ${key}`,
      ...(typeof body === 'string' && { 'content-type': 'application/json' }),
    }
    const { status } = await fetch(server.url + path, { method, headers, body })
    expect([path, status < 300]).toEqual([path, true])
  }
  await sent('POST', '/api/characters/', '{"id": "ada", "name": "Ada"}')
  const secrets = [{ name: 'TOKEN', value: 'marker-of-the-shelf' }]
  await sent('PUT', '/api/characters/ada/secrets', JSON.stringify({ secrets }))
  const photo = new FormData()
  photo.set('file', new Blob([new Uint8Array(await picture())]), 'ada.png')
  await sent('POST', '/api/characters/ada/photos', photo)
  const task = { task_id: 'say', name: 'Say', runtime: 'template', prompt: 'said {{input}}' }
  await sent('POST', '/api/characters/ada/tasks', JSON.stringify(task))
  return key
}

/** Everything is there, and works. */
async function expectStocked({ url }: ServerProcess, key: string): Promise<void> {
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' }
  // The members that are looked at.
  type Seen = { appearance: { photos: string[] }; items: object[]; output: string }
  const ask = async (path: string, init: RequestInit = {}): Promise<Seen> =>
    (await (await fetch(url + path, { headers, ...init })).json()) as Seen
  const { appearance } = await ask('/api/characters/ada')
  const [photo = ''] = appearance.photos
  const picture = await fetch(new URL(new URL(photo, url).pathname, url))
  expect(picture.headers.get('content-type')).toMatch(/^image\//)
  const { items } = await ask('/api/characters/ada/secrets')
  expect(items).toMatchObject([{ name: 'TOKEN', set: true, last4: 'helf' }])
  const body = JSON.stringify({ input: 'it', wait_seconds: 20 })
  const ran = await ask('/api/characters/ada/tasks/say/run', { method: 'POST', body })
  expect(ran.output).toBe('said it')
}

/** What a server has left that was stocked and has ended: each test copies a copy of it. */
let stock: string
let key: string
beforeAll(async () => {
  stock = await mkdtemp(join(tmpdir(), 'abode-stock-'))
  const server = await startServer({ dataDir: stock })
  try {
    key = await stocked(server)
  } finally {
    await server.end('SIGTERM')
  }
})
afterAll(() => rm(stock, { recursive: true, force: true }))

describe.each(stores())('npm run copy-store into $name', (kind) => {
  let source: string
  let target: Place
  let server: ServerProcess | undefined

  beforeEach(async () => {
    source = await mkdtemp(join(tmpdir(), 'abode-copied-'))
    await cp(stock, source, { recursive: true })
    target = await kind.newPlace()
    server = undefined
  })
  afterEach(async () => {
    await server?.end('SIGKILL')
    await rm(source, { recursive: true, force: true })
    await target.remove()
  })

  const there = (): string => target.uri ?? target.folder
  const masterKey = async (): Promise<string> =>
    (await readFile(join(source, 'master.key'), 'utf8')).trim()
  const settings = async (): Promise<Record<string, string>> =>
    target.uri === undefined ? {} : { MONGODB_URI: target.uri, ABODE_MASTER_KEY: await masterKey() }

  it('carries everything over, and back', async () => {
    // A folder has its key; the database is named by words, or by the setting.
    const named = target.uri === undefined ? ['--to', there()] : []
    const env: Record<string, string> = target.uri === undefined ? {} : { MONGODB_URI: target.uri }
    const { code, out } = await copy(['--from', source, ...named], env)
    expect(code).toBe(0)
    expect(out).toMatch(/^Copied \d+ documents and 1 files\.\nDone: start the server with /)
    expect(out).not.toContain(await masterKey())
    server = await startServer({ dataDir: target.folder, env: await settings() })
    await expectStocked(server, key)
    await server.end('SIGTERM')

    const home = await mkdtemp(join(tmpdir(), 'abode-home-'))
    try {
      const all = await settings()
      const from: Record<string, string> =
        target.uri === undefined ? { DATA_DIR: target.folder } : {}
      const words = target.uri === undefined ? [] : ['--from', target.uri]
      const back = await copy([...words, '--to', home, '--json'], { ...from, ...keyOf(all) })
      expect(back.code).toBe(0)
      expect(JSON.parse(back.out)).toMatchObject({ to: home, files: { copied: 1, there: 0 } })
      expect((await stat(join(home, 'master.key'))).mode & 0o777).toBe(0o600)
      server = await startServer({ dataDir: home })
      await expectStocked(server, key)
    } finally {
      await server.end('SIGKILL')
      await rm(home, { recursive: true, force: true })
    }
  })

  it('refuses a place where something is, and one that is used', async () => {
    server = await startServer({ dataDir: source })
    const used = await copy(['--from', source, '--to', there()])
    expect(used).toMatchObject({ code: 65, out: '' })
    expect(used.err).toContain('stop every server first')
    await server.end('SIGTERM')
    expect(await copy(['--from', source, '--to', there()])).toMatchObject({ code: 0 })
    const again = await copy(['--from', source, '--to', there()])
    expect(again).toMatchObject({ code: 65, out: '' })
    expect(again.err).toMatch(/is not empty: accounts holds 1/)
  })

  it('is refused by servers until it has ended', async () => {
    const store = await target.open()
    await store.meta.insert({ id: 'store_copy', value: 'then' })
    await store.accounts.insert({ id: 'left' } as never)
    await store.close()
    const begun = startServer({ dataDir: target.folder, env: await settings() })
    await expect(begun).rejects.toThrow('call copy-store again')
    const { code, out } = await copy(['--from', source, '--to', there()])
    expect(code).toBe(0)
    expect(out).toContain('Removing what an interrupted copy has left.\n')
    server = await startServer({ dataDir: target.folder, env: await settings() })
    await expectStocked(server, key)
  })

  it('ends with 78 for another master key, and changes nothing', async () => {
    const other = { ABODE_MASTER_KEY: 'ab'.repeat(32) }
    const { code, err } = await copy(['--from', source, '--to', there()], other)
    expect(code).toBe(78)
    expect(err).toContain('is not the master key that this store was created with')
    const store = await target.open()
    expect(await store.meta.count({})).toBe(0)
    await store.close()
  })
})

describe('npm run copy-store', () => {
  let folder: string
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'abode-copying-'))
  })
  afterEach(() => rm(folder, { recursive: true, force: true }))

  it('ends with 64 for words that it does not know, and says how it is called', async () => {
    const { code, out, err } = await copy(['now'], { DATA_DIR: folder })
    expect({ code, out }).toEqual({ code: 64, out: '' })
    expect(err).toContain('The arguments are --from PLACE and --to PLACE')
    expect(err).toContain('abode copy-store --from')
  })

  it.each([
    [['--into', 'x'], 'The arguments are --from PLACE and --to PLACE'],
    [['--from', '', '--to', 'x'], 'A place is a folder or an address.'],
    [['--from', 'x'], 'Say where to: --to, or MONGODB_URI.'],
    [['--from', 'x', '--to', './x'], 'the same place'],
    [['--from', 'x', '--to', 'postgres://x'], 'An address begins with mongodb://'],
  ])('takes as little %j', (words, why) => {
    expect(() => placesOf(words, { dataDir: folder, mongodbUri: undefined })).toThrow(why)
  })

  it('knows a place by another name', async () => {
    await symlink(folder, join(folder, 'link'))
    const { code, err } = await copy(['--from', folder, '--to', join(folder, 'link')])
    expect(code).toBe(64)
    expect(err).toContain('the same place')
  })

  it.each([
    [['mongodb://ann:pass-marker@db.test/abode']],
    [['--into=mongodb://ann:pass-marker@db.test/abode']],
    [['--from', 'x', '--to', 'http://ann:pass-marker@db.test']],
    [['--from', 'x', '--to', ' mongodb://ann:pass-marker@db.test']],
    [['--from', 'x', '--to', 'MongoDB:ann:pass-marker@db.test']],
    [['--from', 'x', '--to', 'mongodb+src://ann:pass-marker@db.test']],
  ])('repeats no password of %j', async (words) => {
    const { code, out, err } = await copy(words, { DATA_DIR: folder })
    expect(code).toBe(64)
    expect(out + err).not.toContain('pass-marker')
  })

  it('explains itself', async () => {
    expect(await copy(['--help'])).toMatchObject({ code: 0, err: '' })
  })

  it('ends with 78 where no server has been, and leaves nothing there', async () => {
    const to = join(folder, 'to')
    const { code, err } = await copy(['--from', join(folder, 'from'), '--to', to])
    expect(code).toBe(78)
    expect(err).toContain('No server has created a store in')
    expect(await readdir(folder)).toEqual([])
  })

  it('keeps the key of another store', async () => {
    const server = await startServer({ dataDir: join(folder, 'from') })
    await server.end('SIGTERM')
    const other = await startServer({ dataDir: join(folder, 'to') })
    await other.end('SIGTERM')
    await rm(join(folder, 'to/abode.db'))
    const before = await readFile(join(folder, 'to/master.key'))
    const words = ['--from', join(folder, 'from'), '--to', join(folder, 'to')]
    const { code, err } = await copy(words)
    expect(code).toBe(65)
    expect(err).toContain('a master.key of another store')
    expect(await readFile(join(folder, 'to/master.key'))).toEqual(before)
    await writeFile(join(folder, 'to/master.key'), await readFile(join(folder, 'from/master.key')))
    expect(await copy(words)).toMatchObject({ code: 0 })
  })
})

/** What the command needs of them where the place is named in words. */
function keyOf({ ABODE_MASTER_KEY: key }: Record<string, string>): Record<string, string> {
  return key === undefined ? {} : { ABODE_MASTER_KEY: key }
}
