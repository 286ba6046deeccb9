import { RecordPacker } from './chunks/records.ts'
import type { Output, Reader } from './output.ts'
import { shortened, visible } from './visible.ts'

/** In larger tables the column's name is not repeated before every value. */
const spelledAtMost = 10 * 2 ** 20
const longestName = 200
const delimiters = [',', ';', '\t', '|']

/** Each row with the names of its columns, taken from the first row. */
export const readCsv: Reader<string> = (text, _material, output) => {
  const shown = visible(text)
  return readTable(shown, delimiterOf(shown), output, 'text/csv')
}

export const readTsv: Reader<string> = (text, _material, output) => {
  return readTable(visible(text), '\t', output, 'text/tab-separated-values')
}

async function readTable(text: string, delimiter: string, output: Output, mediaType: string) {
  const { parse } = await import('csv-parse/sync')
  const readWith = (quote: '"' | false): void => {
    const table = new Table(text, output)
    const lenient = { relax_quotes: true, relax_column_count: true, skip_empty_lines: true }
    const take = (row: string[]): null => {
      table.add(row)
      // So that the library keeps no rows.
      return null
    }
    parse(text, { ...lenient, delimiter, quote, bom: true, on_record: take })
    table.end()
  }
  try {
    readWith('"')
  } catch (cause) {
    if (!isUnclosed(cause)) throw cause
    // A quote that opens and never closes is an ordinary character.
    output.clear()
    readWith(false)
  }
  return { title: null, mediaType }
}

function isUnclosed(cause: unknown): boolean {
  return cause instanceof Error && 'code' in cause && String(cause.code).startsWith('CSV_')
}

class Table {
  readonly #size: { characters: number; lines: number }
  readonly #output: Output
  #names: string[] | undefined
  #rows: RecordPacker | undefined
  #isSpelled = true
  #number = 0

  constructor(text: string, output: Output) {
    let lines = 0
    for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) lines++
    this.#size = { characters: text.length, lines }
    this.#output = output
  }

  add(row: readonly string[]): void {
    this.#number++
    if (this.#names) this.#addRow(row, this.#names)
    else this.#begin(row.map((cell) => shortened(plain(cell), longestName)))
  }

  end(): void {
    // In a table of one row, that row is data, not column names.
    if (this.#number === 1) this.#rows?.add(this.#names?.join(' | ') ?? '', 'row 1')
    this.#rows?.end()
  }

  #begin(names: string[]): void {
    this.#names = names
    const spelled = names.reduce((sum, name) => sum + name.length + 2, 0) * this.#size.lines
    this.#isSpelled = names.length < 2 || this.#size.characters + spelled <= spelledAtMost
    const header = this.#isSpelled
      ? ''
      : names.filter(Boolean).join(' | ').slice(0, 600).toWellFormed()
    const gap = this.#isSpelled && names.length > 1 ? '\n\n' : '\n'
    this.#rows = new RecordPacker(this.#output.add, { header, gap })
  }

  #addRow(row: readonly string[], names: readonly string[]): void {
    const said: string[] = []
    for (const [at, cell] of row.entries()) {
      const value = plain(cell)
      const name = names[at] ?? ''
      if (value === '' && this.#isSpelled) continue
      said.push(this.#isSpelled && name !== '' ? `${name}: ${value}` : value)
    }
    this.#rows?.add(said.join(this.#isSpelled ? '\n' : ' | '), `row ${this.#number}`)
  }
}

const plain = (cell: string): string => cell.trim()

/** The most frequent delimiter of the first row. */
function delimiterOf(text: string): string {
  const end = text.indexOf('\n')
  const first = text
    .slice(0, Math.min(end === -1 ? text.length : end, 20_000))
    .replace(/"[^"]*"/g, '')
  const counts = delimiters.map((one) => first.split(one).length)
  return delimiters[counts.indexOf(Math.max(...counts))] ?? ','
}
