import type { Figures } from './rounds.ts'
import { rows, targets, verdictOf, type Row, type Target, type Unit } from './targets.ts'

/** The result of a row: a figure with further figures of the load, or why there is none. */
export type Result = { value: number; figures?: Figures | undefined } | { fault: string }

/** A load that has no target of its own. */
export interface Aside {
  what: string
  figures: Figures
}

export interface Report {
  results: ReadonlyMap<Row, Result>
  asides: readonly Aside[]
  /** How many agents the rows about many were measured with. */
  many: number
  /** How many schedules were due at once. */
  burst: number
  /** Of the machine and the run, in one line. */
  about: string
}

const head = ['', 'measured', 'target', 'verdict', 'CPU us', 'p50 ms', 'p99 ms', 'a second']

/** The table of targets and measurements, as text or as Markdown. */
export function tableOf(report: Report, markdown: boolean): string {
  const lines = [...resultLines(report), ...report.asides.map(asideLine)]
  return markdown ? asMarkdown(lines) : asText([head, ...lines])
}

/** One line that says how many rows met their target, and which did not. */
export function summaryOf({ results }: Pick<Report, 'results'>): string {
  const by = Map.groupBy(rows, (row) => {
    const result = results.get(row)
    return result && 'value' in result ? verdictOf(row, result.value) : 'not measured'
  })
  const counts = [`${by.get('met')?.length ?? 0} of ${rows.length} targets met`]
  for (const verdict of ['missed', 'ALARM', 'not measured'] as const) {
    const named = by.get(verdict)
    if (named) counts.push(`${verdict}: ${named.join(', ')}`)
  }
  return counts.join('; ')
}

function resultLines({ results, many, burst }: Report): string[][] {
  return rows.map((row) => {
    const { what, unit, target, least }: Target = targets[row]
    const result = results.get(row) ?? { fault: 'nothing was measured' }
    const name = what
      .replace('{many}', many.toLocaleString('en'))
      .replace('{posts}', (10 * many).toLocaleString('en'))
      .replace('{burst}', burst.toLocaleString('en'))
    const bound = `${least ? '>=' : '<='} ${shown(target, unit)}`
    if ('fault' in result) return [name, '-', bound, `not measured: ${result.fault}`]
    const verdict = verdictOf(row, result.value)
    return [name, shown(result.value, unit), bound, verdict, ...detail(result.figures)]
  })
}

function asideLine({ what, figures }: Aside): string[] {
  return [what, shown(figures.x, 'x'), '', '', ...detail(figures)]
}

function detail(figures: Figures | undefined): string[] {
  if (!figures) return ['', '', '', '']
  const { cpu, p50, p99, aSecond } = figures
  return [cpu.toFixed(0), p50.toFixed(1), p99.toFixed(1), aSecond.toFixed(0)]
}

function shown(value: number, unit: Unit): string {
  if (unit === 'x') return `${value.toFixed(1)} x`
  if (unit === 'times') return `${value.toFixed(2)} times`
  if (unit === 'ms') return `${value.toFixed(2)} ms`
  if (unit === 's') return `${value.toFixed(2)} s`
  return `${Math.round(value).toLocaleString('en')} ${unit}`
}

function asText(lines: readonly string[][]): string {
  const widths = head.map((_, i) => Math.max(...lines.map((line) => columnOf(line, i))))
  return lines
    .map((line) =>
      line
        .map((cell, i) => (i === 0 ? cell.padEnd(widths[i] ?? 0) : cell.padStart(widths[i] ?? 0)))
        .join('  ')
        .trimEnd(),
    )
    .join('\n')
}

/** A fault is told at any length and widens no column. */
function columnOf(line: readonly string[], i: number): number {
  const cell = line[i] ?? ''
  return cell.startsWith('not measured') ? 0 : cell.length
}

function asMarkdown(lines: readonly string[][]): string {
  const columns = ['Work', 'Measured', 'Target', 'Verdict', 'p50 ms', 'p99 ms']
  const rows = lines.map(([what, value, target, verdict, , p50 = '', p99 = '']) =>
    [what, value, target, verdict, p50, p99].join(' | '),
  )
  const rule = ['---', ...columns.slice(1).map(() => '---:')]
  return [columns.join(' | '), rule.join(' | '), ...rows].map((row) => `| ${row} |`).join('\n')
}
