import { closeSync, fdatasync, openSync } from 'node:fs'
import type { DatabaseSync } from 'node:sqlite'
import { promisify } from 'node:util'

/** Waits until the data written to an open file is on disk. */
export type SyncFile = (file: number) => Promise<void>

/**
 * SQLite's write-ahead log, synced on a thread: SQLite's own sync, under `synchronous=FULL`, blocks the
 * event loop for as long as the disk takes. SQLite itself still syncs what keeps the file intact: the
 * log before each checkpoint, and the database after it.
 */
export class SyncedLog {
  readonly #database: DatabaseSync
  readonly #path: string | null
  readonly #syncFile: SyncFile
  #file: number | undefined
  #isDoubtful = false

  constructor(database: DatabaseSync, syncFile: SyncFile = promisify(fdatasync)) {
    const path = database.location()
    this.#database = database
    this.#path = path === null ? null : `${path}-wal`
    this.#syncFile = syncFile
  }

  /** Resolves once every earlier commit would survive a power loss. */
  async sync(): Promise<void> {
    // A database in memory has no log.
    if (this.#path === null) return
    if (this.#isDoubtful) this.#empty()
    // The log stays the same file while this process has the database open. SQLite's locks are on its
    // other files, so closing this one releases none of them.
    this.#file ??= openSync(this.#path, 'r+')
    try {
      await this.#syncFile(this.#file)
    } catch (cause) {
      this.#isDoubtful = true
      throw cause
    }
  }

  /**
   * After a failed sync, the system may treat data as written that is not: later entries of the log
   * would be lost with it. So the whole log is copied into the database, which SQLite then syncs.
   */
  #empty(): void {
    const done = this.#database.prepare('PRAGMA wal_checkpoint(TRUNCATE)').get()
    if (done?.busy !== 0) throw new Error('the log cannot be emptied while others read it')
    this.#isDoubtful = false
  }

  close(): void {
    if (this.#file !== undefined) closeSync(this.#file)
    this.#file = undefined
  }
}
