import type { DatabaseSync, StatementSync } from 'node:sqlite'
import { Unavailable } from '#src/ports/store.ts'

/**
 * The form of the tables, kept in `user_version`. It counts up when an older version would read or write a store wrongly
 * that has the newer one: what each was is told in `docs/upgrading.md`.
 */
export const schemaVersion = 6

/** The form that a database has; 0 for one that was just made. */
export function formOf(database: DatabaseSync): number {
  return Number(database.prepare('PRAGMA user_version').get()?.user_version)
}

/** Keeps a process from writing what a newer version of it has given another form. */
export class FormGuard {
  readonly #form: StatementSync

  constructor(database: DatabaseSync) {
    this.#form = database.prepare('PRAGMA user_version')
    this.#form.setReturnArrays(true)
  }

  /** Called inside each transaction, before its writes. @throws Unavailable */
  check(): void {
    // One row of one number.
    const [form] = this.#form.get() as unknown as [number]
    if (form > schemaVersion) {
      throw new Unavailable(
        'a newer version of Abode has upgraded the store: end this process, and start that version',
      )
    }
  }
}
