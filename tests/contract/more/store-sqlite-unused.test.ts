import { mkdtempSync, rmSync, statSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { openSqlite } from '#adapters/store/sqlite/sqlite.ts'
import { plain, thing, things } from '../store-things.ts'

describe('pages of SQLite that nothing uses', () => {
  let folder: string
  beforeEach(() => void (folder = mkdtempSync(join(tmpdir(), 'abode-unused-'))))
  afterEach(() => rmSync(folder, { recursive: true }))
  const path = (): string => join(folder, 'abode.db')
  const pages = (): { all: number; unused: number } => {
    using database = new DatabaseSync(path())
    database.exec('PRAGMA wal_checkpoint(TRUNCATE)')
    const one = (name: string) => Number(database.prepare(`PRAGMA ${name}`).get()?.[name])
    return { all: one('page_count'), unused: one('freelist_count') }
  }
  const filled = async (count: number) => {
    const store = things(await openSqlite(folder))
    const text = 'x'.repeat(60_000)
    const writes = Array.from({ length: count }, (_, at) => ({
      in: plain as typeof plain,
      insert: { ...thing(`t${at}`), text },
    }))
    await store.commit(writes)
    return store
  }

  it('are given back, but for a reserve, while others read and write', async () => {
    const store = await filled(600)
    const before = pages()
    await store[plain].delete({ id: { $ne: 't0' } })
    expect(pages().unused).toBeGreaterThan(4_000)
    let turns = 0
    while (await store.giveBack?.()) {
      await store[plain].insert(thing(`during${turns}`))
      turns += 1
    }
    const after = pages()
    expect(after.unused).toBeLessThanOrEqual(1_024)
    expect(after.all).toBeLessThan(before.all / 2)
    expect(statSync(path()).size).toBe(after.all * 8192)
    expect(await store[plain].count({})).toBe(turns + 1)
    expect((await store[plain].get('t0'))?.id).toBe('t0')
    // What is left is kept for what is written next.
    expect(await store.giveBack?.()).toBe(false)
    await store.close()
    using database = new DatabaseSync(path())
    expect(database.prepare('PRAGMA integrity_check').get()).toEqual({ integrity_check: 'ok' })
  })

  it('stay in a file of before, which is told once and for all', async () => {
    new DatabaseSync(path()).exec(
      'PRAGMA page_size=8192; PRAGMA journal_mode=WAL; CREATE TABLE old (id); DROP TABLE old',
    )
    const store = await filled(300)
    await store[plain].delete({})
    expect(pages().unused).toBeGreaterThan(2_000)
    expect(await store.giveBack?.()).toBe(false)
    await store.close()
  })
})
