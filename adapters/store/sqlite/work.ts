import type { SQLInputValue, StatementResultingChanges, StatementSync } from 'node:sqlite'
import type { StoreWork } from '../opened.ts'

/** A prepared statement as the store uses it: values are bound by their places. */
export interface Statement {
  all(...values: SQLInputValue[]): ReturnType<StatementSync['all']>
  get(...values: SQLInputValue[]): ReturnType<StatementSync['get']>
  run(...values: SQLInputValue[]): StatementResultingChanges
}

const numberBytes = 8

/** Adds up what statements do, inside and outside of transactions. */
export class WorkCount {
  readonly #work: StoreWork
  #isInside = false

  /** @param work is added to */
  constructor(work: StoreWork) {
    this.#work = work
  }

  /** Does work inside of a transaction. */
  inside<T>(work: () => T): T {
    const before = this.#isInside
    this.#isInside = true
    try {
      return work()
    } finally {
      this.#isInside = before
    }
  }

  /** A transaction has ended well. */
  committed(): void {
    this.#work.commits += 1
  }

  /** The same statement, counted each time that it is run. */
  counted(statement: StatementSync): Statement {
    return {
      all: (...values) => {
        this.#note(values, 0)
        return statement.all(...values)
      },
      get: (...values) => {
        this.#note(values, 0)
        return statement.get(...values)
      },
      run: (...values) => {
        const done = statement.run(...values)
        this.#note(values, Number(done.changes))
        return done
      },
    }
  }

  #note(values: readonly SQLInputValue[], rows: number): void {
    if (!this.#isInside) {
      this.#work.looks += 1
      return
    }
    this.#work.statements += 1
    this.#work.rows += rows
    for (const value of values) this.#work.bytes += bytesOf(value)
  }
}

function bytesOf(value: SQLInputValue): number {
  if (value === null) return 0
  if (typeof value === 'string') return Buffer.byteLength(value)
  return typeof value === 'object' ? value.byteLength : numberBytes
}
