import { DatabaseSync, type SQLInputValue, type StatementSync } from 'node:sqlite'
import { parentPort, workerData } from 'node:worker_threads'
import type { Hit } from '#src/ports/search.ts'
import type { Tallied } from '#adapters/store/opened.ts'
import { ranked, type Sought } from './rank.ts'
import { searchTable } from './tables.ts'

/** A request to the thread. */
export interface Question {
  collection: string
  sought: Sought
  /** A WHERE clause over the documents with its values, or nothing. */
  filter: { sql: string; values: SQLInputValue[] }
  limit: number
  /** Leaves out the texts of the hits. */
  textless?: boolean
}

/** A request to count: the rows of a statement by all their columns but the last, whose least value is told. */
export interface Count {
  count: string
  values: SQLInputValue[]
}

/** The thread's answer. */
export type Reply =
  | { found: Hit[] | Tallied[] }
  | { error: string; code: number | undefined }
  | { late: true }

/** The time limit of a query, checked between statements. */
const patienceMs = 2_000
/** Searches wait meanwhile, so counting ends early where rows are large. */
const countingMs = 100

class Late extends Error {}

/** Reads over a connection of its own: it sees what the store has committed, and blocks no one. */
class Reader {
  readonly #database: DatabaseSync
  readonly #statements = new Map<string, StatementSync>()

  constructor(path: string) {
    // A reader meets a lock only while another process recovers the log.
    this.#database = new DatabaseSync(path, { readOnly: true, timeout: patienceMs })
    this.#database.exec('PRAGMA cache_size=-4096; PRAGMA temp_store=MEMORY')
  }

  /** The whole answer is from one snapshot. */
  answer(question: Question): Hit[] {
    this.#database.exec('BEGIN')
    try {
      return this.#find(question)
    } finally {
      this.#database.exec('ROLLBACK')
    }
  }

  #find({ collection, sought, filter, limit, textless }: Question): Hit[] {
    const latest = performance.now() + patienceMs
    const inTime = (): void => {
      if (performance.now() > latest) throw new Late()
    }
    const table = searchTable(collection)
    const matches = this.#statement(
      // Numbers are bound as floating point, from which FTS5 could not tell where to stop. With a bare
      // limit, SQLite would prepare the statement again for each value.
      `SELECT rowid FROM "${table}" WHERE "${table}" MATCH ? AND rowid >= CAST(? AS INTEGER) ` +
        'ORDER BY rowid DESC LIMIT ? + 0',
    )
    const upwards = this.#statement(
      `SELECT rowid FROM "${table}" WHERE "${table}" MATCH ? ORDER BY rowid LIMIT ? + 0`,
    )
    const last = Number(this.#statement(`SELECT max(rowid) FROM "${collection}"`).get()?.[0] ?? 0)
    const rows = ranked(sought, last, (expression, from, most) => {
      inTime()
      const found =
        from === 'lowest first'
          ? upwards.all(expression, most)
          : matches.all(expression, from, most)
      // One column of integers was selected.
      return (found as unknown as [number][]).map(([row]) => row)
    })
    const document = this.#statement(
      `SELECT id, ${textless ? "''" : 'doc'} FROM (SELECT * FROM "${collection}" WHERE rowid = ?)${filter.sql}`,
    )
    const hits: Hit[] = []
    for (const { row, score, matched } of rows) {
      if (hits.length >= limit) break
      inTime()
      // The columns were named here, and hold what the store wrote.
      const found = document.get(row, ...filter.values) as unknown as [string, string] | undefined
      if (found) hits.push({ id: found[0], score, text: found[1], matched })
    }
    return hits
  }

  /** Ends early where it takes long: what was not looked at by then is not counted. */
  count({ count, values }: Count): Tallied[] {
    const latest = performance.now() + countingMs
    const groups = new Map<string, Tallied>()
    // The statement selects texts and numbers out of JSON.
    for (const row of this.#statement(count).iterate(...values) as Iterable<unknown>) {
      const by = [...(row as Tallied['by'])]
      const least = by.pop() ?? null
      const key = JSON.stringify(by)
      const group = groups.get(key) ?? { by, count: 0, least }
      group.count += 1
      if (least !== null && (group.least === null || least < group.least)) group.least = least
      groups.set(key, group)
      if (performance.now() > latest) break
    }
    return [...groups.values()]
  }

  #statement(sql: string): StatementSync {
    const known = this.#statements.get(sql)
    if (known) return known
    const statement = this.#database.prepare(sql)
    statement.setReturnArrays(true)
    // Filters come from our own code, so their number is bounded.
    if (this.#statements.size < 100) this.#statements.set(sql, statement)
    return statement
  }

  close(): void {
    this.#database.close()
  }
}

function replyTo(reader: Reader, question: Question | Count): Reply {
  try {
    return { found: 'count' in question ? reader.count(question) : reader.answer(question) }
  } catch (error) {
    if (error instanceof Late) return { late: true }
    const code = error instanceof Error && 'errcode' in error ? Number(error.errcode) : undefined
    return { error: error instanceof Error ? error.message : String(error), code }
  }
}

if (parentPort) {
  const port = parentPort
  const reader = new Reader(String(workerData))
  // Only the store writes to this port.
  port.on('message', (message: Question | Count | 'close') => {
    if (message !== 'close') return port.postMessage(replyTo(reader, message))
    reader.close()
    port.close()
  })
}
