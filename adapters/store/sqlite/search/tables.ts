import type { CollectionDefinition, SearchDefinition } from '#src/ports/documents.ts'
import { checkedPath } from '#adapters/store/checked.ts'
import { holder } from '../filter.ts'

/** The table that finds the documents of a collection by their words. */
export function searchTable(collection: string): string {
  return `${collection}:search`
}

/** The column of a searched member, by its position among them. */
export function wordColumn(position: number): string {
  return `w${position}`
}

/** The column of all marks. */
export const marksColumn = 'marks'

/**
 * The token of a mark's value: only letters and digits, so that no tokenizer splits it; a digit at its
 * end, so that the stemmer finds no suffix; hexadecimal, so that case makes a difference.
 */
export function markToken(position: number, value: string): string {
  return `${markPrefix(position)}${Buffer.from(value).toString('hex')}0`
}

function markPrefix(position: number): string {
  return `x${position}x`
}

/** How a collection's search table is created, maintained and filled. */
export interface IndexStatements {
  /** The statements that create the table and its triggers, by their names. */
  makes: ReadonlyMap<string, string>
  /** Fills it from the existing documents. */
  fills: string
}

/**
 * Triggers maintain the index, so that every change updates it in its own transaction. New documents
 * are indexed by a separate statement, see `intakeOf`.
 */
export function indexStatements(
  collection: string,
  definition: CollectionDefinition,
  search: SearchDefinition,
): IndexStatements {
  const table = searchTable(collection)
  const words = Object.keys(search.words).map((_, position) => wordColumn(position))
  const columns = [...words, marksColumn].join(', ')
  const members = new Members(definition, search)
  const insert = `INSERT INTO "${table}"(rowid, ${columns}) SELECT ${members.values(rowOf('new'))}`
  const remove = `DELETE FROM "${table}" WHERE rowid = old.rowid`
  const trigger = (when: string, condition: string, steps: string): [string, string] => {
    const name = `${table}:${when.slice(0, 6).toLowerCase()}`
    const on = `CREATE TRIGGER "${name}" AFTER ${when} ON "${collection}" WHEN ${condition}`
    return [name, `${on} BEGIN ${steps}; END`]
  }
  const makes = new Map([
    [
      table,
      // It stores no text: that is in the documents.
      `CREATE VIRTUAL TABLE "${table}" USING fts5(${columns}, content='', contentless_delete=1, ` +
        `tokenize='porter unicode61 remove_diacritics 2')`,
    ],
    // Most changes of a document leave its words alone, and must not create a new entry.
    trigger(
      `UPDATE OF ${members.columns()}`,
      members.hasChanged(),
      `${remove}; ${insert} WHERE ${members.isFound(rowOf('new'))}`,
    ),
    trigger('DELETE', members.isFound(rowOf('old')), remove),
  ])
  const fills =
    `INSERT INTO "${table}"(rowid, ${columns}) SELECT ${members.values(rowOf('stored'))} ` +
    `FROM "${collection}" AS stored WHERE ${members.isFound(rowOf('stored'))}`
  return { makes, fills }
}

/** Adds a new document to the index. */
export interface Intake {
  /** Its parameters: the row number, the document, and the hidden part if it is searched. */
  sql: string
  looksAtHidden: boolean
  /** Whether the document should be found at all. */
  takes(document: object): boolean
}

/**
 * How new documents enter a collection's index: by a statement with VALUES right after that of the
 * document. From inside a trigger, or out of a SELECT, FTS5 would have to be able to undo each insert
 * alone, for which it writes a segment for every single row. This way it writes one per transaction,
 * which takes half the time and leaves far less to merge.
 */
export function intakeOf(collection: string, definition: CollectionDefinition): Intake | undefined {
  const { search } = definition
  if (!search) return undefined
  const columns = [...Object.keys(search.words).map((_, at) => wordColumn(at)), marksColumn]
  const members = new Members(definition, search)
  const places: Row = { rowid: '?1', doc: '?2', hidden: '?3' }
  const path = search.only?.split('.')
  const values = members.values(places)
  return {
    sql: `INSERT INTO "${searchTable(collection)}"(rowid, ${columns.join(', ')}) VALUES (${values})`,
    looksAtHidden: values.includes(places.hidden),
    takes: (document) => path === undefined || at(document, path) === true,
  }
}

function at(document: object, path: readonly string[]): unknown {
  let value: unknown = document
  for (const name of path) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) return undefined
    value = Reflect.get(value, name)
  }
  return value
}

/** The names of a row's columns in a statement. */
type Row = Readonly<Record<'rowid' | 'doc' | 'hidden', string>>

function rowOf(name: string): Row {
  return { rowid: `${name}.rowid`, doc: `${name}.doc`, hidden: `${name}.hidden` }
}

/** The searched parts of a document, as SQL over a row. */
class Members {
  readonly #definition: CollectionDefinition
  readonly #words: readonly string[]
  readonly #marks: readonly string[]
  readonly #only: string | undefined

  constructor(definition: CollectionDefinition, { words, marks = [], only }: SearchDefinition) {
    this.#definition = definition
    this.#words = Object.keys(words)
    this.#marks = marks
    this.#only = only
  }

  /** The columns of the collection's table that contain them. */
  columns(): string {
    const paths = [...this.#words, ...this.#marks].concat(this.#only ?? [])
    const columns = new Set(paths.map((path) => holder(this.#definition, path)))
    return [...columns].toSorted().join(', ')
  }

  /** The row number, the text of each member, and the tokens of all marks. */
  values(row: Row): string {
    const words = this.#words.map((path) => this.#place(row, path, ' ->> '))
    const marks = this.#marks.map((path, position) => {
      const token = `'${markPrefix(position)}' || hex(value) || '0'`
      const values = `json_each(${this.#place(row, path, ', ')})`
      return `(SELECT group_concat(${token}, ' ') FROM ${values} WHERE type = 'text')`
    })
    const tokens = marks.length > 0 ? `concat_ws(' ', ${marks.join(', ')})` : 'NULL'
    return [row.rowid, ...words, tokens].join(', ')
  }

  isFound(row: Row): string {
    if (this.#only === undefined) return 'TRUE'
    return `json_type(${this.#place(row, this.#only, ', ')}) IS 'true'`
  }

  hasChanged(): string {
    const paths = [...this.#words, ...this.#marks]
    const [before, after] = [rowOf('old'), rowOf('new')]
    const state = (row: Row): string =>
      [
        `(${this.isFound(row)})`,
        ...paths.map((path) => `(${this.#place(row, path, ' -> ')})`),
      ].join(', ')
    const changed = `(${state(before)}) IS NOT (${state(after)})`
    if (this.#only === undefined) return changed
    return `(${this.isFound(before)} OR ${this.isFound(after)}) AND ${changed}`
  }

  #place(row: Row, path: string, between: string): string {
    return `${row[holder(this.#definition, path)]}${between}'$.${checkedPath(path)}'`
  }
}
