/**
 * What a figure is counted in. `times` is a ratio to the floor of the row, `x` CPU time for each request
 * over that of a bare Koa answer.
 */
export type Unit =
  | 'times'
  | 'x'
  | 's'
  | 'ms'
  | '%'
  | 'MiB'
  | 'KiB'
  | 'kB'
  | 'a second'
  | 'statements'

/** The figures of which a ratio can be taken. */
export type Measure = 'cpu' | 'p99' | 'aSecond'

/** What a row measures, and what it should come to. */
export interface Target {
  /** In words, as the table has it. */
  what: string
  /** The rows that are measured together. */
  group: string
  /** What is done again and again: in the group of the doors a load by its name, else in words. */
  load: string
  /** What the load is held against in the same run: there a load by its name, else in words. */
  floor?: string
  /** Which figures are divided; by default CPU time. */
  by?: Measure
  unit: Unit
  /** None where the row is there to be compared. */
  target?: number
  /** Beyond this something is wrong; none by default. */
  alarm?: number
  /** More is better. */
  least?: true
  /** Only with `--long`, or by its name. */
  long?: true
}

export type Verdict = 'met' | 'missed' | 'ALARM'

/** How a figure stands to its target; undefined where there is none. */
export function verdictOf({ target, alarm, least }: Target, value: number): Verdict | undefined {
  if (target === undefined) return undefined
  const isWithin = (bound: number): boolean => (least ? value >= bound : value <= bound)
  if (isWithin(target)) return 'met'
  return alarm !== undefined && !isWithin(alarm) ? 'ALARM' : 'missed'
}
