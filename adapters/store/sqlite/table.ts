import type { Manner, Touch } from '#src/core/told/touch.ts'
import type { CollectionDefinition, CollectionName } from '#src/ports/documents.ts'
import type { Steps } from '#src/core/turns/portions.ts'
import type { FindOptions, ReadOptions, Row } from '#src/ports/store.ts'
import { changedBy, touchOf } from '#src/touches.ts'
import { applyChange, prepared, stepsOf, type PreparedChange } from './change.ts'
import type { Engine } from './engine.ts'
import { column, ordered, orderShapeOf, shapeOf, where, type Bound } from './filter.ts'
import { memberColumn, memberColumns, memberValues, type MemberValue } from './members.ts'
import { amongOf } from './newest/among.ts'
import { newestRows } from './newest/newest.ts'
import {
  bytesAtOnce,
  hasLongText,
  inTurns,
  isSmall,
  madeOf,
  madeOfLarge,
  partsSteps,
  textsOf,
} from './large-rows.ts'
import { countedBytes, readingOf, rowBy, rowsUpTo, type Reading } from './light-rows.ts'
import { hiddenText, joined, type Parts, type StoredRow, rowSteps, toParts, toRow } from './rows.ts'
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
  /** Of whole documents, of whole documents that are read up to a total length, and of their texts alone. */
  readonly #whole: Reading
  readonly #counted: Reading
  readonly #shown: Reading
  readonly #countedShown: Reading
  readonly #insertSql: string
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
    const hides = definition.hidden.length > 0
    this.#columns = hides ? 'id, doc, hidden' : 'id, doc'
    this.#whole = readingOf(this.#name, hides, bytesAtOnce)
    this.#counted = readingOf(this.#name, hides, countedBytes)
    this.#shown = readingOf(this.#name, false, bytesAtOnce)
    this.#countedShown = readingOf(this.#name, false, countedBytes)
    const all = `${this.#columns}${memberColumns(definition)}`
    const places = all.replaceAll(/[^,]+/g, '?')
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

  /** One row with how many match, up to a number. */
  countUpTo(filter: object, atMost: number): () => unknown[] {
    const values: Bound[] = []
    const options = { limit: atMost }
    const filtered = shapeOf(this.#reads.step('up to'), filter, values)
    const sql = orderShapeOf(filtered, options, values).text(() => {
      const condition = where(this.#definition, filter).sql
      const order = ordered(this.#definition, options).sql
      return `SELECT count(*) FROM (SELECT 1 FROM ${this.#name}${condition}${order})`
    })
    return () => this.#engine.statement(sql).all(...values)
  }

  /** The rows of a filter with the values at these paths. */
  picked(paths: readonly string[], filter: object, options?: FindOptions<never>): () => unknown[] {
    const columns = paths.map((path) => column(this.#definition, path)).join(', ')
    return this.rows(columns, filter, options)
  }

  /** Documents; a promise of them where one is large. */
  documents(filter: object, options: ReadOptions<never> = {}): () => T[] | Promise<T[]> {
    const { charactersAtMost = Infinity, ...found } = options
    const reading = options.charactersAtMost === undefined ? this.#whole : this.#counted
    const rows = this.rows(reading.columns, filter, found)
    return () =>
      madeOf(
        rowsUpTo(charactersAtMost, this.#engine, reading, rows()),
        (row) => this.#document(row),
        (row) => this.#documentSteps(row),
        charactersAtMost,
      )
  }

  /** The document with this id; a promise of it if it is large. */
  document(id: string): T | undefined | Promise<T | undefined> {
    // Bound as a value, invalid Unicode would become a different, valid text.
    if (!id.isWellFormed()) return undefined
    const row = rowBy(this.#engine, this.#whole, id)
    if (!row) return undefined
    if (isSmall(row)) return this.#document(row)
    return madeOfLarge(row, (whole) => this.#documentSteps(whole))
  }

  *#documentSteps(row: StoredRow): Steps<T> {
    return this.#document(row, yield* partsSteps(row))
  }

  /** The row of a document that takes more than a moment to write; undefined for others. */
  rowOf(document: { id: string }): Promise<StoredRow> | undefined {
    return hasLongText(document) ? inTurns(rowSteps(this.#definition, document)) : undefined
  }

  /**
   * @param more further members, as the inside of a JSON object
   * @param row the document's row, if it is known already
   */
  insert(document: { id: string }, more?: string | null, row?: StoredRow): Prepared {
    const definition = this.#definition
    const [id, small, hidden = null] = row ?? toRow(definition, document)
    const doc = more ? `${small.slice(0, -1)},${more}}` : small
    const texts: MemberValue[] = definition.hidden.length > 0 ? [doc, hidden] : [doc]
    const values = [id, ...texts, ...memberValues(definition, document)]
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
  replace(filter: object, document: { id: string }, row?: StoredRow): Prepared {
    const definition = this.#definition
    const [, doc, hidden = null] = row ?? toRow(definition, document)
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
    const leaving = this.#touch?.ofDeleted ? this.rows(this.#columns, filter) : undefined
    return () => {
      if (leaving && this.#engine.isHeard) {
        // The columns were named by `rows`, and hold what `insert` and `update` wrote.
        for (const row of leaving() as StoredRow[]) this.#tell(this.#document(row), 'deleted')
      }
      return Number(this.#engine.statement(sql).run(...values).changes)
    }
  }

  /**
   * Changes the first match, for callers that do not need the document.
   * @param copy of the change that nothing else holds, if there is one already
   */
  change(filter: object, change: object, copy?: object): Prepared {
    const ready = copy ? stepsOf(this.#definition, copy) : prepared(this.#definition, change)
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

  /** Texts of documents; a promise of them where one is large. */
  texts(filter: object, options: ReadOptions<never> = {}): () => Row[] | Promise<Row[]> {
    const { charactersAtMost = Infinity, ...found } = options
    const reading = options.charactersAtMost === undefined ? this.#shown : this.#countedShown
    const rows = this.rows(reading.columns, filter, found)
    return () =>
      textsOf(rowsUpTo(charactersAtMost, this.#engine, reading, rows()), charactersAtMost)
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

/** What reads and commits of several collections use of each. */
export type Part = Pick<
  Table<{ id: string }>,
  'rowOf' | 'insert' | 'replace' | 'change' | 'delete' | 'texts' | 'isSearched' | 'readName'
>
