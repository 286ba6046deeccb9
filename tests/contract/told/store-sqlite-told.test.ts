import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { openSqlite } from '#adapters/store/sqlite/sqlite.ts'
import type { Store } from '#src/ports/store.ts'
import { until } from '#tests/support/until.ts'
import { heardAt, marked, settled, type Heard } from './heard.ts'

let folder: string
let raw: DatabaseSync
const opened: Store[] = []

const open = async (): Promise<Store> => {
  const store = await openSqlite(folder)
  opened.push(store)
  return store
}
const number = (sql: string): number => Number(Object.values(raw.prepare(sql).get() ?? {})[0])
const rows = (): number => number('SELECT count(*) FROM changes')
const readers = (): number => number('SELECT count(*) FROM readers')

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'abode-told-'))
})
afterEach(async () => {
  vi.restoreAllMocks()
  raw.close()
  await Promise.all(opened.splice(0).map((store) => store.close()))
  await rm(folder, { recursive: true, force: true })
})

describe('the table of changes', () => {
  let one: Store
  beforeEach(async () => {
    one = await open()
    raw = new DatabaseSync(join(folder, 'abode.db'), { timeout: 5_000 })
  })

  it('is not written by a lone process, which registers once', async () => {
    const heard = heardAt(one)
    await until(() => readers() === 1)
    const before = number('SELECT count FROM commits')
    for (let n = 0; n < 50; n += 1) await one.meta.insert({ id: `m${n}`, value: '' })
    expect(number('SELECT count FROM commits')).toBe(before + 50)
    expect(rows()).toBe(0)
    heard.end()
    await until(() => readers() === 0)
  })

  it('has no reader left behind by a store that is closed', async () => {
    heardAt(one)
    await until(() => readers() === 1)
    await one.close()
    expect(readers()).toBe(0)
  })

  describe('with a reader', () => {
    let other: Store
    let heard: Heard
    beforeEach(async () => {
      other = await open()
      heard = heardAt(other)
      await settled(one, heard)
    })

    it('has one row for the many commits of a transaction', async () => {
      const before = rows()
      const writes = Array.from({ length: 200 }, (_, n) =>
        one.meta.insert({ id: `n${n}`, value: '' }),
      )
      await Promise.all(writes)
      expect(rows() - before).toBeGreaterThan(0)
      expect(rows() - before).toBeLessThan(100)
    })

    it('tells everything once where a row is missing', async () => {
      // As by a reader that was stopped for so long that its place is gone.
      raw.exec('BEGIN IMMEDIATE')
      raw.exec('UPDATE commits SET count = count + 1')
      raw.exec('COMMIT')
      await until(() => heard.calls.length > 0)
      expect(heard.calls).toEqual(['all'])
      heard.calls.length = 0
      const mark = await marked(one, heard)
      expect(heard.calls).toEqual([new Set([mark])])
    })

    it('tells everything to a reader whose place is gone', async () => {
      for (let n = 0; n < 3; n += 1) await one.meta.insert({ id: `late${n}`, value: '' })
      heard.calls.length = 0
      raw.exec('BEGIN IMMEDIATE; UPDATE commits SET count = count + 1; DELETE FROM changes; COMMIT')
      await until(() => heard.calls.length > 0)
      expect(heard.calls).toEqual(['all'])
    })

    it('says nothing of a checkpoint, a copy or an analysis by another process', async () => {
      raw.exec('PRAGMA wal_checkpoint(TRUNCATE)')
      raw.exec(`VACUUM INTO '${join(folder, 'copy.db')}'`)
      const mark = await marked(one, heard)
      raw.exec('PRAGMA wal_checkpoint(RESTART)')
      const next = await marked(one, heard)
      expect(heard.calls).toEqual([new Set([mark]), new Set([next])])
    })

    it('says nothing of transactions of its own, whether or not another is there', async () => {
      for (let n = 0; n < 20; n += 1) {
        await other.meta.insert({ id: `own${n}`, value: '' })
        if (n % 5 === 0) await one.meta.insert({ id: `its${n}`, value: '' })
      }
      const mark = await marked(one, heard)
      expect(heard.names()).toEqual(new Set([mark]))
    })

    it('is not disturbed by a wall clock that jumps', async () => {
      vi.spyOn(Date, 'now').mockReturnValue(0)
      const mark = await marked(one, heard)
      vi.spyOn(Date, 'now').mockReturnValue(9e12)
      const next = await marked(one, heard)
      expect(heard.calls).toEqual([new Set([mark]), new Set([next])])
    })
  })

  describe('whose reader has died', () => {
    let passed = 0
    beforeEach(async () => {
      passed = 0
      const now = performance.now.bind(performance)
      vi.spyOn(performance, 'now').mockImplementation(() => now() + passed)
      // In a transaction of its own, counted as every process does.
      raw.exec("BEGIN IMMEDIATE; INSERT INTO readers VALUES ('dead', 7)")
      raw.exec('UPDATE commits SET count = count + 1; COMMIT')
    })
    const write = (n: number): Promise<void> =>
      one.run_events.insert({
        id: `e${n}`,
        run_id: `run_${n}`,
        seq: n,
        type: 'x',
        at: '',
        data: {},
      })

    it('is written until the reader has been silent for long, and then emptied', async () => {
      await write(1)
      expect(rows()).toBe(1)
      passed = 29_000
      await write(2)
      expect([rows(), readers()]).toEqual([2, 1])
      passed = 31_000
      await write(3)
      expect([rows(), readers()]).toEqual([0, 0])
    })

    it('is written on while the reader shows that it lives', async () => {
      await write(1)
      for (passed = 20_000; passed < 100_000; passed += 20_000) {
        raw.exec('BEGIN IMMEDIATE; UPDATE readers SET beat = beat + 1')
        raw.exec('UPDATE commits SET count = count + 1; COMMIT')
        await write(passed)
      }
      expect([rows(), readers()]).toEqual([5, 1])
    })

    it('does not grow beyond its bound, and is emptied in portions', async () => {
      for (let n = 0; n < 1_200; n += 1) await write(n)
      expect(rows()).toBe(1_024)
      passed = 40_000
      await write(1_201)
      expect(readers()).toBe(0)
      expect(rows()).toBe(924)
      for (let n = 0; n < 12; n += 1) await one.meta.insert({ id: `m${n}`, value: '' })
      expect(rows()).toBe(0)
    })
  })

  it('takes a reader back that was taken for dead, after it has looked at everything', async () => {
    const other = await open()
    const heard = heardAt(other)
    await settled(one, heard)
    raw.exec('BEGIN IMMEDIATE; DELETE FROM readers; UPDATE commits SET count = count + 1; COMMIT')
    await until(() => heard.calls.includes('all'))
    await until(() => readers() === 1)
    await settled(one, heard)
  })
})

it('opens a database of the form before, and tells in it', async () => {
  await (await open()).close()
  raw = new DatabaseSync(join(folder, 'abode.db'))
  raw.exec('DROP TABLE changes; DROP TABLE readers; PRAGMA user_version=3')
  const [one, other] = [await open(), await open()]
  await settled(one, heardAt(other))
})
