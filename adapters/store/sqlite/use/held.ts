import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'

/** How long a write that is about to end is awaited. */
const patienceMs = 2000

/** Keeps everyone from writing to the embedded store of the folder; returns the function that ends it. */
export function heldStill(folder: string): () => void {
  const database = new DatabaseSync(join(folder, 'abode.db'), { timeout: patienceMs })
  try {
    database.exec('BEGIN IMMEDIATE')
  } catch (cause) {
    database.close()
    throw cause
  }
  return () => database.close()
}
