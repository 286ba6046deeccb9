import type { DatabaseSync } from 'node:sqlite'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Meter } from '#src/ports/meter.ts'
import { Unavailable } from '#src/ports/store.ts'
import type { Touched } from '#src/ports/touched.ts'
import type { StoreWork } from '../opened.ts'
import { Changes } from './changes/changes.ts'
import { GroupCommit, type WriteTerms } from './commit.ts'
import { isBusy, isDamage, storeError } from './errors.ts'
import type { Checkpoints } from './log/checkpoints.ts'
import { CommitCount } from './log/commits.ts'
import type { SyncedLog } from './log/log.ts'
import { Pace } from './pace.ts'
import { uniqueIndexes } from './schema.ts'
import { endSnapshot, Snapshot } from './snapshot.ts'
import { WorkCount, type Statement } from './work.ts'

const mostStatements = 1_000
const readPatienceMs = 5_000

/** One connection for reads and writes, its statements, and the errors of the port. */
export class Engine {
  readonly #database: DatabaseSync
  readonly #log: SyncedLog
  readonly #checkpoints: Checkpoints
  readonly #commits: CommitCount
  readonly #commit: GroupCommit
  readonly #statements = new Map<string, Statement>()
  readonly #uniqueIndexes = uniqueIndexes()
  readonly #pace = new Pace()
  readonly #snapshot: Snapshot
  readonly #changes: Changes | undefined
  #meter: Pick<Meter, 'during'> = { during: (_, does) => does() }
  /** Absent unless it is counted: a statement is then SQLite's own, and nothing is done for it. */
  #work: WorkCount | undefined
  #isDamaged = false
  #closing: Promise<void> | undefined

  constructor(database: DatabaseSync, log: SyncedLog, checkpoints: Checkpoints) {
    this.#database = database
    this.#snapshot = new Snapshot(database)
    this.#log = log
    this.#checkpoints = checkpoints
    const commits = (this.#commits = new CommitCount(database))
    const changes = (this.#changes = this.#changesIn(database))
    const duties = {
      begin: () => changes?.begin(commits.count()),
      end: () => changes?.end(),
      committed: () => changes?.committed(commits.counted),
      async sync(): Promise<void> {
        await log.sync()
        commits.note()
      },
      between(): Promise<void> | undefined {
        // SQLite does not look at its log from inside a transaction.
        endSnapshot(database)
        return checkpoints.between()
      },
      during: (flush: () => void) =>
        this.#meter.during('store.commit', () => {
          if (this.#work) this.#work.commit(flush)
          else flush()
        }),
    }
    this.#commit = new GroupCommit(database, duties, (error) => this.#translated(error))
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

  /** Marks reads and writes in the meter from now on. */
  watchedBy(meter: Pick<Meter, 'during'>): void {
    this.#meter = meter
  }

  /** Adds to this what each statement does from now on. */
  countedBy(work: StoreWork): void {
    this.#work = new WorkCount(work)
    this.#statements.clear()
  }

  /**
   * Prepares a read at once, and reads when its turn has come.
   * @param name names the read for the watchdog of the event loop
   * @throws Unavailable, and what `prepare` throws
   */
  async read<T>(name: string, prepare: () => () => T): Promise<T> {
    const look = prepare()
    if (this.#pace.isSpent) await this.#pace.turn()
    if (this.#closing) throw new Unavailable('the store is closed')
    const start = performance.now()
    let begun = start
    for (;;) {
      try {
        this.#snapshot.open()
        const found = this.#meter.during(name, look)
        this.#pace.spend(performance.now() - begun)
        return found
      } catch (error) {
        endSnapshot(this.#database)
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
    this.#statements.clear()
    this.#log.close()
    this.#database.close()
    this.#commits.close()
  }
}
