import { mkdtemp, rm, statfs } from 'node:fs/promises'
import { cpus, loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import type { Bench } from './group.ts'
import { groups } from './groups.ts'
import { canMeasure } from './measure.ts'
import type { Pace } from './rounds.ts'
import { startBare, type Started } from './servers.ts'
import { markdownOf, summaryOf, tableOf, type Report, type Result } from './table/report.ts'
import { askedRows, rowsOf, type Row } from './table/targets.ts'

const { values: options } = parseArgs({
  options: {
    /** A row or a group of rows by its name, as often as wanted. */
    row: { type: 'string', multiple: true, default: [] },
    /** With the rows that take minutes each. */
    long: { type: 'boolean', default: false },
    /** A tenth of the time, for figures that are only roughly right. */
    quick: { type: 'boolean', default: false },
    /** The table as Markdown. */
    markdown: { type: 'boolean', default: false },
  },
})

const pace: Pace = options.quick
  ? { rounds: 1, slice: 0.8, echo: 0.4, warmUp: 0.6 }
  : { rounds: 5, slice: 1.5, echo: 0.5, warmUp: 1 }
const many = options.quick ? 10_000 : 100_000
const burst = options.quick ? 1000 : 10_000
/** Linux's number for a file system in memory. */
const memoryFiles = 0x01021994
const say = (text: string): void => void process.stderr.write(`${text}\n`)

/** Measures each group of which a row is asked for. One that fails says why, and the others go on. */
async function measured(rows: readonly Row[], folder: string): Promise<Report['results']> {
  const results = new Map<Row, Result>()
  let echo: Promise<Started> | undefined
  const bench: Bench = {
    folder,
    pace,
    many,
    burst,
    asked: new Set(rows),
    echo: () => (echo ??= startBare('echo')),
    say,
    note: (row, result) =>
      results.set(row, typeof result === 'number' ? { value: result } : result),
  }
  try {
    for (const group of groups) {
      const own = rowsOf(group.name).filter((row) => bench.asked.has(row))
      if (own.length === 0) continue
      await group.measure(bench).catch((cause: unknown) => {
        for (const row of own) if (!results.has(row)) results.set(row, { fault: String(cause) })
      })
    }
  } finally {
    await (await echo)?.end()
  }
  return results
}

async function main(rows: readonly Row[]): Promise<void> {
  const begun = performance.now()
  const about = [
    `Node ${process.versions.node}`,
    `${cpus().length} x ${cpus()[0]?.model ?? 'an unknown processor'}`,
    `load ${loadavg().map((load) => load.toFixed(1))[0]} at the start`,
  ]
  const folder = await mkdtemp(join(tmpdir(), 'abode-bench-'))
  if ((await statfs(folder)).type === memoryFiles) {
    about.push('IN MEMORY, where a sync costs nothing: rows of writes mean little')
  }
  const sizes = { many, burst, posts: 10 * many }
  const report: Report = { rows, sizes, results: new Map() }
  try {
    report.results = await measured(rows, folder)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
  about.push(`${((performance.now() - begun) / 1000).toFixed(0)} s`)
  console.log(options.markdown ? markdownOf(report) : tableOf(report))
  console.log(`\n${about.join(', ')}\n${summaryOf(report)}`)
  // A row that is missed says so; only one that could not be measured is a failure.
  const isWhole = rows.every((row) => 'value' in (report.results.get(row) ?? {}))
  process.exitCode = isWhole ? 0 : 1
}

function fail(reason: string): void {
  console.error(reason)
  process.exitCode = 1
}

if (!canMeasure) {
  fail('The bench reads CPU time and memory from /proc, which only Linux has.')
} else {
  let rows: readonly Row[] = []
  try {
    rows = askedRows(options.row, options.long)
  } catch (cause) {
    fail(cause instanceof Error ? cause.message : String(cause))
  }
  if (rows.length > 0) await main(rows)
}
