import { doorRows } from './rows/doors.ts'
import { longRows } from './rows/long.ts'
import { pageRows } from './rows/pages.ts'
import { processRows } from './rows/processes.ts'
import { statementRows } from './rows/statements.ts'
import { stockRows } from './rows/stocks.ts'
import type { Target } from './target.ts'

/** Every row of the table, in its order. */
export const targets = {
  ...doorRows,
  ...statementRows,
  ...stockRows,
  ...pageRows,
  ...processRows,
  ...longRows,
} satisfies Record<string, Target>

/** The name of a row, by which it is asked for. */
export type Row = keyof typeof targets

// Object.keys forgets the names that the type of the table knows.
export const rows = Object.keys(targets) as Row[]

/** What a row of this name is. */
export function targetOf(row: Row): Target {
  return targets[row]
}

/** The rows that are measured together, in the order of the table. */
export function rowsOf(group: string): readonly Row[] {
  return rows.filter((row) => targetOf(row).group === group)
}

/**
 * The rows that are meant by names of rows and of groups, in the order of the table; the long ones by
 * their names, or with all others if wanted.
 * @throws Error that lists every name, when there is no such row
 */
export function askedRows(names: readonly string[], isLong: boolean): readonly Row[] {
  if (names.length === 0) return rows.filter((row) => isLong || !targetOf(row).long)
  const groups = new Set<string>(rows.map((row) => targetOf(row).group))
  const known = new Set<string>([...rows, ...groups])
  const unknown = names.filter((name) => !known.has(name))
  if (unknown.length > 0) {
    const all = [...groups].map((group) => `  ${group}: ${rowsOf(group).join(', ')}`)
    throw new Error(
      `there is no row ${unknown.join(', ')}; by groups, the rows are\n${all.join('\n')}`,
    )
  }
  return rows.filter((row) => names.includes(row) || names.includes(targetOf(row).group))
}
