import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync, type StatementSync } from 'node:sqlite'
import { setImmediate as immediate } from 'node:timers/promises'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { sqliteStore } from '#adapters/store/sqlite/sqlite.ts'
import { openDatabase } from '#adapters/store/sqlite/schema.ts'
import { plain, thing, type Things, things } from './store-things.ts'
import { holdTime } from './more/hold-time.ts'

/** A database that tells which transactions it was asked for, and can fail in them. */
class Watched extends DatabaseSync {
  readonly asked: string[] = []
  readonly faults: string[] = []

  override prepare(sql: string): StatementSync {
    const statement = super.prepare(sql)
    if (!/^(BEGIN|COMMIT|SAVEPOINT|ROLLBACK|RELEASE)/.test(sql)) return statement
    const run = statement.run.bind(statement)
    statement.run = () => {
      this.asked.push(sql)
      if (this.faults[0] === sql) throw new Error(`${this.faults.shift()} failed`)
      return run()
    }
    return statement
  }
}

describe('the group commit of SQLite', () => {
  let folder: string
  let path: string
  let database: Watched
  let store: Things
  beforeEach(async () => {
    folder = mkdtempSync(join(tmpdir(), 'abode-commit-'))
    path = join(folder, 'abode.db')
    const made = await openDatabase(folder)
    made.close()
    database = new Watched(path, { timeout: 0 })
    store = things(sqliteStore(database))
  })
  afterEach(async () => {
    vi.restoreAllMocks()
    vi.useRealTimers()
    await store.close()
    rmSync(folder, { recursive: true })
  })

  const insert = (id: string, members?: object): Promise<void> =>
    store[plain].insert(thing(id, members))
  const transactions = (): number => database.asked.filter((sql) => sql.startsWith('BEGIN')).length
  const isSound = (): void => {
    expect(database.prepare('PRAGMA integrity_check').get()).toEqual({ integrity_check: 'ok' })
  }

  it('does the writes of one turn in one transaction', async () => {
    holdTime()
    await Promise.all(Array.from({ length: 100 }, (_, n) => insert(`m${n}`)))
    expect(database.asked).toEqual(['BEGIN IMMEDIATE', 'COMMIT'])
    await insert('later')
    expect(transactions()).toBe(2)
  })

  it('does at most 512 writes at a time and lets others have a turn between', async () => {
    holdTime()
    await Promise.all(Array.from({ length: 1_100 }, (_, n) => insert(`m${n}`)))
    expect(transactions()).toBe(3)
    expect(await store[plain].count({})).toBe(1_100)
  })

  it('takes savepoints only once a commit of several writes has failed', async () => {
    await store.commit([
      { in: plain, insert: thing('a') },
      { in: plain, insert: thing('c') },
    ])
    expect(database.asked).toEqual(['BEGIN IMMEDIATE', 'COMMIT'])
    database.asked.length = 0
    const refused = store.commit([
      { in: plain, insert: thing('b') },
      { in: plain, insert: thing('a') },
    ])
    await expect(refused).rejects.toMatchObject({ name: 'DuplicateKey' })
    expect(database.asked).toEqual([
      'BEGIN IMMEDIATE',
      'BEGIN IMMEDIATE',
      'SAVEPOINT w',
      'ROLLBACK TO w',
      'RELEASE w',
      'COMMIT',
    ])
  })

  it('keeps the neighbours of writes that fail, in one transaction', async () => {
    holdTime()
    await insert('taken')
    const writes = [
      insert('before'),
      insert('taken'),
      store.commit([
        { in: plain, insert: thing('torn') },
        { in: plain, update: { id: 'missing' }, change: { $set: { n: 1 } } },
      ]),
      store[plain].update({ id: 'before' }, { $inc: { n: 1 } }),
      store[plain].update({ id: 'before' }, { $push: { n: 1 } }),
      insert('after'),
    ]
    const outcomes = await Promise.allSettled(writes)
    expect(outcomes.map(({ status }) => status === 'fulfilled')).toEqual([
      true,
      false,
      false,
      true,
      false,
      true,
    ])
    // One for "taken", one that a torn commit ended, and one for all that is kept.
    expect(transactions()).toBe(3)
    expect(await store[plain].find({}, { sort: { id: 1 } })).toEqual([
      thing('after'),
      thing('before', { n: 1 }),
      thing('taken'),
    ])
  })

  it('tells a refusal only once what it rests on is durable', async () => {
    holdTime()
    database.faults.push('COMMIT')
    const outcomes = await Promise.allSettled([insert('a'), insert('a')])
    const reasons = outcomes.map((one) => (one.status === 'rejected' ? one.reason : undefined))
    // Not DuplicateKey: the first row did not become durable.
    for (const reason of reasons) {
      expect(reason).toMatchObject({ name: 'Unavailable', outcomeUnknown: true })
    }
    expect(await store[plain].count({})).toBe(0)
    await insert('a')
    expect(await store[plain].count({})).toBe(1)
  })

  it('fails only what does not fit when the disk is full, and goes on when it is not', async () => {
    await insert('old')
    const pages = Number(database.prepare('PRAGMA page_count').get()?.page_count)
    database.exec(`PRAGMA max_page_count=${pages + 4}`)
    const before = transactions()
    const huge = { text: 'x'.repeat(200_000) }
    const outcomes = await Promise.allSettled([
      insert('before'),
      insert('huge', huge),
      insert('between'),
      store.commit([
        { in: plain, insert: thing('torn') },
        { in: plain, insert: thing('huge too', huge) },
      ]),
      insert('old'),
      insert('after'),
    ])
    expect(outcomes).toMatchObject([
      { status: 'fulfilled' },
      { reason: { name: 'Unavailable', outcomeUnknown: false } },
      { status: 'fulfilled' },
      { reason: { name: 'Unavailable', outcomeUnknown: false } },
      { reason: { name: 'DuplicateKey' } },
      { status: 'fulfilled' },
    ])
    // The one that SQLite gave up, and one for each write.
    expect(transactions() - before).toBe(7)
    expect(await store[plain].find({}, { sort: { id: 1 } })).toEqual([
      thing('after'),
      thing('before'),
      thing('between'),
      thing('old'),
    ])
    expect(await store.isHealthy()).toBe(true)
    isSound()
    database.exec(`PRAGMA max_page_count=${pages + 1_000}`)
    await insert('huge', huge)
    expect(await store[plain].get('huge')).toEqual(thing('huge', huge))
    isSound()
  })

  it('does each write by itself when a savepoint cannot be undone', async () => {
    await insert('taken')
    database.faults.push('ROLLBACK TO w')
    const outcomes = await Promise.allSettled([
      insert('before'),
      store.commit([
        { in: plain, insert: thing('torn') },
        { in: plain, insert: thing('taken') },
      ]),
      insert('after'),
    ])
    expect(outcomes).toMatchObject([
      { status: 'fulfilled' },
      { reason: { name: 'DuplicateKey' } },
      { status: 'fulfilled' },
    ])
    expect(await store[plain].count({ id: { $in: ['before', 'after', 'torn'] } })).toBe(2)
  })

  it('fails a turn whose transaction cannot begin, and does the next', async () => {
    database.faults.push('BEGIN IMMEDIATE')
    await expect(insert('a')).rejects.toThrow('BEGIN IMMEDIATE failed')
    await insert('b')
    expect(await store[plain].count({})).toBe(1)
  })

  it('waits for another process without stopping reads, and then goes on in order', async () => {
    await insert('a', { n: 1 })
    const other = new DatabaseSync(path, { timeout: 0 })
    other.exec('BEGIN IMMEDIATE')
    let written = false
    const many = Array.from({ length: 600 }, (_, n) => n + 2)
    const waiting = Promise.all(
      many.map((n) => store[plain].update({ id: 'a', n: n - 1 }, { $set: { n } })),
    ).finally(() => {
      written = true
    })
    const tried = transactions()
    while (transactions() < tried + 4) {
      expect(await store[plain].get('a')).toEqual(thing('a', { n: 1 }))
      await immediate()
    }
    expect(written).toBe(false)
    other.exec('COMMIT')
    other.close()
    // Each rests on the one before it.
    expect((await waiting).map((one) => one?.n)).toEqual(many)
  })

  it('gives up after five seconds of waiting; nothing was done, and it works again after', async () => {
    const other = new DatabaseSync(path, { timeout: 0 })
    other.exec('BEGIN IMMEDIATE')
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] })
    const early = insert('early').catch((reason: unknown) => reason)
    await immediate()
    await vi.advanceTimersByTimeAsync(3_000)
    const tried = transactions()
    const late = insert('late')
    await immediate()
    // What comes in between waits too, without a try of its own.
    expect(transactions()).toBe(tried)
    await vi.advanceTimersByTimeAsync(2_100)
    expect(await early).toMatchObject({ name: 'Unavailable', outcomeUnknown: false })
    other.exec('COMMIT')
    other.close()
    await vi.advanceTimersByTimeAsync(100)
    await late
    expect(await store[plain].find({})).toEqual([thing('late')])
  })

  it('refuses more writes than it could ever catch up with', async () => {
    const other = new DatabaseSync(path, { timeout: 0 })
    other.exec('BEGIN IMMEDIATE')
    const many = Array.from({ length: 20_000 }, (_, n) => insert(`m${n}`))
    await expect(insert('one too many')).rejects.toMatchObject({ name: 'Unavailable' })
    other.exec('COMMIT')
    other.close()
    await Promise.all(many)
    expect(await store[plain].count({})).toBe(20_000)
  })

  it('lets a lazy write join the next transaction, or gives it one after 20 ms', async () => {
    holdTime()
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] })
    const joining = store[plain].insert(thing('a'), { lazy: true })
    await immediate()
    expect(transactions()).toBe(0)
    await insert('b')
    await joining
    expect(transactions()).toBe(1)
    const alone = store[plain].insert(thing('c'), { lazy: true })
    await vi.advanceTimersByTimeAsync(19)
    expect(transactions()).toBe(1)
    await vi.advanceTimersByTimeAsync(1)
    await alone
    expect(transactions()).toBe(2)
  })

  it('takes what was given at the call, even if the object changes later', async () => {
    const document = thing('a', { list: [1] })
    const change = { $set: { other: [1] } }
    const replace = thing('b', { list: [1] })
    const done = Promise.all([
      store[plain].insert(document),
      store[plain].update({ id: 'a' }, change),
      insert('b'),
      store.commit([{ in: plain, update: {}, replace }]),
    ])
    Object.assign(document, { list: 'changed' })
    change.$set.other.push(2)
    Object.assign(replace, { list: 'changed' })
    await done
    expect(await store[plain].get('a')).toEqual(thing('a', { list: [1], other: [1] }))
    expect(await store[plain].get('b')).toEqual(thing('b', { list: [1] }))
  })
})
