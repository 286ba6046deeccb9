import { spawnSync } from 'node:child_process'
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { runCommand, startServer, type ServerProcess } from '#tests/support/process.ts'
import { newKey } from '#tests/support/rest/call.ts'
import { region, startBucket, type BucketServer } from './bucket.ts'

const keys = { id: 'WRITER', secret: 'only-it-knows' }
const place = 's3://kept/here'
let scratch: string
let bucket: BucketServer
let server: ServerProcess

const access = (): Record<string, string> => ({
  AWS_ENDPOINT_URL_S3: bucket.origin,
  AWS_REGION: region,
  AWS_ACCESS_KEY_ID: keys.id,
  AWS_SECRET_ACCESS_KEY: keys.secret,
})
const backUp = (words: readonly string[], env: Record<string, string> = {}) =>
  runCommand('backup', words, { DATA_DIR: server.dataDir, ...access(), ...env })
const restore = (from: string, to: string) =>
  runCommand('restore', ['--from', from, '--to', to, '--json'], access())

beforeAll(async () => {
  scratch = await mkdtemp(join(tmpdir(), 'abode-place-'))
  bucket = await startBucket(keys)
  server = await startServer()
  const key = await newKey(server.url)
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' }
  const body = JSON.stringify({ id: 'ada', name: 'Ada' })
  await fetch(`${server.url}/api/characters/`, { method: 'POST', headers, body })
  // More than one part.
  await mkdir(join(server.dataDir, 'files', 'large'), { recursive: true })
  await writeFile(join(server.dataDir, 'files', 'large', 'film.bin'), Buffer.alloc(9_000_000, 7))
})
afterAll(async () => {
  await server.dispose()
  bucket.close()
  await rm(scratch, { recursive: true, force: true })
})

describe('backups in a bucket', () => {
  it('are sent whole, the newest stay, and one is put back from there', async () => {
    for (let n = 0; n < 2; n++) {
      const ended = await backUp(['--to', place, '--keep', '1', '--json'])
      expect([ended.code, ended.err]).toEqual([0, ''])
    }
    const names = [...bucket.objects.keys()]
    expect(new Set(names.map((name) => name.split('/').slice(0, 2).join('/'))).size).toBe(1)
    expect(names.some((name) => name.includes('master'))).toBe(false)
    expect((await readdir(server.dataDir)).filter((name) => name.startsWith('.'))).toEqual([])
    const to = join(scratch, 'restored')
    const ended = await restore(place, to)
    expect([ended.code, ended.err]).toEqual([0, ''])
    const done = JSON.parse(ended.out) as { path: string }
    expect(done.path).toMatch(/^s3:\/\/kept\/here\/abode-/)
    expect((await readdir(to)).toSorted()).toEqual(['abode.db', 'abode.paused', 'files'])
    const film = await readFile(join(to, 'files', 'large', 'film.bin'))
    expect(film.equals(Buffer.alloc(9_000_000, 7))).toBe(true)
    expect(await readdir(scratch)).toEqual(['restored'])
    expect((await restore(done.path, join(scratch, 'named'))).code).toBe(0)
  })

  it.each<[string, readonly string[], Record<string, string>, RegExp]>([
    ['another secret', ['--to', place], { AWS_SECRET_ACCESS_KEY: 'a-guess' }, /Signature/],
    ['a bucket that is not there', ['--to', 's3://other/x'], {}, /NoSuchBucket/],
    ['a service that is away', ['--to', place], { AWS_ENDPOINT_URL_S3: 'http://127.0.0.1:9' }, /9/],
  ])('are not begun with %s', async (_, words, env, said) => {
    const ended = await backUp(words, env)
    expect([ended.code, ended.err]).toEqual([69, expect.stringMatching(said)])
    expect(ended.err).not.toContain('a-guess')
    expect((await readdir(server.dataDir)).filter((name) => name.startsWith('.'))).toEqual([])
  })

  it('are none where a piece is missing or torn, and nothing is put back then', async () => {
    await backUp(['--to', 's3://kept/torn'])
    const to = join(scratch, 'torn')
    const of = (end: string): string =>
      [...bucket.objects.keys()].find((key) => key.startsWith('torn/') && key.endsWith(end)) ?? ''
    bucket.remove(of('abode.db'))
    expect(await restore('s3://kept/torn', to)).toMatchObject({
      code: 65,
      err: expect.stringContaining('abode.db is missing') as string,
    })
    bucket.remove(of('backup.json'))
    expect((await restore('s3://kept/torn', to)).err).toContain('no complete backup')
    await expect(readdir(to)).rejects.toThrow('ENOENT')
  })

  it('leave nothing on the machine where the service has no room', async () => {
    const full = await startBucket(keys)
    full.fill()
    const ended = await backUp(['--to', place], { AWS_ENDPOINT_URL_S3: full.origin })
    expect([ended.code, ended.err]).toEqual([69, expect.stringContaining('QuotaExceeded')])
    expect((await readdir(server.dataDir)).filter((name) => name.startsWith('.'))).toEqual([])
    full.close()
  })
})

describe('a server that backs up by itself', () => {
  const told = async (one: ServerProcess, words: string): Promise<string> =>
    vi.waitFor(
      () => {
        const line = one.lines.find((text) => text.includes(words))
        expect(line).toBeDefined()
        return line ?? ''
      },
      { timeout: 60_000 },
    )

  it('does so once for all processes, not again at the next start, and by the command too', async () => {
    const env = { ABODE_BACKUP: join(scratch, 'kept'), ABODE_PROCESSES: '2' }
    const one = await startServer({ env })
    const other = await startServer({ dataDir: one.dataDir, env: { ...env, ABODE_PROCESSES: '1' } })
    await Promise.race([told(one, '"backed up"'), told(other, '"backed up"')])
    await other.end('SIGTERM')
    await one.end('SIGTERM')
    expect(await readdir(env.ABODE_BACKUP)).toHaveLength(1)
    const again = await runCommand('backup', ['--json'], { DATA_DIR: one.dataDir, ...env })
    expect([again.code, again.err]).toEqual([0, ''])
    expect(await readdir(env.ABODE_BACKUP)).toHaveLength(2)
    await one.dispose()
  })

  it('says where it cannot, and goes on', async () => {
    const file = join(scratch, 'a-file')
    await writeFile(file, '')
    const one = await startServer({ env: { ABODE_BACKUP: join(file, 'kept') } })
    expect(await told(one, 'a backup failed')).toContain('ENOTDIR')
    expect((await fetch(`${one.url}/health`)).status).toBe(200)
    await one.dispose()
  })

  it('says that the disk is full, and leaves nothing of it there', async ({ skip }) => {
    const disk = await mkdtemp(join(scratch, 'disk-'))
    // Less than an empty store takes. Only root may mount one.
    const words = ['-t', 'tmpfs', '-o', 'size=256k', 'tmpfs', disk]
    if (spawnSync('mount', words).status !== 0) skip()
    try {
      const kept = join(disk, 'kept')
      const one = await startServer({ env: { ABODE_BACKUP: kept } })
      expect(await told(one, 'a backup failed')).toContain('disk is full')
      expect(await readdir(kept)).toEqual([])
      expect((await fetch(`${one.url}/readyz`)).status).toBe(200)
      await one.dispose()
    } finally {
      spawnSync('umount', [disk])
    }
  })
})
