import { everything, rowsKept, silentMs, type Statements } from './tables.ts'

/** More than this, in characters of a row, is told as everything. */
const longestRow = 32_768
/** Old rows that one transaction removes at most. */
const removedAtOnce = 100

interface Reader {
  beat: number
  /** When a change was first written that it has shown no life since, by this process's monotonic clock. */
  owedSince: number | undefined
}

/**
 * Writes what the transactions of this process touch, while there is another process to read it. Whether
 * there is one is looked up only after another process has committed, since none can register
 * without: a lone process reads and writes nothing here.
 */
export class ChangeWriter {
  readonly #statements: Statements
  readonly #origin: string
  readonly #names = new Set<string>()
  #readers = new Map<string, Reader>()
  #count = -1
  #characters = 0
  #mayHaveRows = true

  /** @param origin names this process among the readers and in its rows */
  constructor(statements: Statements, origin: string) {
    this.#statements = statements
    this.#origin = origin
  }

  /** Whether another process reads, in the transaction that has begun. */
  get isHeard(): boolean {
    return this.#readers.size > 0
  }

  /** In a transaction, before its writes. @param count its number */
  begin(count: number): void {
    this.#names.clear()
    this.#characters = 0
    if (count !== this.#count + 1) this.#lookUp()
    this.#count = count
    if (this.isHeard) this.#dropSilent()
  }

  /** What a write has touched, also if it is undone: then others look once in vain. */
  touch(names: readonly string[]): void {
    if (!this.isHeard) return
    for (const name of names) {
      if (this.#names.has(name)) continue
      this.#names.add(name)
      this.#characters += name.length + 3
    }
  }

  /** In the transaction, after its writes. */
  end(): void {
    if (!this.isHeard) return this.#removeAll()
    // A transaction that touches nothing has a row too: without one it would be a gap.
    const names = this.#characters > longestRow ? [everything] : [...this.#names]
    const sql = 'INSERT OR REPLACE INTO changes (seq, origin, names) VALUES (?, ?, ?)'
    this.#statements.statement(sql).run(this.#count, this.#origin, JSON.stringify(names))
    this.#mayHaveRows = true
    this.#remove(this.#count - rowsKept)
    if (names.length === 0) return
    const now = performance.now()
    for (const reader of this.#readers.values()) reader.owedSince ??= now
  }

  #lookUp(): void {
    const sql = 'SELECT id, beat FROM readers WHERE id <> ?'
    // The columns were named here, and hold what the readers wrote.
    const rows = this.#statements.statement(sql).all(this.#origin) as unknown as [string, number][]
    const known = this.#readers
    this.#readers = new Map(
      rows.map(([id, beat]) => {
        const before = known.get(id)
        return [id, before?.beat === beat ? before : { beat, owedSince: undefined }]
      }),
    )
  }

  /** Readers whose process has ended without a word; one that lives after all registers again. */
  #dropSilent(): void {
    const latest = performance.now() - silentMs
    for (const [id, { beat, owedSince = latest }] of this.#readers) {
      if (owedSince >= latest) continue
      this.#statements.statement('DELETE FROM readers WHERE id = ? AND beat = ?').run(id, beat)
      this.#readers.delete(id)
    }
  }

  #removeAll(): void {
    if (this.#mayHaveRows) this.#mayHaveRows = this.#remove(this.#count)
  }

  /** Removes some of the rows up to this one. @returns whether there were any */
  #remove(upTo: number): boolean {
    const sql = `DELETE FROM changes WHERE seq <= min(?, (SELECT min(seq) FROM changes) + ${removedAtOnce - 1})`
    return Number(this.#statements.statement(sql).run(upTo).changes) > 0
  }
}
