import type { Engine } from './engine.ts'
import { bytesAtOnce, leastCharacters, type ReadRow } from './large-rows.ts'

/** The SQL to read documents, large ones in another way. */
export interface Reading {
  /** The columns by which rows are found. */
  columns: string
  /** Reads the row with an id, which is whole unless it is large. */
  row: string
  /** Reads the texts of a large one. */
  bytes: string
}

/** A row without its texts if they are many bytes. */
type LightRow = readonly [id: string, doc: string | null, hidden?: string | null]

/** Texts in UTF-8. */
type LargeColumns = readonly [doc: Uint8Array, hidden?: Uint8Array | null]

/** The bytes of a document that are read even if a read may end before it. */
export const countedBytes = 65_536

/**
 * SQLite stores a text's size before it, so a large text need not be read to be left for later.
 * @param hides whether there is a column for hidden members
 * @param bytesAtMost of a document that is read at once where many are
 */
export function readingOf(table: string, hides: boolean, bytesAtMost: number): Reading {
  const where = `FROM ${table} WHERE id = ?`
  return {
    columns: lightColumns(hides, bytesAtMost),
    row: `SELECT ${lightColumns(hides, bytesAtOnce)} ${where}`,
    bytes: `SELECT CAST(doc AS BLOB)${hides ? ', CAST(hidden AS BLOB)' : ''} ${where}`,
  }
}

function lightColumns(hides: boolean, bytesAtMost: number): string {
  const hidden = hides ? ' + ifnull(octet_length(hidden), 0)' : ''
  const isLarge = `octet_length(doc)${hidden} > ${bytesAtMost}`
  const columns = hides ? ['doc', 'hidden'] : ['doc']
  return `id, ${columns.map((name) => `iif(${isLarge}, NULL, ${name})`).join(', ')}`
}

/** The row with this id. */
export function rowBy(
  engine: Pick<Engine, 'statement'>,
  { row, bytes }: Reading,
  id: string,
): ReadRow | undefined {
  // The columns were named above, and hold what the table wrote, or null.
  const light = engine.statement(row).get(id) as unknown as LightRow | undefined
  if (!light || isWhole(light)) return light
  // The same, as they are stored.
  const large = engine.statement(bytes).get(id) as unknown as LargeColumns | undefined
  return large && { id, doc: large[0], hidden: large[1] ?? null }
}

/**
 * Rows up to a total length; what was left out of one is read when it is its turn.
 * @param found rows with the columns of the reading
 */
export function rowsUpTo(
  charactersAtMost: number,
  engine: Pick<Engine, 'statement'>,
  reading: Reading,
  found: readonly unknown[],
): ReadRow[] {
  const read: ReadRow[] = []
  let characters = 0
  // The columns were named above, and hold what the table wrote, or null.
  for (const light of found as readonly LightRow[]) {
    if (characters > charactersAtMost && read.length > 1) break
    const row = isWhole(light) ? light : rowBy(engine, reading, light[0])
    // Another process has deleted it in the meantime.
    if (!row) continue
    characters += leastCharacters(row)
    read.push(row)
  }
  return read
}

function isWhole(row: LightRow): row is readonly [string, string, (string | null)?] {
  return row[1] !== null
}
