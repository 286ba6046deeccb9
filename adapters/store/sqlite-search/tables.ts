import type { CollectionDefinition } from '#src/collections.ts'
import type { SearchDefinition } from '#src/ports/search.ts'
import { checkedPath } from '#adapters/store/checked.ts'
import { holder } from '#adapters/store/sqlite-filter.ts'

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
 * The token of a mark's value. Letters and digits only, so that no tokenizer parts it, and a digit
 * at its end, so that the stemmer finds no ending on it; hexadecimal, so that case makes a
 * difference.
 */
export function markToken(position: number, value: string): string {
  return `${markPrefix(position)}${Buffer.from(value).toString('hex')}0`
}

function markPrefix(position: number): string {
  return `x${position}x`
}

/** How the table of a collection is made, kept and filled. */
export interface IndexStatements {
  /** What makes the table and its triggers, by their names. */
  makes: ReadonlyMap<string, string>
  /** Fills it from the documents that are there. */
  fills: string
}

/** Triggers keep the index, so that every write takes it along in its own transaction. */
export function indexStatements(
  collection: string,
  definition: CollectionDefinition,
  search: SearchDefinition,
): IndexStatements {
  const table = searchTable(collection)
  const words = Object.keys(search.words).map((_, position) => wordColumn(position))
  const columns = [...words, marksColumn].join(', ')
  const members = new Members(definition, search)
  const insert = `INSERT INTO "${table}"(rowid, ${columns}) SELECT ${members.values('new')}`
  const remove = `DELETE FROM "${table}" WHERE rowid = old.rowid`
  const trigger = (when: string, condition: string, steps: string): [string, string] => {
    const name = `${table}:${when.slice(0, 6).toLowerCase()}`
    const on = `CREATE TRIGGER "${name}" AFTER ${when} ON "${collection}" WHEN ${condition}`
    return [name, `${on} BEGIN ${steps}; END`]
  }
  const makes = new Map([
    [
      table,
      // It keeps no text: that is in the documents.
      `CREATE VIRTUAL TABLE "${table}" USING fts5(${columns}, content='', contentless_delete=1, ` +
        `tokenize='porter unicode61 remove_diacritics 2')`,
    ],
    trigger('INSERT', members.isFound('new'), insert),
    // Most changes of a document leave its words alone, and must not cost a new entry.
    trigger(
      `UPDATE OF ${members.columns()}`,
      members.hasChanged(),
      `${remove}; ${insert} WHERE ${members.isFound('new')}`,
    ),
    trigger('DELETE', members.isFound('old'), remove),
  ])
  const fills =
    `INSERT INTO "${table}"(rowid, ${columns}) SELECT ${members.values('stored')} ` +
    `FROM "${collection}" AS stored WHERE ${members.isFound('stored')}`
  return { makes, fills }
}

/** What is searched of a document, as SQL over a row. */
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

  /** The columns of the collection's table that hold them. */
  columns(): string {
    const paths = [...this.#words, ...this.#marks].concat(this.#only ?? [])
    const columns = new Set(paths.map((path) => holder(this.#definition, path)))
    return [...columns].toSorted().join(', ')
  }

  /** The row's number, the text of each member, and the tokens of all marks. */
  values(row: string): string {
    const words = this.#words.map((path) => this.#place(row, path, ' ->> '))
    const marks = this.#marks.map((path, position) => {
      const token = `'${markPrefix(position)}' || hex(value) || '0'`
      const values = `json_each(${this.#place(row, path, ', ')})`
      return `(SELECT group_concat(${token}, ' ') FROM ${values} WHERE type = 'text')`
    })
    const tokens = marks.length > 0 ? `concat_ws(' ', ${marks.join(', ')})` : 'NULL'
    return [`${row}.rowid`, ...words, tokens].join(', ')
  }

  isFound(row: string): string {
    if (this.#only === undefined) return 'TRUE'
    return `json_type(${this.#place(row, this.#only, ', ')}) IS 'true'`
  }

  hasChanged(): string {
    const paths = [...this.#words, ...this.#marks]
    const state = (row: string): string =>
      [
        `(${this.isFound(row)})`,
        ...paths.map((path) => `(${this.#place(row, path, ' -> ')})`),
      ].join(', ')
    const changed = `(${state('old')}) IS NOT (${state('new')})`
    if (this.#only === undefined) return changed
    return `(${this.isFound('old')} OR ${this.isFound('new')}) AND ${changed}`
  }

  #place(row: string, path: string, between: string): string {
    return `${row}.${holder(this.#definition, path)}${between}'$.${checkedPath(path)}'`
  }
}
