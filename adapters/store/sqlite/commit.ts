import type { DatabaseSync, StatementSync } from 'node:sqlite'
import { Unavailable } from '#src/ports/store.ts'
import { isBusy, isFull } from './errors.ts'
import { endSnapshot } from './snapshot.ts'

interface Job {
  /** Executes the writes and returns what tells the caller; nothing is told before the commit. */
  run(): Settle
  /** More than one write, none of which may remain if one of them fails. */
  many: boolean
  reject(error: unknown): void
  since: number
}

export interface WriteTerms {
  many?: boolean
  lazy?: boolean
}

const jobsAFlush = 512
/** A transaction ends with the write that passes this time, because it holds the event loop. */
const flushMs = 8
const longestQueue = 20_000
const patienceMs = 5_000
const lazyMs = 20
const firstRetryMs = 0.5
const longestRetryMs = 20

type Settle = () => void

/** What must be done about SQLite's log, and told to other processes. */
export interface LogDuties {
  /** Called inside each transaction before its writes. */
  begin(): void
  /** Called inside each transaction after its writes. */
  end(): void
  /** Called once the transaction is committed, before it is durable. */
  committed(): void
  /** Makes everything committed durable. */
  sync(): Promise<void>
  /** Called between two transactions; the next one waits for the returned promise. */
  between(): Promise<void> | undefined
  /** Does the work of a transaction, marked for the watchdog of the event loop. */
  during(flush: () => void): void
}

/**
 * All writes of this process, one transaction at a time: writes that arrived while the previous transaction
 * was synced are written and synced together, so durability costs a busy server almost nothing. The sync runs
 * on a thread, while the event loop keeps reading and answering. Every answer to a write, including refusals,
 * waits for it, because a refusal may rest on a row that is not durable yet.
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
  readonly #turn = (): void => this.#log.during(() => this.#flush())
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

  /** Accepts no more writes and resolves once those under way have ended. */
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
      setImmediate(this.#turn)
    } else if (this.#next === 'nothing') {
      this.#next = 'lazily'
      this.#timer = setTimeout(this.#turn, lazyMs)
    }
  }

  /**
   * One transaction for the waiting writes. Savepoints cost more than they save, and hardly any write
   * fails: only a batch in which one did is run again with them.
   */
  #flush(saving = false): void {
    this.#next = 'nothing'
    const batch = this.#queue.splice(0, jobsAFlush)
    try {
      this.#start()
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
    // Writes that found no time wait for the next one.
    this.#queue.unshift(...batch.splice(settled.length))
    try {
      this.#log.end()
      this.#commit.run()
      this.#log.committed()
    } catch (error) {
      this.#lose(batch, error)
      return this.#goOn()
    }
    void this.#settle(batch, settled)
  }

  #start(): void {
    // Reads may have a snapshot open.
    endSnapshot(this.#database)
    this.#begin.run()
    this.#log.begin()
  }

  /** Tells the callers once the commit is durable; the next transaction begins after that. */
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

  /** An error with the log shows up at the next commit. */
  async #tidied(): Promise<void> {
    try {
      await this.#log.between()
    } catch {}
  }

  /** What to tell each caller whose write found time, unless a write failed half way or the database rolled back everything. */
  #runAll(batch: readonly Job[], saving: boolean): Settle[] | 'half done' | 'undone' {
    const settled: Settle[] = []
    const end = performance.now() + flushMs
    for (const job of batch) {
      if (settled.length > 0 && performance.now() > end) break
      const saved = saving && job.many
      try {
        if (saved) this.#save.run()
        const settle = job.run()
        if (saved) this.#release.run()
        settled.push(settle)
      } catch (error) {
        // A full disk, a failed read or a lack of memory ends the transaction, including what the
        // neighbours wrote: continuing would write the rest one by one without a transaction.
        if (!this.#database.isTransaction) return 'undone'
        if (job.many && !saved) return 'half done'
        if (saved && !this.#undone()) return 'undone'
        settled.push(() => job.reject(this.#translate(error)))
      }
    }
    return settled
  }

  /**
   * Rolls back to the savepoint, or if that fails the whole transaction; returns whether the first
   * worked.
   */
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

  /** Each job in a transaction of its own, so that only the failing one fails. */
  async #replay(batch: readonly Job[]): Promise<void> {
    this.#next = 'syncing'
    for (const [position, job] of batch.entries()) {
      try {
        this.#start()
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
        this.#log.end()
        this.#commit.run()
        this.#log.committed()
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
   * Waits for another process with timers: SQLite's own waiting would block the event loop, and with it
   * every read. Nothing has happened yet, so a write that waited too long can safely be retried.
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
    setTimeout(this.#turn, this.#retryMs * (0.5 + Math.random()))
    this.#retryMs = Math.min(this.#retryMs * 1.5, longestRetryMs)
  }

  /** The log may hold the writes all the same, so they are never retried from here. */
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
