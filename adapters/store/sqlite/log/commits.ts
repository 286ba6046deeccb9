import {
  closeSync,
  constants,
  existsSync,
  openSync,
  readFileSync,
  rmSync,
  writeSync,
} from 'node:fs'
import type { DatabaseSync, StatementSync } from 'node:sqlite'

/** As many digits as a whole number can have: the note always has one length, and is written over. */
const digits = 16
const noted = /^[0-9]{16}\n$/

/** Where the number of the last commit that is durable stands, beside the database. */
export function noteOf(path: string): string {
  return `${path}-commits`
}

/** What the note says; undefined where there is none, or none that was written to its end. */
export function readNote(path: string): number | undefined {
  try {
    const text = readFileSync(noteOf(path), 'latin1')
    return noted.test(text) ? Number(text) : undefined
  } catch {
    return undefined
  }
}

/**
 * Counts commits, in the database with each of them, and beside it once they are durable: SQLite drops
 * what is damaged at the end of its log without a word, and so the number that it then has is less than
 * the one beside it. The note is not synced, since it need not outlast the machine: what it is to find
 * is that the log has less than it had. A process that is killed leaves it behind.
 */
export class CommitCount {
  readonly #database: DatabaseSync
  readonly #path: string | null
  #next: StatementSync | undefined
  #file: number | undefined
  #count = 0

  constructor(database: DatabaseSync) {
    this.#database = database
    this.#path = database.location()
  }

  /** Inside a transaction: it is one more commit. */
  count(): void {
    if (this.#path === null) return
    this.#next ??= this.#database.prepare('UPDATE commits SET count = count + 1 RETURNING count')
    this.#count = Number(this.#next.get()?.count)
  }

  /** The commit that was counted last is durable. Of several processes an older one may write last. */
  note(): void {
    if (this.#path === null) return
    try {
      this.#file ??= openSync(noteOf(this.#path), constants.O_RDWR | constants.O_CREAT, 0o600)
      writeSync(this.#file, `${String(this.#count).padStart(digits, '0')}\n`, 0, 'latin1')
    } catch {
      // What cannot be noted is only not found missing.
    }
  }

  /** Once the database is closed: where its log is gone, all of it is in the database, for good. */
  close(): void {
    if (this.#file !== undefined) closeSync(this.#file)
    this.#file = undefined
    if (this.#path !== null && !existsSync(`${this.#path}-wal`)) {
      rmSync(noteOf(this.#path), { force: true })
    }
  }
}
