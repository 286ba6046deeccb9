import { DatabaseSync } from 'node:sqlite'
import { parentPort, workerData } from 'node:worker_threads'

/** What the thread is asked, and answers once it has done it. */
export type Message = 'copy' | 'close'

const patienceMs = 1_000

/**
 * Copies what stands in the log into the database, as far as nobody reads it there, and syncs both.
 * Where it cannot, the log stays as it is, and the next look at it finds so.
 */
function copy(database: DatabaseSync): void {
  try {
    database.exec('PRAGMA wal_checkpoint(PASSIVE)')
  } catch {
    // Another process is at it, or the disk is full.
  }
}

if (parentPort) {
  const port = parentPort
  const database = new DatabaseSync(String(workerData), { timeout: patienceMs })
  // Each page goes from one file to the other once, so that none need be kept.
  database.exec('PRAGMA synchronous=NORMAL; PRAGMA cache_size=-64')
  // The store alone writes to this port.
  port.on('message', (message: Message) => {
    if (message === 'copy') {
      copy(database)
      return port.postMessage(message)
    }
    database.close()
    port.close()
  })
}
