import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { formOf, schemaVersion } from '../upgrade/form.ts'

/**
 * The form of the tables in a folder, next to that of this version, and whether the store has a fact of this id; nothing
 * is changed by looking.
 */
export function formIn(
  folder: string,
  factId: string,
): { found: number; own: number; hasFact: boolean } {
  using database = new DatabaseSync(join(folder, 'abode.db'), { readOnly: true, timeout: 5000 })
  const table = "SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = 'meta'"
  const hasFact =
    database.prepare(table).get() !== undefined &&
    database.prepare('SELECT 1 FROM meta WHERE id = ?').get(factId) !== undefined
  return { found: formOf(database), own: schemaVersion, hasFact }
}
