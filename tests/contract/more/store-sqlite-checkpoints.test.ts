import { mkdtempSync, rmSync, statSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setImmediate as immediate } from 'node:timers/promises'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { sqliteStore } from '#adapters/store/sqlite/sqlite.ts'
import { Checkpoints, type CheckpointTerms } from '#adapters/store/sqlite/log/checkpoints.ts'
import { openDatabase } from '#adapters/store/sqlite/schema.ts'
import { plain, thing, type Things, things } from '../store-things.ts'

const pages = 20
const pageBytes = 8192

describe('the cutting back of the log of SQLite', () => {
  let folder: string
  let database: DatabaseSync
  let store: Things
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'abode-checkpoints-'))
  })
  afterEach(async () => {
    await store.close()
    rmSync(folder, { recursive: true })
  })

  const open = async (terms: Partial<CheckpointTerms> = {}): Promise<void> => {
    database = await openDatabase(folder)
    const checkpoints = new Checkpoints(database, { pages, ...terms })
    store = things(sqliteStore(database, undefined, checkpoints))
  }
  const logBytes = (): number => statSync(join(folder, 'abode.db-wal')).size
  let last = 0
  /** Commits, one after the other. */
  const write = async (count: number): Promise<void> => {
    for (let n = 0; n < count; n++) await store[plain].insert(thing(`t${last++}`))
  }
  /** Commits until the log starts over, which shows in its length. */
  const writeUntilCutBack = async (): Promise<void> => {
    const look = database.prepare('PRAGMA wal_checkpoint(NOOP)')
    for (let before = 0; ;) {
      await write(1)
      const length = Number(look.get()?.log)
      if (length < before) return
      before = length
      await immediate()
    }
  }
  const running = (code: string): Partial<CheckpointTerms> => ({
    code: new URL(`data:text/javascript,${encodeURIComponent(code)}`),
  })

  it('has it start over again and again under writes without a pause, which all stay', async () => {
    await open()
    const before = last
    for (let times = 0; times < 3; times++) await writeUntilCutBack()
    expect(await store[plain].count({})).toBe(last - before)
    await store.close()
    await open()
    expect(await store[plain].count({})).toBe(last - before)
  })

  it('leaves what a reader still reads, and cuts back once it has gone', async () => {
    await open()
    await write(1)
    const reader = new DatabaseSync(join(folder, 'abode.db'), { readOnly: true })
    reader.exec('BEGIN')
    const count = reader.prepare('SELECT count(*) AS count FROM meta')
    const seen = count.get()
    await write(200)
    expect(logBytes()).toBeGreaterThan(200 * pageBytes)
    expect(count.get()).toEqual(seen)
    reader.close()
    await writeUntilCutBack()
  })

  it.each([
    ['does not start', 'throw new Error("no")'],
    ['ends amid its work', 'process.exit(1)'],
  ])('is done in place of a thread that %s', async (_, code) => {
    await open(running(code))
    await writeUntilCutBack()
  })

  it('holds up neither writes nor the end for longer than its patience', async () => {
    const deaf = 'import { parentPort } from "node:worker_threads"; let told = 0\n'
    // The first part is answered, the rest never, and the thread ends when it is told to.
    const answer =
      'if (m === "close") parentPort.close(); else if (told++ === 0) parentPort.postMessage(m)'
    await open({
      ...running(`${deaf}parentPort.on("message", (m) => { ${answer} })`),
      patienceMs: 1,
    })
    await write(100)
    expect(await store[plain].count({})).toBe(100)
  })
})
