import { randomBytes } from 'node:crypto'
import type { StatementSync } from 'node:sqlite'
import type { Touched } from '#src/ports/touched.ts'
import { isBusy } from '../errors.ts'
import type { WriteTerms } from '../commit.ts'
import { ChangeReader } from './reader.ts'
import { beatMs, type Statements } from './tables.ts'
import { ChangeWriter } from './writer.ts'

const lookMs = 20
/** How often a reader shows that it lives at most, also after gaps. */
const againMs = 1_000

interface Database extends Statements {
  /** `data_version` changes when another connection commits, and never for this one. */
  dataVersion: StatementSync
  write(write: () => void, terms: WriteTerms): Promise<void>
}

type Listener = (touched: Touched) => void

/** What this process tells others of its transactions, and what they tell it. */
export class Changes {
  readonly #database: Database
  readonly #origin = randomBytes(9).toString('base64url')
  readonly #writer: ChangeWriter
  readonly #listeners = new Set<Listener>()
  #reader: ChangeReader | undefined
  #timer: NodeJS.Timeout | undefined
  #seen: unknown
  #beatAt = Number.NEGATIVE_INFINITY
  #beats = 0
  #owesBeat = false
  #isRegistered = false
  #isClosed = false

  constructor(database: Database) {
    this.#database = database
    this.#writer = new ChangeWriter(database, this.#origin)
  }

  /** Whether another process reads what the transaction touches that has begun. */
  get isHeard(): boolean {
    return this.#writer.isHeard
  }

  /** What a write of the transaction has touched. */
  touch(names: readonly string[]): void {
    this.#writer.touch(names)
  }

  /** In each transaction, before its writes. @param count its number */
  begin(count: number): void {
    this.#writer.begin(count)
  }

  /** In each transaction, after its writes. */
  end(): void {
    this.#writer.end()
  }

  /** Once the transaction of that number is committed. */
  committed(count: number): void {
    this.#reader?.wrote(count)
  }

  /** Calls back with what other processes touch; returns the function that ends it. */
  watch(listener: Listener): () => void {
    if (this.#isClosed) return () => {}
    // A listener that is added twice is called twice, and each is removed by its own function.
    const own: Listener = (touched) => listener(touched)
    this.#listeners.add(own)
    if (!this.#timer) this.#start()
    return () => {
      if (!this.#listeners.delete(own) || this.#listeners.size > 0) return
      this.#stop()
    }
  }

  /** Tells no one any more; the writer goes on until the store is closed. */
  close(): void {
    this.#isClosed = true
    this.#listeners.clear()
    this.#stop()
  }

  #start(): void {
    this.#seen = this.#database.dataVersion.get()?.data_version
    this.#reader = new ChangeReader(this.#database, this.#origin)
    this.#beat()
    this.#timer = setInterval(() => {
      this.#look()
      if (this.#owesBeat && performance.now() - this.#beatAt > againMs) this.#beat()
    }, lookMs).unref()
  }

  #stop(): void {
    clearInterval(this.#timer)
    this.#timer = undefined
    this.#reader = undefined
    if (!this.#isRegistered) return
    this.#isRegistered = false
    const leave = 'DELETE FROM readers WHERE id = ?'
    this.#write(() => void this.#database.statement(leave).run(this.#origin))
  }

  #look(): void {
    let touched: Touched | undefined
    try {
      const version = this.#database.dataVersion.get()?.data_version
      if (version === this.#seen) return
      touched = this.#reader?.next()
      this.#seen = version
    } catch (error) {
      // The next look will tell; here an error could not be reported to anyone.
      if (!isBusy(error)) this.#seen = undefined
      return
    }
    if (touched === undefined) return
    // Others write only for readers that live, and after a gap this one may count as dead.
    if (touched === 'all' || performance.now() - this.#beatAt > beatMs) this.#owesBeat = true
    for (const listener of this.#listeners) listener(touched)
  }

  /** Registers this process as a reader, or shows that it lives. */
  #beat(): void {
    this.#owesBeat = false
    this.#beatAt = performance.now()
    this.#isRegistered = true
    // Never the same twice, also where it was removed meanwhile.
    const beat = (this.#beats += 1)
    const write = 'INSERT OR REPLACE INTO readers (id, beat) VALUES (?, ?)'
    this.#write(() => void this.#database.statement(write).run(this.#origin, beat))
  }

  #write(write: () => void): void {
    this.#database.write(write, { lazy: true }).catch(() => {
      this.#owesBeat = true
    })
  }
}
