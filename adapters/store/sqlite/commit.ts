import type { DatabaseSync } from 'node:sqlite'
import { Unavailable } from '#src/ports/store.ts'
import { isBusy, isFull } from './errors.ts'
import type { LogDuties } from './duties.ts'
import { inPortions } from './portions.ts'
import { Transaction } from './transaction.ts'

/** The writes of a job one by one, and what tells the caller. */
interface Parts {
  writes: readonly (() => void)[]
  settle: Settle
}

interface Job {
  /** Executes the writes and returns what tells the caller; nothing is told before the commit. */
  run(): Settle
  /** More than one write, none of which may remain if one of them fails. */
  many: boolean
  /** Present if they take more than one turn of the event loop: then these are executed instead. */
  parts?: Parts
  reject(error: unknown): void
  since: number
}

type Made = Pick<Job, 'run' | 'many' | 'parts'>

export interface WriteTerms {
  many?: boolean
  lazy?: boolean
  inParts?: true
}

const jobsAFlush = 512
/** A transaction ends with the write that passes this time, because it holds the event loop. */
const flushMs = 8
/** A commit of more writes has a transaction of its own, which is spread over turns of the event loop. */
const writesAtOnce = 64
const longestQueue = 20_000
const patienceMs = 5_000
const lazyMs = 20
const firstRetryMs = 0.5
const longestRetryMs = 20

type Settle = () => void

/**
 * All writes of this process, one transaction at a time: writes that arrived while the previous transaction
 * was synced are written and synced together, so durability costs a busy server almost nothing. The sync runs
 * on a thread, while the event loop keeps reading and answering. Every answer to a write, including refusals,
 * waits for it, because a refusal may rest on a row that is not durable yet.
 */
export class GroupCommit {
  readonly #log: LogDuties
  readonly #translate: (error: unknown) => unknown
  readonly #transaction: Transaction
  readonly #queue: Job[] = []
  readonly #turn = (): void => this.#log.during(() => this.#flush())
  #next: 'nothing' | 'lazily' | 'soon' | 'writing' | 'syncing' | 'backing off' = 'nothing'
  #timer: NodeJS.Timeout | undefined
  #retryMs = firstRetryMs
  #closed = false
  #emptied: (() => void) | undefined

  /** @param translate turns an error of the database into the port's */
  constructor(database: DatabaseSync, log: LogDuties, translate: (error: unknown) => unknown) {
    this.#log = log
    this.#translate = translate
    this.#transaction = new Transaction(database, log)
  }

  /** Runs `write` inside the next transaction. It must not await, and may be run again. */
  write<T>(write: () => T, { many = false, lazy = false }: WriteTerms = {}): Promise<T> {
    return this.#add((resolve) => {
      const run = (): Settle => {
        const value = write()
        return () => resolve(value)
      }
      return { run, many }
    }, lazy)
  }

  /** Runs all of these or none, many or large ones over turns of the event loop. They must not await. */
  writeAll(writes: readonly (() => void)[], terms: WriteTerms = {}): Promise<void> {
    const { many = false, inParts = writes.length > writesAtOnce } = terms
    return this.#add((settle) => {
      const run = (): Settle => {
        for (const write of writes) write()
        return settle
      }
      return { run, many, ...(inParts && { parts: { writes, settle } }) }
    }, false)
  }

  #add<T>(made: (resolve: (value: T) => void) => Made, lazy: boolean): Promise<T> {
    if (this.#closed) return Promise.reject(new Unavailable('the store is closed'))
    if (this.#queue.length >= longestQueue) {
      return Promise.reject(new Unavailable('too many writes wait for the database'))
    }
    return new Promise((resolve, reject) => {
      this.#queue.push({ ...made(resolve), reject, since: performance.now() })
      this.#schedule(lazy)
    })
  }

  /** Accepts no more writes and resolves once those under way have ended. */
  async close(): Promise<void> {
    this.#closed = true
    const isAtWork = this.#next === 'syncing' || this.#next === 'writing'
    if (this.#queue.length === 0 && !isAtWork) return
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
    const batch = this.#batch()
    try {
      this.#transaction.start()
      this.#retryMs = firstRetryMs
    } catch (error) {
      return this.#postpone(batch, error)
    }
    const [first] = batch
    if (first?.parts) return void this.#runInPortions(first, first.parts)
    const settled = this.#runAll(batch, saving)
    if (settled === 'half done') {
      this.#transaction.rollback()
      this.#queue.unshift(...batch)
      return this.#flush(true)
    }
    if (settled === 'undone') return void this.#replay(batch)
    // Writes that found no time wait for the next one.
    this.#queue.unshift(...batch.splice(settled.length))
    try {
      this.#transaction.finish()
    } catch (error) {
      this.#lose(batch, error)
      return this.#goOn()
    }
    void this.#settle(batch, settled)
  }

  /** The writes of the next transaction; one in parts has it for itself. */
  #batch(): Job[] {
    const most = this.#queue.slice(0, jobsAFlush).findIndex(({ parts }) => parts)
    return this.#queue.splice(0, most < 0 ? jobsAFlush : Math.max(most, 1))
  }

  /** A transaction over turns of the event loop; what comes meanwhile waits for its end. */
  async #runInPortions(job: Job, { writes, settle }: Parts): Promise<void> {
    this.#next = 'writing'
    let isThrough = false
    try {
      await inPortions(writes, this.#transaction, this.#log)
      isThrough = true
      this.#log.during(() => this.#transaction.finish())
    } catch (error) {
      this.#transaction.rollback()
      if (isThrough) this.#lose([job], error)
      else job.reject(this.#translate(error))
      this.#next = 'nothing'
      return this.#goOn()
    }
    await this.#settle([job], [settle])
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
        if (saved) this.#transaction.save()
        const settle = job.run()
        if (saved) this.#transaction.release()
        settled.push(settle)
      } catch (error) {
        // A full disk, a failed read or a lack of memory ends the transaction, including what the
        // neighbours wrote: continuing would write the rest one by one without a transaction.
        if (!this.#transaction.isOpen) return 'undone'
        if (job.many && !saved) return 'half done'
        if (saved && !this.#transaction.undone()) return 'undone'
        settled.push(() => job.reject(this.#translate(error)))
      }
    }
    return settled
  }

  /** Each job in a transaction of its own, so that only the failing one fails. */
  async #replay(batch: readonly Job[]): Promise<void> {
    this.#next = 'syncing'
    for (const [position, job] of batch.entries()) {
      try {
        this.#transaction.start()
      } catch (error) {
        return this.#postpone(batch.slice(position), error)
      }
      let settle: Settle
      try {
        settle = job.run()
      } catch (error) {
        this.#transaction.rollback()
        job.reject(this.#translate(error))
        continue
      }
      try {
        this.#transaction.finish()
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
      this.#transaction.rollback()
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
    this.#transaction.rollback()
    const why = { cause, outcomeUnknown: true, isAway: true, isFull: isFull(cause) }
    const message = 'the database could not finish a commit'
    for (const job of batch) job.reject(new Unavailable(message, why))
  }

  #goOn(): void {
    if (this.#queue.length > 0) this.#schedule(false)
    else this.#emptied?.()
  }
}
