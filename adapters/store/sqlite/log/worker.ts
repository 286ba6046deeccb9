import { DatabaseSync } from 'node:sqlite'
import { parentPort, workerData } from 'node:worker_threads'

/** A request to the thread, and its answer once it is done. */
export type Message = 'copy' | 'close'

const patienceMs = 1_000

/**
 * Copies the log into the database, except pages that are being read in the log, and syncs both. If it
 * cannot, the log stays as it is, and the next check finds it so.
 */
function copy(database: DatabaseSync): void {
  try {
    database.exec('PRAGMA wal_checkpoint(PASSIVE)')
  } catch {
    // Another process is copying, or the disk is full.
  }
}

if (parentPort) {
  const port = parentPort
  const database = new DatabaseSync(String(workerData), { timeout: patienceMs })
  // Each page is copied once, so none needs to be cached.
  database.exec('PRAGMA synchronous=NORMAL; PRAGMA cache_size=-64')
  // Only the store writes to this port.
  port.on('message', (message: Message) => {
    if (message === 'copy') {
      copy(database)
      return port.postMessage(message)
    }
    database.close()
    port.close()
  })
}
