import { fstatSync, mkdtempSync, rmSync, statSync } from 'node:fs'
import type { DatabaseSync } from 'node:sqlite'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setImmediate as immediate } from 'node:timers/promises'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { sqliteStore } from '#adapters/store/sqlite/sqlite.ts'
import { SyncedLog } from '#adapters/store/sqlite/log/log.ts'
import { openDatabase } from '#adapters/store/sqlite/schema.ts'
import { plain, thing, type Things, things } from './store-things.ts'
import { holdTime } from './more/hold-time.ts'

describe('the synced log of SQLite', () => {
  let folder: string
  let database: DatabaseSync
  let store: Things
  /** The syncs that were asked for, each to be ended by the test. */
  let syncs: { file: number; done: () => void; fail: (cause: Error) => void }[]
  beforeEach(async () => {
    folder = mkdtempSync(join(tmpdir(), 'abode-log-'))
    database = await openDatabase(folder)
    syncs = []
    const held = (file: number): Promise<void> =>
      new Promise((done, fail) => void syncs.push({ file, done, fail }))
    store = things(sqliteStore(database, new SyncedLog(database, held)))
  })
  afterEach(async () => {
    vi.restoreAllMocks()
    await store.close()
    rmSync(folder, { recursive: true })
  })

  const insert = (id: string): Promise<void> => store[plain].insert(thing(id))
  const path = (): string => join(folder, 'abode.db-wal')
  /** The next sync, once it is asked for. */
  const sync = async (): Promise<(typeof syncs)[number]> => {
    for (;;) {
      const next = syncs.shift()
      if (next) return next
      await immediate()
    }
  }
  /** Whether it has been settled once everything else that can happen has. */
  const isSettled = async (promise: Promise<unknown>): Promise<boolean> => {
    let settled = false
    promise.finally(() => (settled = true)).catch(() => undefined)
    for (let i = 0; i < 5; i++) await immediate()
    return settled
  }

  it('answers no write before the log is synced, and reads meanwhile', async () => {
    const first = insert('a')
    const { file, done } = await sync()
    expect(fstatSync(file).ino).toBe(statSync(path()).ino)
    expect(await isSettled(first)).toBe(false)
    expect(await store[plain].count({})).toBe(1)
    done()
    await first
  })

  it('gathers what arrives during a sync, refusals too, into one transaction after it', async () => {
    holdTime()
    const first = insert('a')
    const { done } = await sync()
    const others = [insert('b'), insert('c')]
    const refused = insert('a')
    expect(await isSettled(refused)).toBe(false)
    expect(syncs).toEqual([])
    expect(await store[plain].count({})).toBe(1)
    done()
    await first
    const next = await sync()
    expect(await isSettled(Promise.race([...others, refused.catch(() => undefined)]))).toBe(false)
    next.done()
    await Promise.all(others)
    await expect(refused).rejects.toMatchObject({ name: 'DuplicateKey' })
    expect(syncs).toEqual([])
  })

  it('says of a failed sync that the outcome is unknown, and empties the log before the next', async () => {
    const lost = insert('a')
    const { fail } = await sync()
    fail(new Error('EIO'))
    await expect(lost).rejects.toMatchObject({ name: 'Unavailable', outcomeUnknown: true })
    const size = statSync(path()).size
    expect(size).toBeGreaterThan(0)
    const kept = insert('b')
    const { done } = await sync()
    expect(statSync(path()).size).toBe(0)
    done()
    await kept
    expect(await store[plain].count({})).toBe(2)
    const last = insert('c')
    const again = await sync()
    expect(statSync(path()).size).toBeGreaterThan(0)
    again.done()
    await last
  })

  it('calls nothing durable while the log cannot be emptied', async () => {
    const lost = insert('a')
    const { fail } = await sync()
    fail(new Error('EIO'))
    await expect(lost).rejects.toMatchObject({ outcomeUnknown: true })
    const reader = await openDatabase(folder)
    reader.exec('BEGIN')
    reader.prepare('SELECT count(*) FROM meta').get()
    await expect(insert('b')).rejects.toMatchObject({ name: 'Unavailable', outcomeUnknown: true })
    reader.close()
    const kept = insert('c')
    const { done } = await sync()
    done()
    await kept
  })

  it('closes once what is under way is synced', async () => {
    const last = insert('a')
    const { done } = await sync()
    const closed = store.close()
    expect(await isSettled(closed)).toBe(false)
    done()
    await Promise.all([last, closed])
  })
})
