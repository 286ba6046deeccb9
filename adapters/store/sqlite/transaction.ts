import type { DatabaseSync, StatementSync } from 'node:sqlite'
import type { TransactionDuties } from './duties.ts'
import { endSnapshot } from './snapshot.ts'
import { FormGuard } from './upgrade/form.ts'

/** The one transaction of a connection that writes: how it begins, and how it ends. */
export class Transaction {
  readonly #database: DatabaseSync
  readonly #duties: TransactionDuties
  readonly #form: FormGuard
  readonly #begin: StatementSync
  readonly #commit: StatementSync
  readonly #save: StatementSync
  readonly #back: StatementSync
  readonly #release: StatementSync

  constructor(database: DatabaseSync, duties: TransactionDuties) {
    this.#database = database
    this.#duties = duties
    this.#form = new FormGuard(database)
    this.#begin = database.prepare('BEGIN IMMEDIATE')
    this.#commit = database.prepare('COMMIT')
    this.#save = database.prepare('SAVEPOINT w')
    this.#back = database.prepare('ROLLBACK TO w')
    this.#release = database.prepare('RELEASE w')
  }

  /** False as well once SQLite has given it up: after a full disk, a failed read or a lack of memory. */
  get isOpen(): boolean {
    return this.#database.isTransaction
  }

  /** @throws Unavailable where a newer version has upgraded the database; errors of SQLite */
  start(): void {
    // Reads may have a snapshot open.
    endSnapshot(this.#database)
    this.#begin.run()
    this.#form.check()
    this.#duties.begin()
  }

  finish(): void {
    this.#duties.end()
    this.#commit.run()
    this.#duties.committed()
  }

  rollback(): void {
    try {
      if (this.#database.isTransaction) this.#database.exec('ROLLBACK')
    } catch {
      // It is tried again when the next BEGIN fails.
    }
  }

  save(): void {
    this.#save.run()
  }

  release(): void {
    this.#release.run()
  }

  /**
   * Rolls back to the savepoint, or if that fails the whole transaction; returns whether the first
   * worked.
   */
  undone(): boolean {
    try {
      this.#back.run()
      this.#release.run()
      return true
    } catch {
      this.rollback()
      return false
    }
  }
}
