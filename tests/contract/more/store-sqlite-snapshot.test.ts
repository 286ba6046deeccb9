import { mkdtempSync, rmSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setImmediate as immediate } from 'node:timers/promises'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { Checkpoints } from '#adapters/store/sqlite/log/checkpoints.ts'
import { openDatabase } from '#adapters/store/sqlite/schema.ts'
import { sqliteStore } from '#adapters/store/sqlite/sqlite.ts'
import { plain, thing, type Things, things } from '../store-things.ts'

const pages = 20

describe('reads that follow each other without a pause', () => {
  let folder: string
  let database: DatabaseSync
  let other: DatabaseSync
  let store: Things
  beforeEach(async () => {
    folder = mkdtempSync(join(tmpdir(), 'abode-snapshot-'))
    database = await openDatabase(folder)
    store = things(sqliteStore(database, undefined, new Checkpoints(database, { pages })))
    other = new DatabaseSync(join(folder, 'abode.db'))
    await store[plain].insert(thing('a', { n: 1 }))
  })
  afterEach(async () => {
    other.close()
    await store.close()
    rmSync(folder, { recursive: true })
  })

  const read = () => store[plain].text({})
  const put = (id: string): void =>
    void other.prepare('INSERT INTO "messages" (id, doc) VALUES (?, ?)').run(id, `{"id":"${id}"}`)
  const pageCount = (): number =>
    Number(other.prepare('PRAGMA wal_checkpoint(NOOP)').get()?.['log'])

  it('see one moment, and later ones all that was committed meanwhile', async () => {
    // A read that a busy machine puts off takes long, and lets the next one wait for a turn.
    const still = vi.spyOn(performance, 'now').mockReturnValue(performance.now())
    const first = read()
    put('b')
    const second = read()
    still.mockRestore()
    expect(await first).toHaveLength(1)
    expect(await second).toHaveLength(1)
    await immediate()
    expect(await read()).toHaveLength(2)
  })

  it('are over before the event loop goes on, in each of its phases', async () => {
    // After the immediates of a turn come the timers of the next.
    await immediate()
    const later = new Promise<number>((resolve) => {
      setTimeout(() => {
        put('b')
        void read().then((rows) => resolve(rows.length))
      }, 1)
    })
    expect(await read()).toHaveLength(1)
    for (const due = performance.now() + 3; performance.now() < due;);
    expect(await later).toBe(2)
  })

  it('are over when the next transaction begins, which they do not hinder', async () => {
    const before = read()
    await store[plain].insert(thing('b'))
    expect(await before).toHaveLength(1)
    expect(await read()).toHaveLength(2)
    put('c')
    await immediate()
    expect(await read()).toHaveLength(3)
  })

  it('leave no transaction open', async () => {
    await read()
    expect(database.isTransaction).toBe(true)
    await immediate()
    expect(database.isTransaction).toBe(false)
  })

  it('leave none open where one of them fails', async () => {
    other.exec('DROP TABLE "messages"')
    await expect(read()).rejects.toThrow()
    expect(database.isTransaction).toBe(false)
  })

  it('do not keep the log from being cut back', async () => {
    // Until its length shows that it has started over: otherwise it would never be shorter.
    for (let n = 0, before = 0; pageCount() >= before; n++) {
      before = pageCount()
      const reading = read()
      await store[plain].insert(thing(`t${n}`))
      await Promise.all([reading, read()])
      await immediate()
    }
  })
})
