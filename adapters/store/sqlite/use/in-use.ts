import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'

/** How long a process that is just ending is waited for. */
const patienceMs = 2000

/**
 * Whether anybody has the embedded store of the folder open, this process included. Only who is
 * alone with a database may take its log away, so that asking for that tells; the next to open it
 * makes the log anew.
 */
export function isInUse(folder: string): boolean {
  const path = join(folder, 'abode.db')
  if (!existsSync(path)) return false
  const database = new DatabaseSync(path, { timeout: patienceMs })
  try {
    database.exec('PRAGMA journal_mode=DELETE')
    return false
  } catch (cause) {
    // Whatever else is wrong with it is said, in better words, when it is opened.
    return cause instanceof Error && /\blocked\b/.test(cause.message)
  } finally {
    database.close()
  }
}
