import { existsSync } from 'node:fs'
import type { DatabaseSync } from 'node:sqlite'
import { setImmediate as turn } from 'node:timers/promises'
import { collections } from '#src/collections.ts'
import { copySteps } from '#src/core/input/copy-steps.ts'
import type { CollectionName, CollectionDefinition } from '#src/ports/documents.ts'
import { Unmet, type Row, type TextRead, type Write } from '#src/ports/store.ts'
import { collectionOf } from './collection.ts'
import { MachineClock } from './lease-clock.ts'
import { Engine } from './engine.ts'
import { storeError } from './errors.ts'
import { Checkpoints } from './log/checkpoints.ts'
import { SyncedLog } from './log/log.ts'
import { readLoss } from './log/loss.ts'
import { hasManyValues, inTurns } from './large-rows.ts'
import { openDatabase } from './schema.ts'
import type { OpenedStore, Upgrade } from '../opened.ts'
import { searchDocuments } from './search/search.ts'
import { endSnapshot } from './snapshot.ts'
import type { StoredRow } from './rows.ts'
import { sizesOf, tallied } from './search/tally.ts'
import { SearchThread } from './search/thread.ts'
import { type Part, type Prepared, Table } from './table.ts'
import { giveBack } from './unused.ts'
import { schemaVersion } from './upgrade/form.ts'

/**
 * The embedded store: one file, `abode.db`, in a folder that is created if missing. Several processes
 * of one machine may share it.
 * @throws StoreUnusable
 */
export async function openSqlite(
  folder: string,
  { mayUpgrade = true }: { mayUpgrade?: boolean } = {},
): Promise<OpenedStore> {
  let upgrade: Upgrade | undefined
  const told = (one: Upgrade): void => void (upgrade = one)
  const database = await openDatabase(folder, { mayUpgrade, told })
  return { ...sqliteStore(database), ...(upgrade && { upgrade }) }
}

/** The store over a database that has its tables; closing the store closes the database. */
export function sqliteStore(
  database: DatabaseSync,
  log = new SyncedLog(database),
  checkpoints = new Checkpoints(database),
): OpenedStore {
  const engine = new Engine(database, log, checkpoints)
  const thread = new SearchThread(database.location(), (error) => storeError(error, new Map()))
  const clock = new MachineClock(engine)
  const tables = new Map<CollectionName, Part>()
  const members: Record<string, unknown> = {}
  // Object.entries loses the key types of the table.
  for (const [name, definition] of Object.entries(collections) as [
    CollectionName,
    CollectionDefinition,
  ][]) {
    const table = new Table(engine, name, definition)
    tables.set(name, table)
    members[name] = collectionOf(engine, table)
  }
  const path = database.location()
  const found = path === null ? undefined : readLoss(path)
  const store: Omit<OpenedStore, CollectionName> = {
    form: schemaVersion,
    watchedBy: (meter) => engine.watchedBy(meter),
    countedBy: (work) => engine.countedBy(work),
    wiping: (work) => wiping(database, work),
    commit: async (writes) => commit(engine, tables, writes),
    texts: (reads) => texts(engine, tables, reads),
    watch: (listener) => engine.watch(listener),
    now: async () => new Date(),
    leaseTime: () => clock.now(),
    isHealthy: () => isHealthy(engine),
    // A person may remove the file while the server runs.
    loss: () => (found && existsSync(found.file) ? found : undefined),
    search: (name, query, options) =>
      searchDocuments(thread, name, collections[name], query, options),
    tally: (tally) => tallied(thread, tally),
    sizes: () => sizesOf(path),
    giveBack: () => giveBack(engine),
    close: () => engine.close(thread.close()),
  }
  // One collection of each name was added above; the names are those of the type.
  return Object.assign(members, store) as unknown as OpenedStore
}

/** Replaced content is overwritten in its pages, and the log, which holds the old pages, is emptied. */
async function wiping<T>(database: DatabaseSync, work: () => Promise<T>): Promise<T> {
  database.exec('PRAGMA secure_delete=ON')
  try {
    return await work()
  } finally {
    endSnapshot(database)
    database.exec('PRAGMA wal_checkpoint(TRUNCATE); PRAGMA secure_delete=OFF')
  }
}

type Tables = ReadonlyMap<CollectionName, Part>

function texts(engine: Engine, tables: Tables, reads: readonly TextRead[]): Promise<Row[][]> {
  const name = reads[0] ? tableOf(tables, reads[0].in).readName : 'store.nothing'
  return engine.read(name, () => {
    const prepared = reads.map((read) => tableOf(tables, read.in).texts(read.filter, read.options))
    return () => {
      const found = prepared.map((read) => read())
      if (found.every((rows) => Array.isArray(rows))) return found
      return Promise.all(found.map((rows) => Promise.resolve(rows)))
    }
  })
}

function tableOf(tables: Tables, name: CollectionName): Part {
  const table = tables.get(name)
  if (!table) throw new TypeError(`there is no collection ${name}`)
  return table
}

/** So many writes are prepared in one turn of the event loop: of a large commit, megabytes of text. */
const preparedAtOnce = 64

async function commit(engine: Engine, tables: Tables, writes: readonly Write[]): Promise<void> {
  const steps: (() => void)[] = []
  let hasLarge = false
  for (const [position, write] of writes.entries()) {
    if (position > 0 && position % preparedAtOnce === 0) await turn()
    const row = rowOf(tables, write)
    if (row) hasLarge = true
    const change = copyOf(write)
    const step = prepare(tables, write, row && (await row), change && (await change))
    steps.push(() => {
      if (!step()) throw new Unmet(write.in, position)
    })
  }
  if (steps.length === 0) return
  // An insert into what is searched is two writes.
  const many = steps.length > 1 || writes.some((write) => tableOf(tables, write.in).isSearched)
  await engine.writeAll(steps, { many, ...(hasLarge && { inParts: true }) })
}

function rowOf(tables: Tables, write: Write): Promise<StoredRow> | undefined {
  const table = tableOf(tables, write.in)
  if ('insert' in write) return table.rowOf(write.insert)
  return 'replace' in write ? table.rowOf(write.replace) : undefined
}

/** A copy of a change that takes more than a moment to copy; undefined for others. */
function copyOf(write: Write): Promise<unknown> | undefined {
  return 'change' in write && hasManyValues(write.change)
    ? inTurns(copySteps(write.change))
    : undefined
}

/** @param copy of its change, if there is one already */
function prepare(tables: Tables, write: Write, row?: StoredRow, copy?: unknown): Prepared {
  const table = tableOf(tables, write.in)
  if ('insert' in write) return table.insert(write.insert, write.more, row)
  if ('replace' in write) return table.replace(write.update, write.replace, row)
  if ('change' in write) {
    // The copy has the form of the change.
    return table.change(write.update, write.change, copy as typeof write.change | undefined)
  }
  const remove = table.delete(write.delete)
  return () => remove() >= 0
}

async function isHealthy(engine: Engine): Promise<boolean> {
  try {
    const look = () => engine.statement('PRAGMA user_version').all() as unknown as [number][]
    const [row] = await engine.read('store.meta', () => look)
    return row !== undefined && row[0] <= schemaVersion && !engine.isDamaged
  } catch {
    return false
  }
}
