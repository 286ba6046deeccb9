import {
  appendFile,
  copyFile,
  mkdtemp,
  readdir,
  readFile,
  rm,
  stat,
  writeFile,
} from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { picture } from '#tests/support/pictures.ts'
import { runCommand, startServer, type ServerProcess } from '#tests/support/process.ts'
import { newKey } from '#tests/support/rest/call.ts'

let scratch: string
let server: ServerProcess
let key: string
/** A complete backup of the server, which goes on. */
let backup: string

const at = (...names: string[]): string => join(scratch, ...names)
const back = (words: readonly string[], env: Record<string, string> = {}) =>
  runCommand('backup', words, { DATA_DIR: server.dataDir, ...env })
const restore = (words: readonly string[], env: Record<string, string> = {}) =>
  runCommand('restore', words, env)
const asked = async (url: string, method: string, path: string, body?: object | FormData) => {
  const isForm = body instanceof FormData
  const type = isForm ? {} : { 'content-type': 'application/json' }
  const headers = { authorization: `Bearer ${key}`, ...type }
  const sent = isForm ? body : JSON.stringify(body)
  return fetch(url + path, { method, headers, ...(body && { body: sent as string }) })
}

beforeAll(async () => {
  scratch = await mkdtemp(join(tmpdir(), 'abode-backup-'))
  server = await startServer({ env: { ABODE_RATE_LIMITS: 'off' } })
  key = await newKey(server.url)
  await asked(server.url, 'POST', '/api/characters/', { id: 'ada', name: 'Ada' })
  const photo = new FormData()
  photo.set('file', new Blob([new Uint8Array(await picture())]), 'ada.png')
  expect((await asked(server.url, 'POST', '/api/characters/ada/photos', photo)).status).toBe(200)
  const say = { task_id: 'say', name: 'Say', runtime: 'template', prompt: 'said' }
  await asked(server.url, 'POST', '/api/characters/ada/tasks', say)
  // Written while it is backed up.
  const done = new AbortController()
  let count = 0
  const writes = (async () => {
    while (!done.signal.aborted) {
      const change = { tagline: `The same for the ${count}th time` }
      const changed = await asked(server.url, 'PUT', '/api/characters/ada', change)
      if (changed.status !== 200) return changed.status
      count += 1
    }
    return 200
  })()
  const taken = await back(['--to', at('kept', 'here'), '--json'])
  done.abort()
  expect(await writes).toBe(200)
  expect([taken.code, taken.err]).toEqual([0, ''])
  ;({ path: backup } = JSON.parse(taken.out) as { path: string })
  expect(count).toBeGreaterThan(0)
})
afterAll(async () => {
  await server.dispose()
  await rm(scratch, { recursive: true, force: true })
})

describe('a backup that was taken while others write', () => {
  it('is for its owner alone, and holds no master key', async () => {
    expect((await stat(backup)).mode & 0o77).toBe(0)
    const names = await readdir(backup, { recursive: true, withFileTypes: true })
    for (const one of names.filter((name) => name.isFile())) {
      expect((await stat(join(one.parentPath, one.name))).mode & 0o77, one.name).toBe(0)
      expect(one.name).not.toBe('master.key')
    }
  })

  it('is put back whole, paused until it is told to go on', async () => {
    const to = at('restored')
    const done = await restore(['--from', at('kept', 'here'), '--to', to])
    expect([done.code, done.err]).toEqual([0, ''])
    expect(done.out).toContain('master.key')
    await copyFile(join(server.dataDir, 'master.key'), join(to, 'master.key'))
    const ran = async (): Promise<string> => {
      const restored = await startServer({ dataDir: to, env: { ABODE_RATE_LIMITS: 'off' } })
      try {
        const { appearance } = (await (
          await asked(restored.url, 'GET', '/api/characters/ada')
        ).json()) as { appearance: { photos: string[] } }
        const [photo = ''] = appearance.photos
        const shown = await fetch(restored.url + new URL(photo, restored.url).pathname)
        expect(shown.headers.get('content-type')).toMatch(/^image\//)
        return restored.lines.some((line) => line.includes('paused until')) ? 'paused' : 'at work'
      } finally {
        await restored.end('SIGTERM')
      }
    }
    expect(await ran()).toBe('paused')
    expect((await restore(['--go-on', '--to', to])).code).toBe(0)
    expect(await ran()).toBe('at work')
    expect((await restore(['--go-on', '--to', to])).code).toBe(65)
  })

  it('stays with the newest of its kind alone', async () => {
    const to = at('thinned')
    for (let n = 0; n < 2; n++) expect((await back(['--to', to, '--keep', '1'])).code).toBe(0)
    expect(await readdir(to)).toHaveLength(1)
    expect((await back(['--to', to])).code).toBe(0)
    expect(await readdir(to)).toHaveLength(2)
    expect((await back(['--to', to], { ABODE_BACKUP_KEEP: '1' })).code).toBe(0)
    expect(await readdir(to)).toHaveLength(1)
  })
})

async function emptied(folder: string): Promise<void> {
  const path = join(folder, 'backup.json')
  const list = JSON.parse(await readFile(path, 'utf8')) as object
  await writeFile(path, JSON.stringify({ ...list, files: [] }))
}

describe('what cannot be backed up or put back', () => {
  it('makes no new store where a restore was broken off', async () => {
    const folder = await mkdtemp(at('broken-'))
    await writeFile(join(folder, 'abode.paused'), '')
    await expect(startServer({ dataDir: folder })).rejects.toThrow('was broken off')
  })

  it.each([
    ['no folder', [], 64],
    ['an unknown option', ['--into', 'x'], 64],
    ['none to keep', ['--to', 'x', '--keep', '0'], 64],
    ['a place that cannot be written to', ['--to', '/dev/null/backups'], 69],
    ['a place where no folders are made', ['--to', '/proc/backups/here'], 69],
  ])('is told with a code: %s', async (_, words, code) => {
    const ended = await back(words)
    expect([ended.code, ended.err]).toEqual([code, expect.stringMatching(/./)])
  })

  it.each<[string, (folder: string) => Promise<unknown>, RegExp]>([
    ['a database that has changed', (one) => appendFile(join(one, 'abode.db'), 'x'), /abode\.db/],
    ['a database that is missing', (one) => rm(join(one, 'abode.db')), /abode\.db is missing/],
    ['no list, as of one that was broken off', (one) => rm(join(one, 'backup.json')), /complete/],
    ['a list of nothing', emptied, /not the list/],
    ['a list that is torn', (one) => writeFile(join(one, 'backup.json'), '{"for'), /not the list/],
  ])('is refused and leaves nothing: %s', async (title, harm, said) => {
    const torn = await mkdtemp(at('torn-'))
    for (const { parentPath, name } of await readdir(backup, {
      recursive: true,
      withFileTypes: true,
    }).then((all) => all.filter((one) => one.isFile() && one.parentPath === backup))) {
      await copyFile(join(parentPath, name), join(torn, name))
    }
    await harm(torn)
    const to = at(`for ${title}`)
    const ended = await restore(['--from', torn, '--to', to])
    expect([ended.code, ended.err]).toEqual([65, expect.stringMatching(said)])
    await expect(readdir(to)).rejects.toThrow('ENOENT')
  })

  it('is refused over a store, and with the master key of another', async () => {
    const over = await restore(['--from', backup, '--to', server.dataDir])
    expect([over.code, over.err]).toEqual([65, expect.stringContaining('There is a store')])
    const other = { ABODE_MASTER_KEY: 'ab'.repeat(32) }
    const ended = await restore(['--from', backup, '--to', at('other')], other)
    expect([ended.code, ended.err]).toEqual([65, expect.stringContaining('master key')])
  })
})
