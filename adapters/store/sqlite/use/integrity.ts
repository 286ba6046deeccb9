import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'

/** Faults of one table are named up to this many. */
const faultsAtMost = 100

/** What SQLite finds wrong with one table and its indexes. */
export interface TableChecked {
  table: string
  faults: string[]
}

/**
 * Checks the tables of the database in a folder, one after the other: each in a read of its own, so that servers can
 * write meanwhile, and their log is not held for longer than one table takes.
 */
export function* tablesChecked(folder: string): Generator<TableChecked> {
  using database = new DatabaseSync(join(folder, 'abode.db'), { readOnly: true, timeout: 5000 })
  const named = "SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY name"
  for (const { name } of database.prepare(named).all()) {
    const table = String(name)
    const quoted = `"${table.replaceAll('"', '""')}"`
    yield { table, faults: faultsOf(database, quoted).slice(0, faultsAtMost) }
  }
}

/** Damage may end the check itself. */
function faultsOf(database: DatabaseSync, table: string): string[] {
  try {
    const rows = database.prepare(`PRAGMA integrity_check(${table})`).all()
    return rows.map((row) => String(Object.values(row)[0])).filter((said) => said !== 'ok')
  } catch (cause) {
    return [cause instanceof Error ? cause.message : String(cause)]
  }
}
