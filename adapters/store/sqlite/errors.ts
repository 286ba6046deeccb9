import type { CollectionName } from '#src/ports/documents.ts'
import { DuplicateKey, Unavailable } from '#src/ports/store.ts'

/** What a unique index of the database stands for. */
export interface UniqueIndex {
  collection: CollectionName
  paths: readonly string[]
}

/** Of node:sqlite, with SQLite's extended result code. */
function isOfSqlite(error: unknown): error is Error & { errcode: number } {
  return error instanceof Error && 'errcode' in error && typeof error.errcode === 'number'
}

/** SQLite's extended result code, of any error of node:sqlite. */
export function resultCode(error: unknown): number | undefined {
  return isOfSqlite(error) ? error.errcode : undefined
}

/** Another connection holds a lock that this one needs. */
export function isBusy(error: unknown): boolean {
  return ((resultCode(error) ?? 0) & 0xff) === 5
}

const full = 13
/** What was read is no database, or not the one that was written. */
const damages: ReadonlySet<number> = new Set([11, 26])

/** There was no room left for what was to be written. */
export function isFull(error: unknown): boolean {
  return ((resultCode(error) ?? 0) & 0xff) === full
}

/** The file holds something else than what was written there. */
export function isDamage(error: unknown): boolean {
  return damages.has((resultCode(error) ?? 0) & 0xff)
}

/** Primary codes that say that the file, not the request, is at fault. */
const outages: ReadonlyMap<number, string> = new Map([
  [5, 'another process holds its lock'],
  [6, 'a table is locked'],
  [7, 'no memory is left'],
  [8, 'the file cannot be written'],
  [10, 'reading or writing the file failed'],
  [11, 'the file is damaged'],
  [13, 'the disk is full'],
  [14, 'the file cannot be opened'],
  [15, 'the locks do not work'],
  [26, 'the file is no database'],
])

/**
 * The port's word for an error of the database; anything else is a bug and passes as it is.
 * Only the codes of UNIQUE and PRIMARY KEY mean a duplicate: their family also holds NOT NULL,
 * CHECK and triggers.
 */
export function storeError(
  error: unknown,
  uniqueIndexes: ReadonlyMap<string, UniqueIndex>,
): unknown {
  if (!isOfSqlite(error)) return error
  const code = error.errcode
  if (code === 2067 || code === 1555) {
    const name = /failed: (?:index '(.+)'|(\S+))$/.exec(error.message)
    const index = uniqueIndexes.get(name?.[1] ?? name?.[2] ?? '')
    return index ? new DuplicateKey(index.collection, index.paths, { cause: error }) : error
  }
  const outage = outages.get(code & 0xff)
  return outage
    ? new Unavailable(`the database cannot be used: ${outage}`, {
        cause: error,
        isFull: isFull(error),
      })
    : error
}
