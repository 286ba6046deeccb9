import type { DatabaseSync } from 'node:sqlite'
import type { CollectionDefinition } from '#src/ports/documents.ts'
import { indexStatements, type IndexStatements, searchTable } from './tables.ts'

/**
 * Bytes of a page of an index. Each time that writes have filled 64 pages, FTS5 merges as many of every level
 * inside of the write that filled the last, and the event loop stands still: with its usual 4,050 for half as
 * long again. Still smaller ones make all writes slower.
 */
const pageBytes = 2_000

/**
 * Makes the search tables follow their definitions, inside the caller's transaction: tables that differ
 * are rebuilt from the documents, and those without a definition are dropped.
 */
export function migrateSearch(
  database: DatabaseSync,
  definitions: readonly (readonly [name: string, definition: CollectionDefinition])[],
): void {
  const wanted = new Map<string, IndexStatements>()
  for (const [name, definition] of definitions) {
    if (!definition.search) continue
    wanted.set(searchTable(name), indexStatements(name, definition, definition.search))
  }
  for (const [table, present] of presentTables(database)) {
    const want = wanted.get(table)
    if (want && isAsWanted(present, want.makes)) {
      setPages(database, table)
      wanted.delete(table)
    } else drop(database, table, present)
  }
  for (const [table, { makes, fills }] of wanted) {
    for (const sql of makes.values()) database.exec(sql)
    setPages(database, table)
    database.exec(fills)
  }
}

/** For what is written from now on: an index may have pages of several sizes. */
function setPages(database: DatabaseSync, table: string): void {
  const set = database.prepare(`SELECT v FROM "${table}_config" WHERE k = 'pgsz'`).get()
  if (set?.v === pageBytes) return
  database.exec(`INSERT INTO "${table}"("${table}", rank) VALUES ('pgsz', ${pageBytes})`)
}

/** The existing search tables, each with its statements by the name of what they created. */
function presentTables(database: DatabaseSync): Map<string, Map<string, string>> {
  const tables = new Map<string, Map<string, string>>()
  const found = database
    .prepare(
      `SELECT name, sql FROM sqlite_schema WHERE (type = 'table' AND name LIKE '%:search')
       OR (type = 'trigger' AND name LIKE '%:search:%')`,
    )
    .all()
  for (const row of found) {
    const name = String(row.name)
    const table = name.replace(/(?<=:search):.*/s, '')
    const present = tables.get(table) ?? new Map<string, string>()
    tables.set(table, present.set(name, String(row.sql)))
  }
  return tables
}

function isAsWanted(present: Map<string, string>, makes: ReadonlyMap<string, string>): boolean {
  return present.size === makes.size && [...makes].every(([name, sql]) => present.get(name) === sql)
}

function drop(database: DatabaseSync, table: string, present: Map<string, string>): void {
  for (const name of present.keys()) {
    if (name !== table) database.exec(`DROP TRIGGER "${name}"`)
  }
  if (present.has(table)) database.exec(`DROP TABLE "${table}"`)
}
