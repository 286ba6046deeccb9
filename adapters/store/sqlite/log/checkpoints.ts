import type { DatabaseSync, StatementSync } from 'node:sqlite'
import { Worker } from 'node:worker_threads'
import { copyLog, openForCopies } from './copy.ts'
import type { Message } from './worker.ts'

/** When the log is copied into the database, and by what. */
export interface CheckpointTerms {
  code: URL
  /** The number of pages at which the log is cut back: by then most pages are in it several times. */
  pages: number
  /** How long writes wait for the rest to be copied. */
  patienceMs: number
}

const usual: CheckpointTerms = {
  code: new URL('./worker.ts', import.meta.url),
  pages: 4_000,
  patienceMs: 500,
}

interface Length {
  log: number
  checkpointed: number
}

/**
 * Cuts SQLite's log back from a thread: SQLite itself would do it inside a commit, and block the event
 * loop for as long as it takes. Most of it is copied while writes continue. Writes wait only for the
 * short rest, without which the log would never be copied completely and restart.
 */
export class Checkpoints {
  readonly #database: DatabaseSync
  readonly #path: string | null
  readonly #terms: CheckpointTerms
  #look: StatementSync | undefined
  #worker: Worker | undefined
  #copying: Promise<void> | undefined
  #isMostCopied = false
  #from: number

  constructor(database: DatabaseSync, terms: Partial<CheckpointTerms> = {}) {
    this.#database = database
    this.#path = database.location()
    this.#terms = { ...usual, ...terms }
    this.#from = this.#terms.pages
  }

  /** Called between two transactions; the next one waits for the returned promise. */
  between(): Promise<void> | undefined {
    if (this.#path === null || this.#copying) return undefined
    const { log, checkpointed } = this.#length()
    if (log < this.#from) {
      if (log < this.#terms.pages) this.#from = this.#terms.pages
      this.#isMostCopied = false
      return undefined
    }
    if (!this.#isMostCopied) {
      void this.#copy(this.#path).then(() => (this.#isMostCopied = true))
      return undefined
    }
    this.#isMostCopied = false
    // While a reader uses the log, it cannot restart and may grow.
    this.#from = log + this.#terms.pages
    return log === checkpointed ? undefined : this.#inTime(this.#copy(this.#path))
  }

  #length(): Length {
    this.#look ??= this.#database.prepare('PRAGMA wal_checkpoint(NOOP)')
    // As SQLite documents it.
    return this.#look.get() as unknown as Length
  }

  #copy(path: string): Promise<void> {
    this.#copying = this.#copied(path).finally(() => (this.#copying = undefined))
    return this.#copying
  }

  /** If the thread fails, it is done here: a log that grows without end would be worse. */
  async #copied(path: string): Promise<void> {
    if (await this.#byThread(path).catch(() => false)) return
    try {
      // The connection of the store may be inside of a transaction.
      using database = openForCopies(path)
      copyLog(database)
    } catch {
      // The next check finds the log as long as it was.
    }
  }

  async #byThread(path: string): Promise<boolean> {
    const worker = (this.#worker ??= this.#start(path))
    const { promise, resolve } = Promise.withResolvers<boolean>()
    const copied = (): void => resolve(true)
    const ended = (): void => resolve(false)
    worker.ref()
    worker.once('message', copied).once('exit', ended)
    worker.postMessage('copy' satisfies Message)
    const isCopied = await promise
    worker.off('message', copied).off('exit', ended).unref()
    return isCopied
  }

  #start(path: string): Worker {
    const worker = new Worker(this.#terms.code, {
      workerData: path,
      // The process's options for its heap, loaders and debugger are not for this thread.
      execArgv: [],
      resourceLimits: { maxOldGenerationSizeMb: 16, maxYoungGenerationSizeMb: 2 },
      name: 'checkpoints',
    })
    // An error ends the thread: the next copy starts another.
    worker.on('error', () => undefined)
    worker.once('exit', () => {
      if (this.#worker === worker) this.#worker = undefined
    })
    return worker
  }

  async #inTime(copying: Promise<void>): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>()
    const late = setTimeout(resolve, this.#terms.patienceMs)
    await Promise.race([copying, promise])
    clearTimeout(late)
  }

  /** Ends the thread once it has copied; a stuck one as soon as possible. */
  async close(): Promise<void> {
    if (this.#copying) await this.#inTime(this.#copying)
    const worker = this.#worker
    if (!worker) return
    worker.ref()
    const ended = new Promise<void>((resolve) => void worker.once('exit', () => resolve()))
    worker.postMessage('close' satisfies Message)
    await this.#inTime(ended)
    await worker.terminate()
  }
}
