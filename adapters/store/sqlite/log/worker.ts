import { parentPort, workerData } from 'node:worker_threads'
import { copyLog, openForCopies } from './copy.ts'

/** A request to the thread, and its answer once it is done. */
export type Message = 'copy' | 'close'

const patienceMs = 1_000

if (parentPort) {
  const port = parentPort
  const database = openForCopies(String(workerData), patienceMs)
  // Only the store writes to this port.
  port.on('message', (message: Message) => {
    if (message === 'copy') {
      copyLog(database)
      return port.postMessage(message)
    }
    database.close()
    port.close()
  })
}
