import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { openSqlite } from '#adapters/store/sqlite/sqlite.ts'
import type { Store } from '#src/ports/store.ts'

const commits = 20

describe('a log of SQLite that was damaged', () => {
  let root: string
  let folder: string
  let store: Store
  beforeEach(async () => {
    root = mkdtempSync(join(tmpdir(), 'abode-loss-'))
    folder = join(root, 'data')
    store = await openSqlite(folder)
  })
  afterEach(async () => {
    await store.close()
    rmSync(root, { recursive: true })
  })

  const file = (of: string, ending = ''): string => join(of, `abode.db${ending}`)
  const put = (i: number, of = store): Promise<void> =>
    of.meta.insert({ id: `thing ${i}`, value: 'x'.repeat(500) })
  const putAll = async (from = 0): Promise<void> => {
    for (let i = from; i < from + commits; i++) await put(i)
  }
  let copies = 0
  /** What a process that is killed at this moment leaves behind. */
  const killed = (from = folder): string => {
    const left = join(root, `killed ${copies++}`)
    mkdirSync(left)
    for (const ending of ['', '-wal', '-commits']) {
      copyFileSync(file(from, ending), file(left, ending))
    }
    return left
  }
  /** What the next start finds: how many commits are there, and how many it says are missing. */
  const started = async (left: string): Promise<{ there: number; missing: number | undefined }> => {
    const again = await openSqlite(left)
    const there = await again.meta.count({ id: { $gte: 'thing', $lt: 'thinh' } })
    const missing = again.loss?.()?.commits
    await again.close()
    return { there, missing }
  }

  it('is told from one that is whole, however often it was killed', async () => {
    await putAll()
    expect(await started(killed())).toEqual({ there: commits, missing: undefined })
    const left = killed()
    const again = await openSqlite(left)
    await put(commits, again)
    const twice = killed(left)
    await again.close()
    expect(await started(twice)).toEqual({ there: commits + 1, missing: undefined })
  })

  it.each<[string, (path: string) => void]>([
    [
      'at a byte in its middle',
      (path) => {
        const bytes = readFileSync(path)
        const at = Math.floor(bytes.length * 0.6)
        bytes.writeUInt8(bytes.readUInt8(at) ^ 1, at)
        writeFileSync(path, bytes)
      },
    ],
    ['by being cut off', (path) => truncateSync(path, Math.floor(statSync(path).size / 2))],
    ['at its head', (path) => writeFileSync(path, Buffer.alloc(32), { flag: 'r+' })],
    ['whole', (path) => rmSync(path)],
  ])('%s costs as many commits as are said to be missing', async (_, damage) => {
    // Some of them are in the database by now.
    await putAll()
    await store.close()
    store = await openSqlite(folder)
    await putAll(commits)
    const left = killed()
    damage(file(left, '-wal'))
    const { there, missing } = await started(left)
    expect(there).toBeGreaterThanOrEqual(commits)
    expect(there).toBeLessThan(2 * commits)
    expect(missing).toBe(2 * commits - there)
  })

  it('is reported at every start, with all that was lost, until its file is deleted', async () => {
    await putAll()
    const left = killed()
    truncateSync(file(left, '-wal'), Math.floor(statSync(file(left, '-wal')).size / 2))
    const { there, missing = 0 } = await started(left)
    expect(missing).toBeGreaterThan(0)
    expect(await started(left)).toEqual({ there, missing })
    const again = await openSqlite(left)
    await put(100, again)
    await put(101, again)
    const twice = killed(left)
    copyFileSync(file(left, '-missing'), file(twice, '-missing'))
    expect(again.loss?.()).toMatchObject({
      commits: missing,
      noticed_at: expect.stringMatching(/^20.*Z$/) as string,
      file: file(left, '-missing'),
    })
    rmSync(file(left, '-missing'))
    expect(again.loss?.()).toBeUndefined()
    await again.close()
    expect(await started(left)).toEqual({ there: there + 2, missing: undefined })
    rmSync(file(twice, '-wal'))
    expect(await started(twice)).toEqual({ there, missing: missing + 2 })
  })

  it('is not seen in a note that was broken off, or is older than the log', async () => {
    await put(0)
    const early = readFileSync(file(folder, '-commits'))
    await putAll(1)
    for (const note of [
      early,
      Buffer.from('00000'),
      Buffer.alloc(17),
      Buffer.from('9'.repeat(40)),
    ]) {
      const left = killed()
      writeFileSync(file(left, '-commits'), note)
      expect(await started(left)).toEqual({ there: commits + 1, missing: undefined })
    }
  })

  it('is not seen where several processes write, whichever of them is killed', async () => {
    const other = await openSqlite(folder)
    for (let i = 0; i < commits; i++) {
      await Promise.all([put(i), put(100 + i, other)])
      expect((await started(killed())).missing).toBeUndefined()
    }
    await other.close()
    expect(existsSync(file(folder, '-commits'))).toBe(true)
    expect((await started(killed())).there).toBe(2 * commits)
  })

  it('leaves only the database file once it is closed', async () => {
    await putAll()
    await store.close()
    expect(readdirSync(folder)).toEqual(['abode.db'])
    store = await openSqlite(folder)
  })
})
