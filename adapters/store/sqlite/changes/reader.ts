import type { Touched } from '#src/ports/touched.ts'
import { everything, rowsKept, type Statements } from './tables.ts'

/**
 * Reads what other processes have touched. Transactions are numbered without a gap, so one that wrote no row
 * is noticed: its process took this one for dead, or is of an older version, or the row is gone.
 * Then everything may have changed.
 */
export class ChangeReader {
  readonly #statements: Statements
  readonly #origin: string
  /** Everything up to this transaction has been told. */
  #last: number
  /** Transactions of this process after that one. */
  readonly #own = new Set<number>()

  constructor(statements: Statements, origin: string) {
    this.#statements = statements
    this.#origin = origin
    const rows = statements.statement('SELECT count FROM commits').all()
    this.#last = (rows as unknown as [number][])[0]?.[0] ?? 0
  }

  /** This process has committed the transaction of that number. */
  wrote(count: number): void {
    if (count === this.#last + 1) this.#last = count
    // Further behind, it will find a gap in any case.
    else if (this.#own.size < rowsKept) this.#own.add(count)
  }

  /** What was touched since the last time; undefined for nothing. */
  next(): Touched | undefined {
    const last = this.#last
    // One statement, so that it sees the number and the rows of one moment.
    const sql =
      'SELECT c.count, h.names FROM commits c LEFT JOIN changes h ON h.seq > ? AND h.origin <> ?'
    // The columns were named here, and hold what the writer wrote.
    const rows = this.#statements.statement(sql).all(last, this.#origin) as unknown as [
      number,
      string | null,
    ][]
    const count = rows[0]?.[0] ?? last
    const texts = rows.flatMap(([, names]) => names ?? [])
    const known = texts.length + this.#own.size
    this.#last = count
    this.#own.clear()
    if (known !== count - last) return 'all'
    // Each was written as a list of names.
    const names = new Set(texts.flatMap((text) => JSON.parse(text) as string[]))
    if (names.has(everything)) return 'all'
    return names.size > 0 ? names : undefined
  }
}
