import { once } from 'node:events'
import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { DatabaseSync } from 'node:sqlite'
import type { Worker } from 'node:worker_threads'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { openStore } from '#adapters/store/open.ts'
import { openDatabase } from '#adapters/store/sqlite/schema.ts'
import { intakeOf } from '#adapters/store/sqlite/search/tables.ts'
import { migrateSearch } from '#adapters/store/sqlite/search/migration.ts'
import type { Question } from '#adapters/store/sqlite/search/worker.ts'
import { mostRanked } from '#adapters/store/sqlite/search/rank.ts'
import { longestQueue, SearchThread } from '#adapters/store/sqlite/search/thread.ts'
import type { CollectionDefinition } from '#src/ports/documents.ts'
import { Unavailable } from '#src/ports/store.ts'
import { find, found, makeSearchable } from './search-things.ts'
import { hiding, ids, plain, thing, type Things, things } from '#tests/contract/store-things.ts'

makeSearchable()

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'abode-search-'))
})
afterEach(() => {
  rmSync(folder, { recursive: true })
})

const open = async (): Promise<Things> => things(await openStore({ folder }))

describe('the search tables of the embedded store', () => {
  const definition = (words: Record<string, number>, marks?: string[]): CollectionDefinition => ({
    shardKey: null,
    hidden: [],
    indexes: [],
    search: { words, ...(marks ? { marks } : {}) },
  })

  /** The ids that the table of the collection finds, past the store. */
  const matches = (database: DatabaseSync, expression: string): unknown[] =>
    database
      .prepare(
        `SELECT id FROM messages WHERE rowid IN
         (SELECT rowid FROM "messages:search" WHERE "messages:search" MATCH ?) ORDER BY id`,
      )
      .all(expression)
      .map(({ id }) => id)

  it('are filled from the documents that are there, when a definition comes or changes', async () => {
    const database = await openDatabase(folder)
    migrateSearch(database, [])
    const insert = database.prepare('INSERT INTO messages (id, doc) VALUES (?, ?)')
    insert.run('a', JSON.stringify({ title: 'whale', note: 'sea', tags: ['x'] }))
    insert.run('b', JSON.stringify({ title: 'sea' }))
    migrateSearch(database, [['messages', definition({ title: 1 }, ['tags'])]])
    expect(matches(database, 'whale')).toEqual(['a'])
    expect(matches(database, 'marks : x0x780')).toEqual(['a'])
    expect(matches(database, 'sea')).toEqual(['b'])
    const both = definition({ title: 2, note: 1 })
    migrateSearch(database, [['messages', both]])
    expect(matches(database, 'sea')).toEqual(['a', 'b'])
    const third = JSON.stringify({ note: 'sea' })
    const { lastInsertRowid } = insert.run('c', third)
    // As the store does, for each that it inserts.
    database.prepare(intakeOf('messages', both)?.sql ?? '').run(lastInsertRowid, third)
    expect(matches(database, 'sea')).toEqual(['a', 'b', 'c'])
    migrateSearch(database, [['messages', { shardKey: null, hidden: [], indexes: [] }]])
    const left = "SELECT name FROM sqlite_schema WHERE name LIKE '%:search%'"
    expect(database.prepare(left).all()).toEqual([])
    insert.run('d', JSON.stringify({ note: 'sea' }))
    database.close()
  })

  it('are left as they are when nothing has changed but a weight', async () => {
    const database = await openDatabase(folder)
    migrateSearch(database, [['messages', definition({ title: 1 })]])
    const schema = (): unknown => database.prepare('PRAGMA schema_version').get()
    const before = schema()
    migrateSearch(database, [['messages', definition({ title: 9 })]])
    expect(schema()).toEqual(before)
    database.prepare('DROP TRIGGER "messages:search:update"').run()
    migrateSearch(database, [['messages', definition({ title: 9 })]])
    const trigger = "SELECT 1 FROM sqlite_schema WHERE name = 'messages:search:update'"
    expect(database.prepare(trigger).all()).toHaveLength(1)
    database.close()
  })

  it('have small pages, also where an older version made them, and are not written again for it', async () => {
    const database = await openDatabase(folder)
    const size = (): unknown =>
      database.prepare(`SELECT v FROM "messages:search_config" WHERE k = 'pgsz'`).get()?.v
    const changes = (): unknown => database.prepare('SELECT total_changes() AS n').get()?.n
    migrateSearch(database, [['messages', definition({ title: 1 })]])
    expect(size()).toBe(2000)
    const before = changes()
    migrateSearch(database, [['messages', definition({ title: 1 })]])
    expect(changes()).toBe(before)
    // What FTS5 does by itself.
    database.exec(`INSERT INTO "messages:search"("messages:search", rank) VALUES ('pgsz', 4050)`)
    migrateSearch(database, [['messages', definition({ title: 1 })]])
    expect(size()).toBe(2000)
    database.close()
  })

  it('are not written when a change leaves the words and marks alone', async () => {
    const database = await openDatabase(folder)
    const insert = database.prepare('INSERT INTO runs (id, doc, hidden) VALUES (?, ?, ?)')
    insert.run('a', '{"output":"whale","n":1}', '{"open":true,"family":"f"}')
    insert.run('b', '{"output":"whale","n":1}', '{"open":false}')
    /** The rows that a statement changes, those of its triggers included. */
    const changed = (sql: string): number => {
      const total = database.prepare('SELECT total_changes() AS n')
      const before = Number(total.get()?.n)
      database.exec(sql)
      return Number(total.get()?.n) - before
    }
    const doc = (id: string, text: string): string =>
      `UPDATE runs SET doc = '${text}', hidden = hidden WHERE id = '${id}'`
    expect(changed(doc('a', '{"output":"whale","n":2}'))).toBe(1)
    expect(changed(doc('b', '{"output":"dolphin","n":2}'))).toBe(1)
    expect(changed(doc('a', '{"output":"dolphin","n":2}'))).toBeGreaterThan(1)
    expect(changed(`UPDATE runs SET hidden = '{"open":true}' WHERE id = 'a'`)).toBeGreaterThan(1)
    expect(changed(`DELETE FROM runs WHERE id = 'b'`)).toBe(1)
    database.close()
  })

  it('still fit their documents after the file was vacuumed', async () => {
    const made = await open()
    for (const id of ['a', 'b', 'c']) await made[plain].insert(thing(id, { title: `whale ${id}x` }))
    await made[plain].delete({ id: 'a' })
    await made.close()
    const database = await openDatabase(folder)
    database.exec('VACUUM')
    database.close()
    const store = await open()
    expect(await found(store, 'bx')).toEqual(['b'])
    expect(await found(store, 'cx')).toEqual(['c'])
    await store.close()
  })

  it('are whole after writes of every kind', async () => {
    const store = await open()
    for (let n = 0; n < 200; n += 1) {
      const id = `m${n % 40}`
      if (n % 3 === 0) await store[plain].delete({ id })
      else if (!(await store[plain].update({ id }, { $set: { title: `whale w${n}` } }))) {
        await store[plain].insert(thing(id, { title: `whale w${n}`, board: 'ask' }))
      }
    }
    const all = ids(await store[plain].find({})).toSorted()
    expect(await found(store, 'whale', { limit: 100 })).toEqual(all)
    await store.close()
    const database = await openDatabase(folder)
    expect(database.prepare('PRAGMA integrity_check').all()).toEqual([{ integrity_check: 'ok' }])
    database.close()
  })
})

describe('the rank of the embedded store', () => {
  it('prefers words that stand close to each other, and what tells more of those asked for', async () => {
    const store = await open()
    const far = Array.from({ length: 30 }, (_, n) => `w${n}`).join(' ')
    await store.commit([
      { in: plain, insert: thing('a', { title: 'x', body: 'a grey whale sings' }) },
      { in: plain, insert: thing('b', { title: 'x', body: `grey ${far} whale` }) },
      { in: plain, insert: thing('c', { title: 'x', body: 'octopus' }) },
      { in: plain, insert: thing('d', { title: 'x', body: 'whale' }) },
    ])
    expect(ids(await find(store, 'grey whale'))).toEqual(['a', 'b'])
    expect(ids(await find(store, 'whale octopus', { mode: 'any', limit: 2 }))).toEqual(['c', 'd'])
    await store.close()
  })

  it('ranks the newest of very many matches, and all of those that hold a rare word', async () => {
    const store = await open()
    await store[plain].insert(thing('oldest', { title: 'whale', body: 'octopus' }))
    const many = Array.from({ length: mostRanked }, (_, n) => thing(`n${n}`, { body: 'whale' }))
    await store.commit(many.map((document) => ({ in: plain, insert: document })))
    const [first] = await find(store, 'whale')
    expect(first?.id).toBe(`n${mostRanked - 1}`)
    expect(await found(store, 'whale', { filter: { id: 'oldest' } })).toEqual([])
    expect(await found(store, 'whale octopus')).toEqual(['oldest'])
    const [best] = await find(store, 'octopus whale', { mode: 'any' })
    expect(best).toMatchObject({ id: 'oldest', matched: ['octopus', 'whale'] })
    await store.close()
  })
})

describe('the thread that searches', () => {
  const nextThread = async (): Promise<Worker> => {
    const [worker] = await once(process, 'worker')
    // This is what the event is about.
    return worker as Worker
  }

  it('starts with the first search, and another takes its place when it has died', async () => {
    const store = await open()
    await store[plain].insert(thing('a', { title: 'whale' }))
    const starting = nextThread()
    expect(await found(store, 'whale')).toEqual(['a'])
    await (await starting).terminate()
    expect(await found(store, 'whale')).toEqual(['a'])
    await store.close()
  })

  it('is missed only by the search that it was at', async () => {
    const store = await open()
    await store[plain].insert(thing('a', { title: 'whale' }))
    const starting = nextThread()
    const asked = [find(store, 'whale'), find(store, 'whale'), find(store, 'whale')]
    const settled = Promise.allSettled(asked)
    await (await starting).terminate()
    const [first, ...others] = await settled
    expect(first).toMatchObject({ status: 'rejected', reason: { name: 'Unavailable' } })
    expect(others.map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled'])
    await store.close()
  })

  it('ends with the store, even during a search, and leaves one file', async () => {
    const store = await open()
    await store[plain].insert(thing('a', { title: 'whale' }))
    await store[hiding].insert(thing('b', { output: 'whale', open: true }))
    const asked = Promise.allSettled([find(store, 'whale'), find(store, 'whale')])
    await store.close()
    const [first, second] = await asked
    expect(first).toMatchObject({ status: 'fulfilled' })
    expect(second).toMatchObject({ status: 'rejected', reason: { name: 'Unavailable' } })
    await expect(find(store, 'whale')).rejects.toBeInstanceOf(Unavailable)
    expect(readdirSync(folder)).toEqual(['abode.db'])
  })

  it('keeps so many waiting and refuses the others', async () => {
    const store = await open()
    const asked = Array.from({ length: longestQueue + 11 }, () => find(store, 'whale'))
    const settled = await Promise.allSettled(asked)
    const refused = settled.filter(({ status }) => status === 'rejected')
    // One is under way in addition to those that wait.
    expect(refused).toHaveLength(10)
    expect(refused[0]).toMatchObject({ reason: { name: 'Unavailable' } })
    await store.close()
  })

  it('is given up when it does not come back, and those that wait get another', async () => {
    const code = `
      const { parentPort } = process.getBuiltinModule('node:worker_threads')
      parentPort.on('message', (question) => {
        if (question === 'close') return parentPort.close()
        if (question.limit === 0) for (;;);
        parentPort.postMessage({ found: [] })
      })`
    const url = new URL(`data:text/javascript,${encodeURIComponent(code)}`)
    const terms = { code: url, patienceMs: 1_000 }
    const thread = new SearchThread('file', (error) => error, terms)
    const question = (limit: number): Question => ({
      collection: plain,
      sought: { words: ['whale'], phrases: [], mode: 'all', weights: [1], marks: [], without: [] },
      filter: { sql: '', values: [] },
      limit,
    })
    await expect(thread.ask(question(0))).rejects.toBeInstanceOf(Unavailable)
    expect(await thread.ask(question(1))).toEqual([])
    await thread.close()
  })

  it('tells in the words of the port what is wrong with the file', async () => {
    const store = await open()
    await store[plain].insert(thing('a', { title: 'whale' }))
    await store.close()
    const database = await openDatabase(folder)
    // The data of the index, under the feet of those who read it.
    database.enableDefensive(false)
    database.exec('DELETE FROM "messages:search_data" WHERE id > 10')
    database.close()
    const broken = await open()
    await expect(find(broken, 'whale')).rejects.toBeInstanceOf(Unavailable)
    expect(ids(await broken[plain].find({}))).toEqual(['a'])
    await broken.close()
  })
})
