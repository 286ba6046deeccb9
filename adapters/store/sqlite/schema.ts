import { closeSync, openSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { setTimeout as sleep } from 'node:timers/promises'
import { collections } from '#src/collections.ts'
import type { CollectionName, CollectionDefinition, Index } from '#src/ports/documents.ts'
import { makeFolder } from '../folder.ts'
import { changeTables } from './changes/tables.ts'
import { isBusy, type UniqueIndex } from './errors.ts'
import { column, holder } from './filter.ts'
import { memberColumn, memberColumns } from './members.ts'
import { readNote } from './log/commits.ts'
import { keepLoss, missingCommits } from './log/loss.ts'
import { migrateSearch } from './search/migration.ts'
import { StoreUnusable } from '../unusable.ts'
import type { Upgrade } from '../opened.ts'
import { copyBefore } from './upgrade/copy.ts'
import { formOf, schemaVersion } from './upgrade/form.ts'

const openingMs = 5_000

interface Opening {
  /** Whether tables of an older version get the form of this one. */
  mayUpgrade: boolean
  /** Called if they got it. */
  told: (upgrade: Upgrade) => void
}

// Object.entries loses the key types of the table.
const definitions = Object.entries(collections) as [CollectionName, CollectionDefinition][]

/**
 * Opens `abode.db` in the folder, which is created if missing, with its tables and indexes.
 * @throws StoreUnusable when a newer version wrote it, or an older one whose form must stay, or when it cannot be created
 * or opened
 */
export async function openDatabase(
  folder: string,
  opening: Opening = { mayUpgrade: true, told: () => undefined },
): Promise<DatabaseSync> {
  const path = join(folder, 'abode.db')
  const deadline = performance.now() + openingMs
  for (;;) {
    try {
      makeFolder(folder)
      makeFile(path)
      return open(path, opening)
    } catch (error) {
      if (error instanceof StoreUnusable) throw error
      // Processes that start at once collide while one of them recovers or creates the log: then SQLite
      // refuses at once instead of waiting.
      if (isBusy(error) && performance.now() < deadline) await sleep(20)
      else throw unusable(path, error)
    }
  }
}

/** A further connection of the process, for reads alone, to a database that is open. */
export function openReader(path: string): DatabaseSync {
  const database = new DatabaseSync(path, { readOnly: true })
  database.exec('PRAGMA cache_size=-2048; PRAGMA temp_store=MEMORY')
  return database
}

function unusable(path: string, cause: unknown): StoreUnusable {
  const reason = cause instanceof Error ? cause.message : String(cause)
  return new StoreUnusable(`The database ${path} cannot be opened: ${reason}`, { cause })
}

/** For its owner only: SQLite gives the files next to it the same mode. */
function makeFile(path: string): void {
  try {
    // Only ever as a new file: closing an existing one would drop this process's locks on it.
    closeSync(openSync(path, 'wx', 0o600))
  } catch (cause) {
    if (!(cause instanceof Error && 'code' in cause && cause.code === 'EEXIST')) throw cause
  }
}

function open(path: string, { mayUpgrade, told }: Opening): DatabaseSync {
  // Read before the database: another process may keep writing to it in the meantime.
  const noted = readNote(path)
  const database = new DatabaseSync(path, { timeout: openingMs })
  try {
    configure(database)
    database.exec('BEGIN IMMEDIATE')
    const upgrade = migrate(database, path, mayUpgrade)
    const missing = missingCommits(database, noted)
    // Recorded before the commit: if this process dies here, the loss is found again.
    if (missing > 0) keepLoss(path, missing, new Date())
    database.exec('COMMIT')
    if (upgrade) told(upgrade)
    // From here on waiting is done with timers: inside SQLite it would block the event loop.
    database.exec('PRAGMA busy_timeout=0')
    return database
  } catch (error) {
    database.close()
    throw error
  }
}

function configure(database: DatabaseSync): void {
  // The page size and whether pages can be given back come first: they are fixed once the file has a page.
  // Syncing commits and cutting back the log are done by SyncedLog and Checkpoints.
  database.exec(`
    PRAGMA page_size=8192;
    PRAGMA auto_vacuum=INCREMENTAL;
    PRAGMA journal_mode=WAL;
    PRAGMA synchronous=NORMAL;
    PRAGMA wal_autocheckpoint=0;
    PRAGMA journal_size_limit=67108864;
    PRAGMA cache_size=-16384;
    PRAGMA temp_store=MEMORY;
  `)
  // Apple's fsync leaves the data in the drive's own cache.
  if (process.platform === 'darwin') database.exec('PRAGMA fullfsync=1')
}

/**
 * Gives the tables and indexes their form. All of it is one transaction: a process that is killed leaves the form of
 * before, and others wait, or are refused once it is done.
 */
function migrate(database: DatabaseSync, path: string, mayUpgrade: boolean): Upgrade | undefined {
  const found = formOf(database)
  if (found > schemaVersion) {
    throw new StoreUnusable(
      `The database ${path} was written by a newer version of Abode (form ${found}; this one ` +
        `knows up to ${schemaVersion}). Start that version, or name another data folder.`,
    )
  }
  const isOlder = found > 0 && found < schemaVersion
  if (isOlder && !mayUpgrade) {
    throw new StoreUnusable(
      `The database ${path} is of an older version of Abode (form ${found}; this one has ${schemaVersion}). ` +
        'Start the server, which upgrades it, and call this command again.',
    )
  }
  const upgrade = isOlder
    ? { from: found, to: schemaVersion, copy: copyBefore(path, found) }
    : undefined
  const present = new Map(
    database
      .prepare(
        "SELECT name, sql FROM sqlite_schema WHERE type IN ('table', 'index') " +
          "AND name NOT LIKE 'sqlite_%' AND name NOT LIKE '%:search%'",
      )
      .all()
      .map((row) => [String(row.name), String(row.sql)]),
  )
  const { tables, indexes } = wanted()
  for (const [name, sql] of tables) if (!present.has(name)) database.exec(sql)
  for (const [name, definition] of definitions) {
    addHidden(database, name, definition)
    addMembers(database, name, definition)
  }
  // Indexes hold no data of their own, so they simply follow the definitions. Those that an operator has made stay.
  for (const [name, sql] of present) {
    const isOurs = !tables.has(name) && name.includes(':')
    if (isOurs && indexes.get(name) !== sql) database.exec(`DROP INDEX "${name}"`)
  }
  for (const [name, sql] of indexes) if (present.get(name) !== sql) database.exec(sql)
  migrateSearch(database, definitions)
  if (found !== schemaVersion) database.exec(`PRAGMA user_version=${schemaVersion}`)
  return upgrade
}

/** Adds the column for hidden members to a table of an older version that had none. */
function addHidden(
  database: DatabaseSync,
  name: string,
  { hidden }: Pick<CollectionDefinition, 'hidden'>,
): void {
  if (hidden.length === 0 || columnsOf(database, name).has('"hidden"')) return
  database.exec(`ALTER TABLE "${name}" ADD COLUMN hidden TEXT`)
  database.exec(`UPDATE "${name}" SET hidden = '{}'`)
  for (const member of hidden) {
    const path = `'$.${member}'`
    database.exec(
      `UPDATE "${name}" SET hidden = json_set(hidden, ${path}, doc -> ${path}), ` +
        `doc = json_remove(doc, ${path}) WHERE doc -> ${path} IS NOT NULL`,
    )
  }
}

function columnsOf(database: DatabaseSync, name: string): Set<string> {
  const there = database.prepare(`SELECT name FROM pragma_table_info('${name}')`).all()
  return new Set(there.map((row) => `"${String(row.name)}"`))
}

/** Adds missing columns of members to a table of an older version, filled from its documents. */
function addMembers(database: DatabaseSync, name: string, definition: CollectionDefinition): void {
  const { columns = [] } = definition
  if (columns.length === 0) return
  const known = columnsOf(database, name)
  for (const member of columns) {
    const own = memberColumn(member)
    if (known.has(own)) continue
    database.exec(`ALTER TABLE "${name}" ADD COLUMN ${own}`)
    database.exec(`UPDATE "${name}" SET ${own} = ${holder(definition, member)} ->> '$.${member}'`)
  }
}

function wanted(): { tables: Map<string, string>; indexes: Map<string, string> } {
  const counted = 'CREATE TABLE "commits" (count INTEGER NOT NULL)'
  const tables = new Map([['commits', counted], ...changeTables])
  const indexes = new Map<string, string>()
  for (const [name, definition] of definitions) {
    const hidden = definition.hidden.length > 0 ? ', hidden TEXT' : ''
    const rest = `doc TEXT NOT NULL${hidden}${memberColumns(definition)}`
    tables.set(name, `CREATE TABLE "${name}" (id TEXT PRIMARY KEY, ${rest})`)
    for (const index of definition.indexes) {
      indexes.set(indexName(name, index), createIndex(name, definition, index))
    }
  }
  return { tables, indexes }
}

/** Names include collection, paths and directions, so that a changed index has another name. */
export function indexName(collection: string, index: Index): string {
  const paths = Object.entries(index.on).map(([path, way]) => (way === -1 ? `${path}-` : path))
  return `${collection}:${paths.join(',')}`
}

function createIndex(collection: string, definition: CollectionDefinition, index: Index): string {
  const paths = Object.entries(index.on)
  const terms = paths.map(
    ([path, way]) => `${column(definition, path)}${way === -1 ? ' DESC' : ''}`,
  )
  // The id makes the order of a list complete, so that pages are read from the index without sorting.
  if (!index.unique && !('id' in index.on)) {
    terms.push(paths.at(-1)?.[1] === -1 ? 'id DESC' : 'id')
  }
  const kind = index.unique ? 'UNIQUE INDEX' : 'INDEX'
  const name = indexName(collection, index)
  const { sparse } = index
  const filled = sparse ? ` WHERE ${column(definition, sparse)} IS NOT NULL` : ''
  return `CREATE ${kind} "${name}" ON "${collection}"(${terms.join(', ')})${filled}`
}

/** The names that SQLite's errors use for each unique index. */
export function uniqueIndexes(): Map<string, UniqueIndex> {
  const names = new Map<string, UniqueIndex>()
  for (const [collection, { indexes, columns = [] }] of definitions) {
    names.set(`${collection}.id`, { collection, paths: ['id'] })
    for (const index of indexes) {
      if (!index.unique) continue
      const paths = Object.keys(index.on)
      names.set(indexName(collection, index), { collection, paths })
      // For an index over columns only, SQLite reports their names.
      const [path = '', ...more] = paths
      const isOfColumn = more.length === 0 && columns.includes(path)
      if (isOfColumn) names.set(`${collection}.m_${path}`, { collection, paths })
    }
  }
  return names
}
