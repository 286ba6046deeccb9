import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync, type StatementSync } from 'node:sqlite'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { openStore } from '#adapters/store/open.ts'
import { sqliteStore } from '#adapters/store/sqlite/sqlite.ts'
import { indexName, openDatabase } from '#adapters/store/sqlite/schema.ts'
import { schemaVersion } from '#adapters/store/sqlite/upgrade/form.ts'
import { StoreUnusable } from '#adapters/store/unusable.ts'
import { collections } from '#src/collections.ts'
import { newIdentity } from '#src/commons/identity.ts'
import type { Standing } from '#src/commons/thread.ts'
import type { Filter } from '#src/ports/filter.ts'
import type { CollectionDefinition, Index } from '#src/ports/documents.ts'
import type { Collection, FindOptions } from '#src/ports/store.ts'
import type { Thing } from './store-things.ts'

let root: string
let folder: string
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'abode-sqlite-'))
  folder = join(root, 'new', 'data')
})
afterEach(() => {
  rmSync(root, { recursive: true })
})

const standing: Standing = {
  id: 'thr_1',
  state: 'open',
  pinned: false,
  locked: false,
  score: 3,
  reply_count: 0,
  accepted_reply_id: null,
  last_activity_at: '2026-01-01T00:00:00.000Z',
  author: 'ada',
  board: 'ask',
  listed: 1,
  hot: 0.25,
  unanswered: '2026-01-01T00:00:00.000Z',
  earned: 0,
  held_from: null,
}

const pragma = (database: DatabaseSync, name: string): unknown =>
  Object.values(database.prepare(`PRAGMA ${name}`).get() ?? {})[0]

describe('opening the embedded store', () => {
  it('makes the folder, for its owner alone, and one database file in it', async () => {
    const store = await openStore({ folder })
    await store.meta.insert({ id: 'a', value: '1' })
    expect(statSync(folder).mode & 0o777).toBe(0o700)
    await store.close()
    expect(readdirSync(folder)).toEqual(['abode.db'])
  })

  it('writes ahead, and leaves it to the store to sync each commit', async () => {
    const database = await openDatabase(folder)
    expect(pragma(database, 'journal_mode')).toBe('wal')
    expect(pragma(database, 'synchronous')).toBe(1)
    expect(pragma(database, 'page_size')).toBe(8_192)
    expect(pragma(database, 'wal_autocheckpoint')).toBe(0)
    expect(pragma(database, 'busy_timeout')).toBe(0)
    expect(pragma(database, 'user_version')).toBe(schemaVersion)
    database.close()
  })

  it('keeps members in columns of their own, and fills them where a table has none', async () => {
    const before = await openStore({ folder })
    await before.commons_standings.insert(standing)
    await before.close()
    const raw = new DatabaseSync(join(folder, 'abode.db'))
    raw.exec(`CREATE TABLE old AS SELECT id, doc, hidden FROM commons_standings;
      DROP TABLE commons_standings;
      CREATE TABLE commons_standings (id TEXT PRIMARY KEY, doc TEXT NOT NULL, hidden TEXT);
      INSERT INTO commons_standings SELECT * FROM old; DROP TABLE old`)
    raw.close()
    const store = await openStore({ folder })
    const { commons_standings: standings } = store
    expect(await standings.find({ board: 'ask', state: 'open', score: 3 })).toEqual([standing])
    const vote = { $set: { score: 4, hot: 1.5, unanswered: null } }
    expect(await standings.update({ id: 'thr_1' }, vote)).toMatchObject({ score: 4 })
    expect(await standings.count({ score: 4, hot: { $gt: 1 }, unanswered: null })).toBe(1)
    const gone = { ...standing, listed: null, board: null }
    await store.commit([{ in: 'commons_standings', update: { board: 'ask' }, replace: gone }])
    expect(await standings.count({ listed: 1 })).toBe(0)
    expect(await standings.find({ board: null })).toEqual([gone])
    await store.close()
  })

  it('tells of a duplicate in a column of its own as of any other', async () => {
    const store = await openStore({ folder })
    const now = new Date('2026-01-01')
    await store.commons_identities.insert(newIdentity('curious-badger', now))
    const alike = store.commons_identities.insert({
      ...newIdentity('curious-badger', now),
      id: 'another',
    })
    await expect(alike).rejects.toMatchObject({ in: 'commons_identities', paths: ['skeleton'] })
    await store.close()
  })

  it('opens tables of before whose members were all shown', async () => {
    const made = await openDatabase(folder)
    made.exec('DROP TABLE tombstones')
    made.exec('CREATE TABLE tombstones (id TEXT PRIMARY KEY, doc TEXT NOT NULL)')
    const plain = { id: 'apps/a', revision: 3, at: '2026-01-01T00:00:00.000Z' }
    const counted = { ...plain, id: 'apps/b', counts_for: 'acc_1', bytes: 70 }
    for (const row of [plain, counted]) {
      made.prepare('INSERT INTO tombstones VALUES (?, ?)').run(row.id, JSON.stringify(row))
    }
    made.close()
    const store = await openStore({ folder })
    expect(await store.tombstones.find({}, { sort: { id: 1 } })).toEqual([plain, counted])
    const [text] = await store.tombstones.text({ id: 'apps/b' })
    expect(JSON.parse(text?.text ?? '')).toEqual({ ...plain, id: 'apps/b' })
    await store.close()
  })

  it('refuses a database of a newer version, in words, and leaves it as it is', async () => {
    const made = await openDatabase(folder)
    made.exec(`PRAGMA user_version=${schemaVersion + 1}`)
    made.exec('DROP TABLE meta')
    made.close()
    const refused = openStore({ folder })
    await expect(refused).rejects.toBeInstanceOf(StoreUnusable)
    await expect(refused).rejects.toThrow(/abode\.db was written by a newer version of Abode/)
    const raw = new DatabaseSync(join(folder, 'abode.db'))
    expect(raw.prepare("SELECT name FROM sqlite_schema WHERE name = 'meta'").all()).toEqual([])
    raw.close()
  })

  it('says in words what it cannot open', async () => {
    mkdirSync(folder, { recursive: true })
    writeFileSync(join(folder, 'abode.db'), 'not a database, despite its name'.repeat(100))
    await expect(openStore({ folder })).rejects.toThrow(/abode\.db cannot be opened: /)
    writeFileSync(join(root, 'file'), '')
    for (const taken of [join(root, 'file'), join(root, 'file', 'data', 'deeper')]) {
      const inAFile = openStore({ folder: taken })
      await expect(inAFile).rejects.toBeInstanceOf(StoreUnusable)
      await expect(inAFile).rejects.toThrow(`The data folder ${taken} cannot be made: `)
    }
  })

  it('keeps its files for their owner alone, in a folder that others may look into', async () => {
    mkdirSync(folder, { recursive: true, mode: 0o755 })
    const store = await openStore({ folder })
    await store.meta.insert({ id: 'a', value: '1' })
    const modes = readdirSync(folder).map((name) => [
      name,
      statSync(join(folder, name)).mode & 0o777,
    ])
    expect(Object.fromEntries(modes)).toEqual({
      'abode.db': 0o600,
      'abode.db-commits': 0o600,
      'abode.db-shm': 0o600,
      'abode.db-wal': 0o600,
    })
    await store.close()
  })

  it('makes the indexes follow their definitions', async () => {
    const made = await openDatabase(folder)
    made.exec('DROP INDEX "runs:owner_id,id-"')
    made.exec(`CREATE INDEX "runs:gone" ON "runs"((doc ->> '$.gone'))`)
    made.exec('DROP INDEX "claims:token_hash"')
    made.exec('CREATE INDEX "claims:token_hash" ON "claims"(id)')
    made.close()
    const database = await openDatabase(folder)
    const names = database
      .prepare("SELECT name, sql FROM sqlite_schema WHERE type = 'index' AND name LIKE '%:%'")
      .all()
      .map((row) => String(row.name))
    const wanted = Object.entries(collections).flatMap(([name, { indexes }]) =>
      indexes.map((index) => indexName(name, index)),
    )
    expect(names.toSorted()).toEqual(wanted.toSorted())
    const repaired = database
      .prepare("SELECT sql FROM sqlite_schema WHERE name = 'claims:token_hash'")
      .get()
    expect(repaired?.sql).toMatch(/^CREATE UNIQUE INDEX .*\$\.token_hash/)
    database.close()
  })

  it('waits while another process has the file to itself', async () => {
    const made = await openDatabase(folder)
    made.close()
    const hold = `
      const { DatabaseSync } = require('node:sqlite')
      const database = new DatabaseSync(process.argv[1])
      database.exec('BEGIN EXCLUSIVE')
      console.log('locked')
      setTimeout(() => database.exec('COMMIT'), 200)
    `
    const other = spawn(process.execPath, ['-e', hold, join(folder, 'abode.db')])
    await once(other.stdout, 'data')
    const store = await openStore({ folder })
    expect(await store.isHealthy()).toBe(true)
    await store.close()
    if (other.exitCode === null) await once(other, 'exit')
  })
})

/** A database that remembers the last question that it was asked. */
class Recording extends DatabaseSync {
  asked = ''

  override prepare(sql: string): StatementSync {
    if (sql.startsWith('SELECT')) this.asked = sql
    return super.prepare(sql)
  }
}

/** What an index is made for: its paths but the last, and the last equal, or in its order. */
function questions({ on, unique }: Index): [Filter<Thing>, FindOptions<Thing>][] {
  const paths = Object.entries(on)
  // One that begins with the key is read along, and named where that is done.
  if (paths[0]?.[0] === 'id') return []
  const [last, way] = paths.at(-1) ?? ['id', 1]
  const equal = Object.fromEntries(paths.slice(0, -1).map(([path]) => [path, 'x']))
  const one: [Filter<Thing>, FindOptions<Thing>] = [{ ...equal, [last]: 'x' }, {}]
  if (unique) return [one]
  const list: typeof one = [
    { ...equal, [last]: { $lte: 'x' } },
    { sort: { [last]: way }, limit: 21 },
  ]
  return last === 'id' ? [list] : [one, list]
}

describe('the indexes of the embedded store', () => {
  it('answer what they are made for, in order, without sorting', async () => {
    const made = await openDatabase(folder)
    made.close()
    const database = new Recording(join(folder, 'abode.db'))
    const store = sqliteStore(database)
    const plan = (): string => {
      const steps = database.prepare(`EXPLAIN QUERY PLAN ${database.asked}`).all()
      return steps.map((step) => String(step.detail)).join('; ')
    }
    const definitions: [string, CollectionDefinition][] = Object.entries(collections)
    for (const [name, { indexes }] of definitions) {
      // Any collection may be asked about any path; the types know only those of its noun.
      const collection = store[name as 'meta'] as unknown as Collection<Thing>
      await collection.text({ id: 'x' })
      const byId = `SEARCH ${name} USING INDEX sqlite_autoindex_${name}_1 (id=?)`
      expect(plan()).toBe(byId)
      for (const index of indexes) {
        const [path = ''] = Object.keys(index.on)
        if (path === 'id') continue
        // An owner may have thousands of them.
        await collection.text({ [path]: 'x', id: { $in: ['x', 'y'] } })
        expect(plan()).toContain(byId)
      }
      for (const index of indexes) {
        for (const [filter, options] of questions(index)) {
          await collection.text(filter, options)
          expect(plan()).toContain(`SEARCH ${name} USING INDEX ${indexName(name, index)} (`)
          expect(plan()).not.toMatch(/TEMP B-TREE|SCAN/)
        }
      }
    }
    await store.close()
  })
})
