import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { formOf, schemaVersion } from '../upgrade/form.ts'

/** The form of the tables in a folder, next to that of this version; nothing is changed by looking. */
export function formIn(folder: string): { found: number; own: number } {
  using database = new DatabaseSync(join(folder, 'abode.db'), { readOnly: true, timeout: 5000 })
  return { found: formOf(database), own: schemaVersion }
}
