import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'

/** How long a process that is about to end is awaited. */
const patienceMs = 2000

/**
 * Whether any process has the embedded store of the folder open, this one included. Only the sole user
 * of a database may remove its log, so trying that tells; the next process to open it creates the log
 * again.
 */
export function isInUse(folder: string): boolean {
  const path = join(folder, 'abode.db')
  if (!existsSync(path)) return false
  const database = new DatabaseSync(path, { timeout: patienceMs })
  try {
    database.exec('PRAGMA journal_mode=DELETE')
    return false
  } catch (cause) {
    // Any other error is reported, with a better message, when the store is opened.
    return cause instanceof Error && /\blocked\b/.test(cause.message)
  } finally {
    database.close()
  }
}
