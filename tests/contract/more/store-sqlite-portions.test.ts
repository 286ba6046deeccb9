import { mkdtempSync, rmSync } from 'node:fs'
import type { DatabaseSync } from 'node:sqlite'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setImmediate as immediate } from 'node:timers/promises'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { Checkpoints, type CheckpointTerms } from '#adapters/store/sqlite/log/checkpoints.ts'
import { openDatabase } from '#adapters/store/sqlite/schema.ts'
import { openSqlite, sqliteStore } from '#adapters/store/sqlite/sqlite.ts'
import { plain, thing, type Things, things, type ThingWrite } from '../store-things.ts'

const count = 300

describe('a commit of many writes', () => {
  let folder: string
  let database: DatabaseSync
  let store: Things
  const open = async (terms: Partial<CheckpointTerms> = {}): Promise<void> => {
    database = await openDatabase(folder)
    store = things(sqliteStore(database, undefined, new Checkpoints(database, terms)))
  }
  beforeEach(async () => {
    folder = mkdtempSync(join(tmpdir(), 'abode-portions-'))
    await open()
    // Each look at the clock takes a millisecond: a portion has a few writes.
    let now = performance.now()
    vi.spyOn(performance, 'now').mockImplementation(() => (now += 1))
  })
  afterEach(async () => {
    vi.restoreAllMocks()
    await store.close()
    rmSync(folder, { recursive: true })
  })

  const many = (from = 0): ThingWrite[] =>
    Array.from({ length: count }, (_, n) => ({ in: plain, insert: thing(`m${from + n}`, { n }) }))
  /** Resolves in a turn of the event loop that is amid the transaction. */
  const amid = async (): Promise<void> => {
    while (!database.isTransaction) await immediate()
  }
  const thrown = (promise: Promise<unknown>): Promise<unknown> =>
    promise.then(
      () => undefined,
      (cause: unknown) => cause,
    )
  const isSound = (): void => {
    expect(database.prepare('PRAGMA integrity_check').get()).toEqual({ integrity_check: 'ok' })
  }

  it('leaves turns of the event loop in which reads see nothing of it, and then all', async () => {
    const done = store.commit(many())
    await amid()
    let turns = 0
    for (; database.isTransaction; turns += 1) {
      expect(await store[plain].count({})).toBe(0)
      await immediate()
    }
    expect(turns).toBeGreaterThan(10)
    await done
    expect(await store[plain].count({})).toBe(count)
  })

  it('leaves some for a large document too: before it is written, and before its end', async () => {
    const text = '漢"'.repeat(1_000_000)
    const done = store.commit([
      { in: plain, insert: thing('a', { text }) },
      { in: plain, insert: thing('b') },
    ])
    const ends: unknown[] = []
    void done.then(() => ends.push('written'))
    let before = 0
    for (; !database.isTransaction && ends.length === 0; before += 1) await immediate()
    expect(before).toBeGreaterThan(4)
    expect(await store[plain].count({})).toBe(0)
    await done
    expect(await store[plain].count({})).toBe(2)
    const read: (object | undefined)[] = []
    void store[plain].get('a').then((found) => read.push(found))
    let turns = 0
    for (; read.length === 0; turns += 1) await immediate()
    expect(turns).toBeGreaterThan(4)
    expect(read[0]).toMatchObject({ id: 'a' })
  })

  it('keeps others waiting, in order, and loses none', async () => {
    const done: string[] = []
    const note = (what: string) => () => void done.push(what)
    const all = [store.commit(many()).then(note('many'))]
    await amid()
    all.push(
      store[plain].insert(thing('a', { n: 1 })).then(note('a')),
      store[plain].update({ id: 'm9' }, { $inc: { n: 1000 } }).then(note('change of m9')),
      store.commit(many(count)).then(note('more')),
    )
    await Promise.all(all)
    expect(done).toEqual(['many', 'a', 'change of m9', 'more'])
    expect(await store[plain].count({})).toBe(2 * count + 1)
    expect(await store[plain].get('m9')).toEqual(thing('m9', { n: 1009 }))
  })

  it('leaves nothing if a write fails in its midst, and what waits goes on', async () => {
    await store[plain].insert(thing('m250', { is: 'taken' }))
    const twice = thrown(store.commit(many()))
    await amid()
    const missed = thrown(
      store.commit([...many(count), { in: plain, update: { id: 'none' }, change: { $set: {} } }]),
    )
    const between = store[plain].insert(thing('between'))
    expect(await twice).toMatchObject({ name: 'DuplicateKey' })
    expect(await missed).toMatchObject({ name: 'Unmet', in: plain, index: count })
    await between
    expect(await store[plain].find({}, { sort: { id: 1 } })).toEqual([
      thing('between'),
      thing('m250', { is: 'taken' }),
    ])
    isSound()
  })

  it('leaves nothing if the disk is full, or if its transaction is ended by someone else', async () => {
    const ended = thrown(store.commit(many()))
    await amid()
    database.exec('ROLLBACK')
    expect(await ended).toBeInstanceOf(Error)
    expect(await store[plain].count({})).toBe(0)
    const pages = Number(database.prepare('PRAGMA page_count').get()?.page_count)
    database.exec(`PRAGMA max_page_count=${pages}`)
    const text = 'x'.repeat(2000)
    const full = thrown(
      store.commit(many().map((_, n) => ({ in: plain, insert: thing(`m${n}`, { text }) }))),
    )
    expect(await full).toMatchObject({ name: 'Unavailable', outcomeUnknown: false })
    expect(await store[plain].count({})).toBe(0)
    database.exec(`PRAGMA max_page_count=${pages + 1000}`)
    await store.commit(many())
    isSound()
  })

  it('is ended before the store closes, which takes no more', async () => {
    const done = store.commit(many())
    await amid()
    const closed = store.close()
    expect(await thrown(store[plain].insert(thing('late')))).toMatchObject({ name: 'Unavailable' })
    expect(await thrown(store[plain].count({}))).toMatchObject({ name: 'Unavailable' })
    await Promise.all([done, closed])
    await open()
    expect(await store[plain].count({})).toBe(count)
  })

  it('goes on where the thread that copies the log fails meanwhile', async () => {
    await store.close()
    await open({ pages: 1, code: new URL('data:text/javascript,throw new Error("no")') })
    for (let from = 0; from < 3 * count; from += count) {
      await store[plain].insert(thing(`before ${from}`))
      await store.commit(many(from))
    }
    expect(await store[plain].count({})).toBe(3 * count + 3)
    isSound()
  })

  it('waits for another process, and is seen by it as one', async () => {
    const other = things(await openSqlite(folder))
    const both = [store.commit(many()), other.commit(many(count))]
    const seen = new Set<number>()
    while (!seen.has(2 * count)) {
      seen.add(await other[plain].count({}))
      await immediate()
    }
    await Promise.all(both)
    await other.close()
    expect([...seen].filter((one) => one % count > 0)).toEqual([])
  })
})
