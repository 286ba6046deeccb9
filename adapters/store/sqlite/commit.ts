import type { DatabaseSync, StatementSync } from 'node:sqlite'
import { Unavailable } from '#src/ports/store.ts'
import { isBusy, isFull } from './errors.ts'

interface Job {
  /** Does the writes and gives what tells the caller; nothing is told before the commit. */
  run(): Settle
  /** More than one write, none of which may stay when one of them fails. */
  many: boolean
  reject(error: unknown): void
  since: number
}

export interface WriteTerms {
  many?: boolean
  lazy?: boolean
}

const jobsAFlush = 512
const longestQueue = 20_000
const patienceMs = 5_000
const lazyMs = 20
const firstRetryMs = 0.5
const longestRetryMs = 20

type Settle = () => void

/** What is to be done about SQLite's log. */
export interface LogDuties {
  /** Called inside each transaction before its writes. */
  count(): void
  /** Makes durable what is committed. */
  sync(): Promise<void>
  /** Called between two transactions; the next waits for what it gives. */
  between(): Promise<void> | undefined
}

/**
 * All writes of this process, in one transaction at a time: what arrived while the one before was
 * synced is written and synced together, so that durability costs a busy server next to nothing.
 * The sync itself runs beside the event loop, which goes on reading and answering. Every answer to
 * a write, refusals too, waits for it, for a refusal may rest on a row that is not durable yet.
 */
export class GroupCommit {
  readonly #database: DatabaseSync
  readonly #log: LogDuties
  readonly #translate: (error: unknown) => unknown
  readonly #begin: StatementSync
  readonly #commit: StatementSync
  readonly #save: StatementSync
  readonly #back: StatementSync
  readonly #release: StatementSync
  readonly #queue: Job[] = []
  #next: 'nothing' | 'lazily' | 'soon' | 'syncing' | 'backing off' = 'nothing'
  #timer: NodeJS.Timeout | undefined
  #retryMs = firstRetryMs
  #closed = false
  #emptied: (() => void) | undefined

  /** @param translate turns an error of the database into the port's */
  constructor(database: DatabaseSync, log: LogDuties, translate: (error: unknown) => unknown) {
    this.#database = database
    this.#log = log
    this.#translate = translate
    this.#begin = database.prepare('BEGIN IMMEDIATE')
    this.#commit = database.prepare('COMMIT')
    this.#save = database.prepare('SAVEPOINT w')
    this.#back = database.prepare('ROLLBACK TO w')
    this.#release = database.prepare('RELEASE w')
  }

  /** Runs `write` inside the next transaction. It must not await, and may be run again. */
  write<T>(write: () => T, { many = false, lazy = false }: WriteTerms = {}): Promise<T> {
    if (this.#closed) return Promise.reject(new Unavailable('the store is closed'))
    if (this.#queue.length >= longestQueue) {
      return Promise.reject(new Unavailable('too many writes wait for the database'))
    }
    return new Promise((resolve, reject) => {
      const run = (): Settle => {
        const value = write()
        return () => resolve(value)
      }
      this.#queue.push({ run, many, reject, since: performance.now() })
      this.#schedule(lazy)
    })
  }

  /** Takes no more writes and resolves once those under way have ended. */
  async close(): Promise<void> {
    this.#closed = true
    if (this.#queue.length === 0 && this.#next !== 'syncing') return
    await new Promise<void>((resolve) => {
      this.#emptied = resolve
      this.#schedule(false)
    })
  }

  #schedule(lazy: boolean): void {
    if (this.#next !== 'nothing' && this.#next !== 'lazily') return
    if (!lazy) {
      clearTimeout(this.#timer)
      this.#next = 'soon'
      setImmediate(() => this.#flush())
    } else if (this.#next === 'nothing') {
      this.#next = 'lazily'
      this.#timer = setTimeout(() => this.#flush(), lazyMs)
    }
  }

  /**
   * One transaction for what waits. Savepoints cost more than what they guard, and hardly any write
   * fails: only a batch in which one did is run once more with them.
   */
  #flush(saving = false): void {
    this.#next = 'nothing'
    const batch = this.#queue.splice(0, jobsAFlush)
    try {
      this.#begin.run()
      this.#log.count()
      this.#retryMs = firstRetryMs
    } catch (error) {
      return this.#postpone(batch, error)
    }
    const settled = this.#runAll(batch, saving)
    if (settled === 'half done') {
      this.#rollback()
      this.#queue.unshift(...batch)
      return this.#flush(true)
    }
    if (settled === 'undone') return void this.#replay(batch)
    try {
      this.#commit.run()
    } catch (error) {
      this.#lose(batch, error)
      return this.#goOn()
    }
    void this.#settle(batch, settled)
  }

  /** Tells the callers once what is committed is durable; the next transaction begins after it. */
  async #settle(batch: readonly Job[], settled: readonly Settle[]): Promise<void> {
    this.#next = 'syncing'
    try {
      await this.#log.sync()
      for (const settle of settled) settle()
    } catch (error) {
      this.#lose(batch, error)
    }
    await this.#tidied()
    this.#next = 'nothing'
    this.#goOn()
  }

  /** Whatever goes wrong with the log here is found out at the next commit. */
  async #tidied(): Promise<void> {
    try {
      await this.#log.between()
    } catch {}
  }

  /** What to tell each caller, unless one failed half way or the database gave up the whole. */
  #runAll(batch: readonly Job[], saving: boolean): Settle[] | 'half done' | 'undone' {
    const settled: Settle[] = []
    for (const job of batch) {
      const saved = saving && job.many
      try {
        if (saved) this.#save.run()
        const settle = job.run()
        if (saved) this.#release.run()
        settled.push(settle)
      } catch (error) {
        // A full disk, a failed read or a lack of memory ends the transaction, and with it what
        // the neighbours wrote: going on would write the rest one by one without a transaction.
        if (!this.#database.isTransaction) return 'undone'
        if (job.many && !saved) return 'half done'
        if (saved && !this.#undone()) return 'undone'
        settled.push(() => job.reject(this.#translate(error)))
      }
    }
    return settled
  }

  /** Whether the writes since the savepoint are undone; if not, the whole transaction is. */
  #undone(): boolean {
    try {
      this.#back.run()
      this.#release.run()
      return true
    } catch {
      this.#rollback()
      return false
    }
  }

  /** Each job in a transaction of its own, so that only the one at fault fails. */
  async #replay(batch: readonly Job[]): Promise<void> {
    this.#next = 'syncing'
    for (const [position, job] of batch.entries()) {
      try {
        this.#begin.run()
        this.#log.count()
      } catch (error) {
        return this.#postpone(batch.slice(position), error)
      }
      let settle: Settle
      try {
        settle = job.run()
      } catch (error) {
        this.#rollback()
        job.reject(this.#translate(error))
        continue
      }
      try {
        this.#commit.run()
        await this.#log.sync()
        settle()
      } catch (error) {
        this.#lose([job], error)
      }
    }
    this.#next = 'nothing'
    this.#goOn()
  }

  /**
   * Waits for another process in timers: SQLite's own waiting would stop the event loop, and with
   * it every read. Nothing has happened yet, so what waited too long may safely be tried again.
   */
  #postpone(batch: readonly Job[], error: unknown): void {
    this.#next = 'nothing'
    if (!isBusy(error)) {
      this.#rollback()
      for (const job of batch) job.reject(this.#translate(error))
      return this.#goOn()
    }
    const oldest = performance.now() - patienceMs
    const kept = batch.filter((job) => {
      if (job.since < oldest) job.reject(this.#translate(error))
      return job.since >= oldest
    })
    this.#queue.unshift(...kept)
    if (this.#queue.length === 0) return this.#goOn()
    this.#next = 'backing off'
    setTimeout(() => this.#flush(), this.#retryMs * (0.5 + Math.random()))
    this.#retryMs = Math.min(this.#retryMs * 1.5, longestRetryMs)
  }

  /** The log may hold the writes all the same, so they are never tried again from here. */
  #lose(batch: readonly Job[], cause: unknown): void {
    this.#rollback()
    for (const job of batch) {
      job.reject(
        new Unavailable('the database could not finish a commit', {
          cause,
          outcomeUnknown: true,
          isFull: isFull(cause),
        }),
      )
    }
  }

  #rollback(): void {
    try {
      if (this.#database.isTransaction) this.#database.exec('ROLLBACK')
    } catch {
      // It is tried again when the next BEGIN fails.
    }
  }

  #goOn(): void {
    if (this.#queue.length > 0) this.#schedule(false)
    else this.#emptied?.()
  }
}
