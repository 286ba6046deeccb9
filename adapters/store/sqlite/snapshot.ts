import type { DatabaseSync, StatementSync } from 'node:sqlite'

/**
 * One view of the database for reads that follow each other without a pause, such as those of one request:
 * outside of a transaction, each read locks and unlocks files, which takes longer than a small read itself.
 * It ends before the event loop goes on to the next callback, so a read sees everything that another process
 * committed before its request came. Writes begin and end without a pause too, and end the snapshot: between
 * two calls, any open transaction is this one.
 */
export class Snapshot {
  readonly #database: DatabaseSync
  readonly #begin: StatementSync
  readonly #rollback: StatementSync
  readonly #end = (): void => {
    if (this.#database.isOpen && this.#database.isTransaction) this.#rollback.get()
  }

  constructor(database: DatabaseSync) {
    this.#database = database
    this.#begin = database.prepare('BEGIN')
    // Nothing that may be left of a failed write is kept.
    this.#rollback = database.prepare('ROLLBACK')
  }

  /** Opens it until the promises that are ready now have gone on, if it is not open. */
  open(): void {
    if (this.#database.isTransaction) return
    // `run` would make an object of what has changed.
    this.#begin.get()
    process.nextTick(this.#end)
  }
}

/** Ends the snapshot, if there is one: before a write or a checkpoint, and after a read that failed. */
export function endSnapshot(database: DatabaseSync): void {
  if (database.isTransaction) database.exec('ROLLBACK')
}
