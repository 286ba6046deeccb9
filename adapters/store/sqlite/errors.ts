import type { CollectionName } from '#src/ports/documents.ts'
import { DuplicateKey, Unavailable } from '#src/ports/store.ts'

/** What a unique index of the database stands for. */
export interface UniqueIndex {
  collection: CollectionName
  paths: readonly string[]
}

/** Whether an error is from node:sqlite, which adds SQLite's extended result code. */
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
/** The file is not a database, or is corrupt. */
const damages: ReadonlySet<number> = new Set([11, 26])

/** There was no space left for the write. */
export function isFull(error: unknown): boolean {
  return ((resultCode(error) ?? 0) & 0xff) === full
}

/** The file does not hold what was written to it. */
export function isDamage(error: unknown): boolean {
  return damages.has((resultCode(error) ?? 0) & 0xff)
}

/** Primary codes which say that the file, not the request, is at fault. */
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
 * The port's error for one of the database; any other error is a bug and passes unchanged. Only the
 * codes of UNIQUE and PRIMARY KEY mean a duplicate: their family also contains NOT NULL, CHECK and
 * triggers.
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
        isAway: true,
        isFull: isFull(error),
      })
    : error
}
