import type { DatabaseSync } from 'node:sqlite'
import { endSnapshot, Snapshot } from './snapshot.ts'
import type { Statement, WorkCount } from './work.ts'

const mostStatements = 1_000

/** A connection to the database with its statements, and the snapshot of its reads. */
export class Connection {
  readonly #database: DatabaseSync
  readonly #snapshot: Snapshot
  readonly #statements = new Map<string, Statement>()
  /** Absent unless it is counted: a statement is then SQLite's own, and nothing is done for it. */
  #work: WorkCount | undefined

  constructor(database: DatabaseSync, work?: WorkCount) {
    this.#database = database
    this.#snapshot = new Snapshot(database)
    this.#work = work
  }

  /** The statement for this SQL, prepared once; its rows are arrays of columns. */
  statement(sql: string): Statement {
    const known = this.#statements.get(sql)
    if (known) return known
    const prepared = this.#database.prepare(sql)
    // As objects, each row would get a shape of its own in node.
    prepared.setReturnArrays(true)
    const statement = this.#work?.counted(prepared) ?? prepared
    if (this.#statements.size >= mostStatements) {
      for (const oldest of this.#statements.keys()) {
        this.#statements.delete(oldest)
        break
      }
    }
    this.#statements.set(sql, statement)
    return statement
  }

  /** Counts what statements do from now on. */
  countedBy(work: WorkCount): void {
    this.#work = work
    this.#statements.clear()
  }

  /** Opens a snapshot for a read, unless one is open. */
  openSnapshot(): void {
    this.#snapshot.open()
  }

  endSnapshot(): void {
    endSnapshot(this.#database)
  }

  close(): void {
    this.#statements.clear()
    this.#database.close()
  }
}
