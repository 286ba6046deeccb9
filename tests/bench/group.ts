import type { Subject } from './load.ts'
import type { Ratios, Figures, Outcome, Pace } from './rounds.ts'
import type { Result } from './table/report.ts'
import type { Sizes } from './table/sizes.ts'
import { rowsOf, targetOf, type Row } from './table/targets.ts'

/** What a group of rows is measured with. */
export interface Bench extends Readonly<Sizes> {
  /** For the folders of servers; it is removed at the end. */
  readonly folder: string
  readonly pace: Pace
  /** The rows that are wanted: a group measures these, and others only where they cost nothing. */
  readonly asked: ReadonlySet<Row>
  /** The server that does nothing, whose answer is the unit of the column `x`. */
  readonly echo: () => Promise<Subject>
  /** Says on the way what is done. */
  readonly say: (text: string) => void
  readonly note: (row: Row, result: Result | number) => void
}

/** Rows that are measured together, because they need the same server. Its name is that of its rows. */
export interface Group {
  name: string
  /** Notes a result for each of its rows that is asked for; what it throws becomes their fault. */
  measure(bench: Bench): Promise<void>
}

/** The rows of a group that are asked for. */
export function wanted({ asked }: Pick<Bench, 'asked'>, group: string): readonly Row[] {
  return rowsOf(group).filter((row) => asked.has(row))
}

/**
 * Notes what rounds gave for these rows: over the floor of each, or in the unit of the echo where it has
 * none. The names of their loads and floors are those of the entries.
 */
export function noteOutcomes(
  bench: Bench,
  rows: readonly Row[],
  found: ReadonlyMap<string, Outcome>,
): void {
  for (const row of rows) {
    const { load, floor, by = 'cpu' } = targetOf(row)
    const outcome = found.get(load)
    if (floor === undefined || !outcome || outcome.fault !== undefined) {
      bench.note(
        row,
        valueOf(outcome, ({ x }) => x),
      )
    } else {
      bench.note(row, overFloor(outcome.figures, outcome.over.get(floor), by))
    }
  }
}

/** One figure of a load as the result of a row. */
export function valueOf(outcome: Outcome | undefined, pick: (figures: Figures) => number): Result {
  if (!outcome) return { fault: 'nothing was measured' }
  if (outcome.fault !== undefined) return { fault: outcome.fault }
  return { value: pick(outcome.figures), figures: outcome.figures }
}

function overFloor(figures: Figures, over: Ratios | undefined, by: 'cpu' | 'p99' | 'aSecond') {
  if (!over) return { fault: 'its floor was not measured' }
  return { value: over[by], figures, floor: over.floor }
}
