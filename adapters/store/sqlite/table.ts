import type { Manner, Touch } from '#src/core/told/touch.ts'
import type { CollectionDefinition, CollectionName } from '#src/ports/documents.ts'
import type { FindOptions, ReadOptions, Row } from '#src/ports/store.ts'
import { changedBy, touchOf } from '#src/touches.ts'
import { applyChange, prepared, type PreparedChange } from './change.ts'
import type { Engine } from './engine.ts'
import { column, ordered, orderShapeOf, shapeOf, where, type Bound } from './filter.ts'
import { memberColumn, memberColumns, memberValues, type MemberValue } from './members.ts'
import { amongOf } from './newest/among.ts'
import { newestRows } from './newest/newest.ts'
import { hiddenText, joined, type Parts, type StoredRow, toParts, toRow } from './rows.ts'
import { type Intake, intakeOf } from './search/tables.ts'
import { Shape } from './shape.ts'

/** A prepared write: it runs later, inside a transaction, and returns whether it matched. */
export type Prepared = () => boolean

/** The statements of one collection. */
export class Table<T extends { id: string }> {
  readonly #definition: CollectionDefinition
  readonly #engine: Engine
  /** The name of its reads for the watchdog of the event loop. */
  readonly readName: string
  readonly #collection: CollectionName
  readonly #touch: Touch | undefined
  readonly #name: string
  readonly #columns: string
  readonly #smallColumns: string
  readonly #insertSql: string
  readonly #rowSql: string
  readonly #reads = new Shape()
  readonly #deletes = new Shape()
  readonly #intake: Intake | undefined

  constructor(engine: Engine, name: CollectionName, definition: CollectionDefinition) {
    this.#engine = engine
    this.#definition = definition
    this.#collection = name
    this.#touch = touchOf(name)
    this.readName = `store.${name}`
    this.#name = `"${name}"`
    this.#columns = definition.hidden.length > 0 ? 'id, doc, hidden' : 'id, doc'
    this.#smallColumns = smallColumnsOf(definition)
    const all = `${this.#columns}${memberColumns(definition)}`
    const places = all.replaceAll(/[^,]+/g, '?')
    this.#rowSql = `SELECT ${this.#columns} FROM ${this.#name} WHERE id = ?`
    this.#insertSql = `INSERT INTO ${this.#name} (${all}) VALUES (${places})`
    this.#intake = intakeOf(name, definition)
  }

  /** Whether an insert is more than one write. */
  get isSearched(): boolean {
    return this.#intake !== undefined
  }

  /** The rows of a filter with the given columns. */
  rows(columns: string, filter: object, options: FindOptions<never> = {}): () => unknown[] {
    const among = amongOf(this.#collection, this.#definition, filter, options)
    if (among) return () => newestRows(this.#engine, among, columns)
    const values: Bound[] = []
    const filtered = shapeOf(this.#reads.step(columns), filter, values)
    const sql = orderShapeOf(filtered, options, values).text(() => {
      const condition = where(this.#definition, filter).sql
      const order = ordered(this.#definition, options).sql
      return `SELECT ${columns} FROM ${this.#name}${condition}${order}`
    })
    return () => this.#engine.statement(sql).all(...values)
  }

  /** The rows of a filter with the values at these paths. */
  picked(paths: readonly string[], filter: object, options?: FindOptions<never>): () => unknown[] {
    const columns = paths.map((path) => column(this.#definition, path)).join(', ')
    return this.rows(columns, filter, options)
  }

  documents(filter: object, options?: FindOptions<never>): () => T[] {
    const rows = this.rows(this.#columns, filter, options)
    // The columns were named above, and hold what `insert` and `update` wrote.
    return () => (rows() as StoredRow[]).map((row) => this.#document(row))
  }

  /** The same, up to a total length; a large document is read when it is its turn. */
  documentsUpTo(charactersAtMost: number, filter: object, options?: FindOptions<never>): () => T[] {
    const rows = this.rows(this.#smallColumns, filter, options)
    return () => {
      const found: T[] = []
      let characters = 0
      // The columns were named above, and hold what `insert` and `update` wrote, or null.
      for (const small of rows() as [string, string | null, (string | null)?][]) {
        if (characters > charactersAtMost && found.length > 1) break
        const row = small[1] === null ? this.#row(small[0]) : (small as StoredRow)
        // Another process has deleted it in the meantime.
        if (!row) continue
        characters += row[1].length + (row[2]?.length ?? 0)
        found.push(this.#document(row))
      }
      return found
    }
  }

  document(id: string): T | undefined {
    // Bound as a value, invalid Unicode would become a different, valid text.
    if (!id.isWellFormed()) return undefined
    const row = this.#row(id)
    return row && this.#document(row)
  }

  #row(id: string): StoredRow | undefined {
    // The columns were named above, and hold what `insert` and `update` wrote.
    return this.#engine.statement(this.#rowSql).get(id) as unknown as StoredRow | undefined
  }

  /** @param more further members, as the inside of a JSON object */
  insert(document: { id: string }, more?: string | null): Prepared {
    const definition = this.#definition
    const [id, small, hidden = null] = toRow(definition, document)
    const doc = more ? `${small.slice(0, -1)},${more}}` : small
    const row: MemberValue[] = definition.hidden.length > 0 ? [id, doc, hidden] : [id, doc]
    const values = [...row, ...memberValues(definition, document)]
    const intake = this.#intake?.takes(document) ? this.#intake : undefined
    const names = this.#touch?.names(document, 'inserted') ?? none
    return () => {
      this.#engine.touch(names)
      const { lastInsertRowid } = this.#engine.statement(this.#insertSql).run(...values)
      if (intake) {
        const parts = intake.looksAtHidden ? [doc, hidden] : [doc]
        this.#engine.statement(intake.sql).run(lastInsertRowid, ...parts)
      }
      return true
    }
  }

  /** Replaces the document with the same id, if it also matches the filter. */
  replace(filter: object, document: { id: string }): Prepared {
    const definition = this.#definition
    const [, doc, hidden = null] = toRow(definition, document)
    const condition = where(definition, { $or: [filter], id: document.id })
    const hides = definition.hidden.length > 0
    const set = `doc = ?${hides ? ', hidden = ?' : ''}${memberColumns(definition, ' = ?')}`
    const sql = `UPDATE ${this.#name} SET ${set}${condition.sql}`
    const members = memberValues(definition, document)
    const values = [doc, ...(hides ? [hidden] : []), ...members, ...condition.values]
    const names = this.#touch?.names(document, 'replaced') ?? none
    return () => {
      this.#engine.touch(names)
      return this.#engine.statement(sql).run(...values).changes === 1
    }
  }

  delete(filter: object): () => number {
    const values: Bound[] = []
    const sql = shapeOf(this.#deletes, filter, values).text(
      () => `DELETE FROM ${this.#name}${where(this.#definition, filter).sql}`,
    )
    const leaving = this.#touch?.ofDeleted ? this.documents(filter) : undefined
    return () => {
      if (leaving && this.#engine.isHeard) {
        for (const document of leaving()) this.#tell(document, 'deleted')
      }
      return Number(this.#engine.statement(sql).run(...values).changes)
    }
  }

  /** Changes the first match, for callers that do not need the document. */
  change(filter: object, change: object): Prepared {
    const ready = prepared(this.#definition, change)
    const rows = this.rows(this.#columns, filter, { limit: 1 })
    const how = this.#touch && changedBy(change)
    return () => {
      // The columns were named by `rows`, and hold what `insert` and `update` wrote.
      const row = rows()[0] as StoredRow | undefined
      if (!row) return false
      const parts = this.#apply(row, ready)
      if (how && this.#engine.isHeard) this.#tell(this.#document(row, parts), how)
      return true
    }
  }

  /** Changes the first match and returns the changed document. */
  update(filter: object, change: object, options?: FindOptions<never>): () => T | undefined {
    const ready = prepared(this.#definition, change)
    const rows = this.rows(this.#columns, filter, { ...options, limit: 1 })
    const how = this.#touch && changedBy(change)
    return () => {
      // The columns were named by `rows`, and hold what `insert` and `update` wrote.
      const row = rows()[0] as StoredRow | undefined
      if (!row) return undefined
      const document = this.#document(row, this.#apply(row, ready))
      if (how && this.#engine.isHeard) this.#tell(document, how)
      return document
    }
  }

  #tell(document: T, how: Manner): void {
    this.#engine.touch(this.#touch?.names(document, how) ?? none)
  }

  texts(filter: object, options: ReadOptions<never> = {}): () => Row[] {
    const { charactersAtMost, ...found } = options
    if (charactersAtMost === undefined) {
      const rows = this.rows('id, doc', filter, found)
      // The columns were named here, and hold what `insert` and `update` wrote.
      return () => (rows() as [string, string][]).map(([id, text]) => ({ id, text }))
    }
    const rows = this.rows(smallTexts, filter, found)
    // The same; a large text is null.
    return () => this.#filled(rows() as [string, string | null][], charactersAtMost)
  }

  /** Fills in the large texts that were left out, up to a total length. */
  #filled(rows: readonly [id: string, text: string | null][], charactersAtMost: number): Row[] {
    const filled: Row[] = []
    let characters = 0
    for (const [id, small] of rows) {
      if (characters > charactersAtMost && filled.length > 1) break
      const text = small ?? this.#text(id)
      // Another process has deleted it in the meantime.
      if (text === undefined) continue
      characters += text.length
      filled.push({ id, text })
    }
    return filled
  }

  #text(id: string): string | undefined {
    const sql = `SELECT doc FROM ${this.#name} WHERE id = ?`
    // The column was named here; it holds what `insert` and `update` wrote.
    const row = this.#engine.statement(sql).get(id) as unknown as [string] | undefined
    return row?.[0]
  }

  #document(row: StoredRow, parts = toParts(row)): T {
    // It was stored as a T, and changes are limited to the paths of T.
    return joined(row[0], parts) as T
  }

  #members({ shown, hidden }: Parts): MemberValue[] {
    if (!this.#definition.columns) return []
    return memberValues(this.#definition, hidden, shown)
  }

  #apply(row: StoredRow, change: PreparedChange): Parts {
    const parts = toParts(row)
    const [id] = row
    const before = this.#members(parts)
    applyChange(this.#definition, id, parts, change)
    const columns: string[] = []
    const values: MemberValue[] = []
    if (change.touchesShown) {
      columns.push('doc = ?')
      values.push(JSON.stringify(parts.shown))
    }
    if (change.touchesHidden) {
      columns.push('hidden = ?')
      values.push(hiddenText(parts))
    }
    for (const [position, value] of this.#members(parts).entries()) {
      if (value === before[position]) continue
      columns.push(`${memberColumn(this.#definition.columns?.[position] ?? '')} = ?`)
      values.push(value)
    }
    if (columns.length > 0) {
      const sql = `UPDATE ${this.#name} SET ${columns.join(', ')} WHERE id = ?`
      this.#engine.statement(sql).run(...values, id)
    }
    return parts
  }
}

const none: readonly never[] = []

/** SQLite stores a text's size before it, so a large text need not be read to be left for later. */
const smallTexts = 'id, iif(octet_length(doc) > 65536, NULL, doc)'

/** All columns of a document, but without the large texts of a large one. */
function smallColumnsOf({ hidden }: CollectionDefinition): string {
  if (hidden.length === 0) return smallTexts
  const isLarge = 'octet_length(doc) + ifnull(octet_length(hidden), 0) > 65536'
  return `id, iif(${isLarge}, NULL, doc), iif(${isLarge}, NULL, hidden)`
}

/** What reads and commits of several collections use of each. */
export type Part = Pick<
  Table<{ id: string }>,
  'insert' | 'replace' | 'change' | 'delete' | 'texts' | 'isSearched' | 'readName'
>
