import type { Figures } from '../rounds.ts'
import type { Sizes } from './sizes.ts'
import { verdictOf, type Target, type Unit } from './target.ts'
import { targetOf, type Row } from './targets.ts'

/** The result of a row, or why there is none. */
export type Result =
  | {
      value: number
      /** Further figures of the load, and those of its floor. */
      figures?: Figures | undefined
      floor?: Figures | undefined
      /** The absolute figures behind the value, where they are no figures of a load. */
      absolute?: string
    }
  | { fault: string }
  /** It cannot be measured on this machine, which lacks what is said. */
  | { skipped: string }

export interface Report {
  /** What was asked for, in the order of the table. */
  rows: readonly Row[]
  results: ReadonlyMap<Row, Result>
  sizes: Sizes
}

/** One line of the table. */
interface Line {
  row: Row
  what: string
  measured: string
  target: string
  verdict: string
  /** The figures of the load and its floor, or in words. */
  detail: readonly string[]
  absolute: string
}

const figureHeads = ['CPU us', 'floor us', 'x echo', 'p50 ms', 'p99 ms', 'floor p99', 'a second']

/** The table of targets and measurements as text. */
export function tableOf(report: Report): string {
  const head = ['row', '', 'measured', 'target', 'verdict', ...figureHeads, '']
  const lines = linesOf(report).map((line) => {
    const { row, what, measured, target, verdict, detail, absolute } = line
    return [row, what, measured, target, verdict, ...detail, absolute]
  })
  return asText([head, ...lines])
}

/** The same as Markdown. */
export function markdownOf(report: Report): string {
  const columns = ['Work', 'Measured', 'Target', 'Verdict', ...figureHeads]
  const rule = ['---', ...columns.slice(1).map(() => '---:')]
  const lines = linesOf(report).map(({ what, measured, target, verdict, detail, absolute }) => {
    const words = absolute === '' ? what : `${what}: ${absolute}`
    return [words, measured, target, verdict, ...detail]
  })
  return [columns, rule, ...lines].map((cells) => `| ${cells.join(' | ')} |`).join('\n')
}

/** One line that says how many rows met their target, and which did not. */
export function summaryOf({ rows, results }: Pick<Report, 'rows' | 'results'>): string {
  const by = Map.groupBy(rows, (row) => {
    const result = results.get(row)
    if (result && 'value' in result) return verdictOf(targetOf(row), result.value)
    return result && 'skipped' in result ? 'skipped' : 'not measured'
  })
  const judged = rows.filter(
    (row) => targetOf(row).target !== undefined && !by.get('skipped')?.includes(row),
  )
  const counts = [`${by.get('met')?.length ?? 0} of ${judged.length} targets met`]
  for (const verdict of ['missed', 'ALARM', 'skipped', 'not measured'] as const) {
    const named = by.get(verdict)
    if (named) counts.push(`${verdict}: ${named.join(', ')}`)
  }
  return counts.join('; ')
}

/** What a row measures, with the sizes of this run. */
export function titleOf(row: Row, sizes: Sizes): string {
  return Object.entries(sizes).reduce(
    (title, [name, size]) => title.replace(`{${name}}`, Number(size).toLocaleString('en')),
    targetOf(row).what,
  )
}

function linesOf({ rows, results, sizes }: Report): Line[] {
  return rows.map((row) => {
    const own = targetOf(row)
    const result = results.get(row) ?? { fault: 'nothing was measured' }
    const line = { row, what: titleOf(row, sizes), target: boundOf(own), absolute: '' }
    if (!('value' in result)) {
      const verdict =
        'skipped' in result ? `skipped: ${result.skipped}` : `not measured: ${result.fault}`
      return { ...line, measured: '-', verdict, detail: detailOf(undefined, undefined) }
    }
    const { value, figures, floor, absolute = '' } = result
    const verdict = verdictOf(own, value) ?? ''
    return {
      ...line,
      measured: shown(value, own.unit),
      verdict,
      detail: detailOf(figures, floor),
      absolute,
    }
  })
}

function boundOf({ target, unit, least }: Target): string {
  return target === undefined ? '' : `${least ? '>=' : '<='} ${shown(target, unit)}`
}

function detailOf(figures: Figures | undefined, floor: Figures | undefined): string[] {
  return [
    figures?.cpu.toFixed(0) ?? '',
    floor?.cpu.toFixed(0) ?? '',
    figures?.x.toFixed(1) ?? '',
    figures?.p50.toFixed(1) ?? '',
    figures?.p99.toFixed(1) ?? '',
    floor?.p99.toFixed(1) ?? '',
    figures?.aSecond.toFixed(0) ?? '',
  ]
}

const digits: Partial<Record<Unit, number>> = { x: 1, times: 2, ms: 2, s: 2, '%': 1 }

/** A figure with its unit. */
export function shown(value: number, unit: Unit): string {
  const places = digits[unit]
  const number =
    places === undefined ? Math.round(value).toLocaleString('en') : value.toFixed(places)
  return `${number} ${unit}`
}

function asText(lines: readonly (readonly string[])[]): string {
  const widths = (lines[0] ?? []).map((_, i) => Math.max(...lines.map((line) => columnOf(line, i))))
  const isLeft = (i: number): boolean => i < 2 || i === widths.length - 1
  const padded = (cell: string, i: number): string =>
    isLeft(i) ? cell.padEnd(widths[i] ?? 0) : cell.padStart(widths[i] ?? 0)
  return lines.map((line) => line.map(padded).join('  ').trimEnd()).join('\n')
}

/** Why there is no figure is told at any length and widens no column. */
function columnOf(line: readonly string[], i: number): number {
  const cell = line[i] ?? ''
  return /^(?:not measured|skipped)/.test(cell) ? 0 : cell.length
}
