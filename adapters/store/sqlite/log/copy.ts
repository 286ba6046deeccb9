import { DatabaseSync } from 'node:sqlite'

/** A connection that copies the log, and does nothing else. */
export function openForCopies(path: string, patienceMs = 0): DatabaseSync {
  const database = new DatabaseSync(path, { timeout: patienceMs })
  // Each page is copied once, so none needs to be cached.
  database.exec('PRAGMA synchronous=NORMAL; PRAGMA cache_size=-64')
  return database
}

/**
 * Copies the log into the database, except pages that are being read in the log, and syncs both. If it
 * cannot, the log stays as it is, and the next check finds it so.
 */
export function copyLog(database: DatabaseSync): void {
  try {
    database.exec('PRAGMA wal_checkpoint(PASSIVE)')
  } catch {
    // Another process is copying, or the disk is full.
  }
}
