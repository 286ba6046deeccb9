import type { DatabaseSync } from 'node:sqlite'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Meter } from '#src/ports/meter.ts'
import { Unavailable } from '#src/ports/store.ts'
import type { Touched } from '#src/ports/touched.ts'
import type { StoreWork } from '../opened.ts'
import { Changes } from './changes/changes.ts'
import { GroupCommit, type WriteTerms } from './commit.ts'
import { Connection } from './connection.ts'
import type { LogDuties } from './duties.ts'
import { isBusy, isDamage, storeError } from './errors.ts'
import type { Checkpoints } from './log/checkpoints.ts'
import { CommitCount } from './log/commits.ts'
import type { SyncedLog } from './log/log.ts'
import { Pace } from './pace.ts'
import { openReader, uniqueIndexes } from './schema.ts'
import { WorkCount, type Statement } from './work.ts'

const readPatienceMs = 5_000

/**
 * One connection for reads and writes, its statements, and the errors of the port. While a transaction is open
 * over turns of the event loop, reads have another connection, which does not see it.
 */
export class Engine {
  readonly #database: DatabaseSync
  readonly #main: Connection
  /** Opened with the first transaction that pauses. */
  #aside: Connection | undefined
  #current: Connection
  readonly #log: SyncedLog
  readonly #checkpoints: Checkpoints
  readonly #commits: CommitCount
  readonly #commit: GroupCommit
  readonly #uniqueIndexes = uniqueIndexes()
  readonly #pace = new Pace()
  readonly #changes: Changes | undefined
  #meter: Pick<Meter, 'during'> = { during: (_, does) => does() }
  #work: WorkCount | undefined
  #isDamaged = false
  #closing: Promise<void> | undefined

  constructor(database: DatabaseSync, log: SyncedLog, checkpoints: Checkpoints) {
    this.#database = database
    this.#current = this.#main = new Connection(database)
    this.#log = log
    this.#checkpoints = checkpoints
    this.#commits = new CommitCount(database)
    this.#changes = this.#changesIn(database)
    this.#commit = new GroupCommit(database, this.#duties(), (error) => this.#translated(error))
  }

  #duties(): LogDuties {
    const [log, commits, changes] = [this.#log, this.#commits, this.#changes]
    return {
      begin: () => changes?.begin(commits.count()),
      end: () => changes?.end(),
      committed: () => {
        changes?.committed(commits.counted)
        this.#work?.committed()
      },
      async sync(): Promise<void> {
        await log.sync()
        commits.note()
      },
      between: () => {
        // SQLite does not look at its log from inside a transaction.
        this.#main.endSnapshot()
        return this.#checkpoints.between()
      },
      during: (work) =>
        this.#meter.during('store.commit', () => (this.#work ? this.#work.inside(work) : work())),
      pause: () => this.#turnAside(),
      goOn: () => {
        this.#current = this.#main
      },
    }
  }

  /** Gives reads the other connection; a database in memory has none. */
  #turnAside(): boolean {
    const path = this.#database.location()
    if (path === null) return false
    try {
      this.#current = this.#aside ??= new Connection(openReader(path), this.#work)
      return true
    } catch {
      // What is short is not known; the transaction is then done at once.
      return false
    }
  }

  /** The statement for this SQL, prepared once; its rows are arrays of columns. */
  statement(sql: string): Statement {
    return this.#current.statement(sql)
  }

  /** Marks reads and writes in the meter from now on. */
  watchedBy(meter: Pick<Meter, 'during'>): void {
    this.#meter = meter
  }

  /** Adds to this what each statement does from now on. */
  countedBy(work: StoreWork): void {
    this.#work = new WorkCount(work)
    this.#main.countedBy(this.#work)
  }

  /**
   * Prepares a read at once, and reads when its turn has come; what was found may still have to be parsed.
   * @param name names the read for the watchdog of the event loop
   * @throws Unavailable, and what `prepare` throws
   */
  async read<T>(name: string, prepare: () => () => T | Promise<T>): Promise<T> {
    const look = prepare()
    if (this.#pace.isSpent) await this.#pace.turn()
    if (this.#closing) throw new Unavailable('the store is closed')
    const start = performance.now()
    let begun = start
    for (;;) {
      try {
        this.#current.openSnapshot()
        const found = this.#meter.during(name, look)
        this.#pace.spend(performance.now() - begun)
        return found
      } catch (error) {
        this.#current.endSnapshot()
        // A reader meets a lock only while another process recovers or removes the log.
        const late = performance.now() - start > readPatienceMs
        if (!isBusy(error) || late) throw this.#translated(error)
        await sleep(5)
        if (this.#closing) throw new Unavailable('the store is closed', { cause: error })
        begun = performance.now()
      }
    }
  }

  /** Whether something was read that differs from what was written: then nothing can be relied on. */
  get isDamaged(): boolean {
    return this.#isDamaged
  }

  #translated(error: unknown): unknown {
    if (isDamage(error)) this.#isDamaged = true
    return storeError(error, this.#uniqueIndexes)
  }

  /** Executes `write` in the next transaction; it may be run again. */
  write<T>(write: () => T, terms?: WriteTerms): Promise<T> {
    return this.#commit.write(write, terms)
  }

  /** Executes these in one transaction, many of them over turns of the event loop; they may be run again. */
  writeAll(writes: readonly (() => void)[], terms?: WriteTerms): Promise<void> {
    return this.#commit.writeAll(writes, terms)
  }

  /** Whether another process is to be told what the transaction under way touches. */
  get isHeard(): boolean {
    return this.#changes?.isHeard ?? false
  }

  /** A write of the transaction under way has touched these names. */
  touch(names: readonly string[]): void {
    this.#changes?.touch(names)
  }

  /** Calls back with what other processes touch; returns the function that ends it. */
  watch(listener: (touched: Touched) => void): () => void {
    return this.#changes?.watch(listener) ?? (() => {})
  }

  /** A database in memory has no other process. */
  #changesIn(database: DatabaseSync): Changes | undefined {
    if (database.location() === null) return undefined
    return new Changes({
      dataVersion: database.prepare('PRAGMA data_version'),
      statement: (sql) => this.statement(sql),
      write: (write, terms) => this.write(write, terms),
    })
  }

  /**
   * Resolves once every write under way is durable and the file is closed.
   * @param others resolves once no other connection of this process has the file open, because the last
   *   one to close it cleans up
   */
  close(others: Promise<void>): Promise<void> {
    this.#closing ??= this.#end(others)
    return this.#closing
  }

  async #end(others: Promise<void>): Promise<void> {
    this.#changes?.close()
    await Promise.all([this.#commit.close(), others])
    await this.#checkpoints.close()
    this.#aside?.close()
    this.#log.close()
    this.#main.close()
    this.#commits.close()
  }
}
