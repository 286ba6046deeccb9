import type { Statement } from '../work.ts'

/** Prepares statements, each once; their rows are arrays of columns. */
export interface Statements {
  statement(sql: string): Statement
}

/**
 * The tables by which processes tell each other what they have touched, made where they are missing.
 * `changes` has a row for each transaction that was made while another process read it: `seq` is the number
 * of the transaction in `commits`, so that a reader notices each one that has no row.
 */
export const changeTables: readonly (readonly [name: string, sql: string])[] = [
  [
    'changes',
    'CREATE TABLE "changes" (seq INTEGER PRIMARY KEY, origin TEXT NOT NULL, names TEXT NOT NULL)',
  ],
  ['readers', 'CREATE TABLE "readers" (id TEXT PRIMARY KEY, beat INTEGER NOT NULL)'],
]

/** Rows that are kept; a reader that is further behind looks at everything instead. */
export const rowsKept = 1_024
/** In place of the names where a transaction has touched too many. */
export const everything = '*'
/** How often a reader that is told of changes shows that it lives. */
export const beatMs = 10_000
/** How long a reader may be silent after a change that it was to read. */
export const silentMs = 30_000
