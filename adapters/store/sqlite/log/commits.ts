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

/** As many digits as a whole number can have: the note has a fixed length, and is overwritten. */
const digits = 16
const noted = /^[0-9]{16}\n$/

/** The file next to the database that holds the number of the last durable commit. */
export function noteOf(path: string): string {
  return `${path}-commits`
}

/** The number in the note; undefined if there is none, or it was not written completely. */
export function readNote(path: string): number | undefined {
  try {
    const text = readFileSync(noteOf(path), 'latin1')
    return noted.test(text) ? Number(text) : undefined
  } catch {
    return undefined
  }
}

/**
 * Counts commits: in the database with each commit, and in a note next to it once they are durable.
 * SQLite silently drops damaged data at the end of its log, so the number in the database is then less
 * than the one in the note. The note is not synced, because it need not survive a crash of the machine:
 * it only reveals that the log has less than it had. A killed process leaves it behind.
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

  /** Counts one more commit, inside its transaction. @returns its number */
  count(): number {
    if (this.#path === null) return 0
    this.#next ??= this.#database.prepare('UPDATE commits SET count = count + 1 RETURNING count')
    this.#count = Number(this.#next.get()?.count)
    return this.#count
  }

  /** The number of the transaction that was counted last. */
  get counted(): number {
    return this.#count
  }

  /**
   * Notes that the last counted commit is durable. With several processes, an older number may be
   * written last.
   */
  note(): void {
    if (this.#path === null) return
    try {
      this.#file ??= openSync(noteOf(this.#path), constants.O_RDWR | constants.O_CREAT, 0o600)
      writeSync(this.#file, `${String(this.#count).padStart(digits, '0')}\n`, 0, 'latin1')
    } catch {
      // A commit that cannot be noted is only not detected if it goes missing.
    }
  }

  /** Called after the database is closed: if its log is gone, everything is in the database for good. */
  close(): void {
    if (this.#file !== undefined) closeSync(this.#file)
    this.#file = undefined
    if (this.#path !== null && !existsSync(`${this.#path}-wal`)) {
      rmSync(noteOf(this.#path), { force: true })
    }
  }
}
