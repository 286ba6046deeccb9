import { once } from 'node:events'
import { mkdtemp, readFile, rm, statfs, writeFile } from 'node:fs/promises'
import { cpus, loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { freshBuild } from '#adapters/process/build.js'
import type { Bench } from './group.ts'
import { groups } from './groups.ts'
import { canMeasure } from './measure.ts'
import type { Pace } from './rounds.ts'
import { endAll, startBare, type Started } from './servers.ts'
import { pages } from './table/documents.ts'
import { recorded, type History } from './table/history.ts'
import { markdownOf, summaryOf, tableOf, type Report, type Result } from './table/report.ts'
import { fullSizes, quickSizes } from './table/sizes.ts'
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
    /** Keeps the figures under this name, and writes the documents that show them. */
    record: { type: 'string' },
  },
})

const pace: Pace = options.quick
  ? { rounds: 1, slice: 0.8, echo: 0.4, warmUp: 0.6 }
  : { rounds: 5, slice: 1.5, echo: 0.5, warmUp: 1 }
const sizes = options.quick ? quickSizes : fullSizes
/** Linux's number for a file system in memory. */
const memoryFiles = 0x01021994
const say = (text: string): void => void process.stderr.write(`${text}\n`)

/**
 * Measures each group of which a row is asked for. One that fails says why, and the others go on.
 * @param results are added one by one, for a run that is stopped half way
 */
async function measure(
  rows: readonly Row[],
  folder: string,
  results: Map<Row, Result>,
): Promise<void> {
  let echo: Promise<Started> | undefined
  const bench: Bench = {
    folder,
    pace,
    ...sizes,
    asked: new Set(rows),
    echo: () => (echo ??= startBare('echo')),
    say,
    note: (row, result) =>
      results.set(row, typeof result === 'number' ? { value: result } : result),
  }
  for (const group of groups) {
    const own = rowsOf(group.name).filter((row) => bench.asked.has(row))
    if (own.length === 0) continue
    await group.measure(bench).catch((cause: unknown) => {
      for (const row of own) if (!results.has(row)) results.set(row, { fault: String(cause) })
    })
  }
}

async function main(rows: readonly Row[]): Promise<void> {
  const begun = performance.now()
  const folder = await mkdtemp(join(tmpdir(), 'abode-bench-'))
  const about = await circumstances(folder)
  const results = new Map<Row, Result>()
  // Stopped half way, it shows and keeps what it has.
  const stop = Promise.race([once(process, 'SIGINT'), once(process, 'SIGTERM')])
  const isStopped = await Promise.race([
    measure(rows, folder, results).then(() => false),
    stop.then(() => true),
  ])
  if (isStopped) about.push('STOPPED HALF WAY')
  // What is cut off now fails, and is no result.
  const found = new Map(results)
  await endAll()
  // What was being measured may still write.
  await rm(folder, { recursive: true, force: true, maxRetries: 10 }).catch(String)
  about.push(`${((performance.now() - begun) / 1000).toFixed(0)} s`)
  const report: Report = { rows, sizes, results: found }
  console.log(options.markdown ? markdownOf(report) : tableOf(report))
  console.log(`\n${about.join(', ')}\n${summaryOf(report)}`)
  if (options.record !== undefined) await record(options.record, about.join(', '), found)
  // A row that is missed says so; only one that could not be measured is a failure.
  const isWhole = rows.every((row) => 'value' in (found.get(row) ?? {}))
  // A measurement that was stopped would go on.
  process.exit(isWhole ? 0 : 1)
}

/** What the figures depend on, apart from the code. */
async function circumstances(folder: string): Promise<string[]> {
  const isInMemory = (await statfs(folder)).type === memoryFiles
  return [
    `Node ${process.versions.node}`,
    `${cpus().length} x ${cpus()[0]?.model ?? 'an unknown processor'}`,
    ...(freshBuild() ? [] : ['FROM THE SOURCES, which takes longer to start: npm run build']),
    ...(isInMemory ? ['IN MEMORY, where a sync costs nothing: rows of writes mean little'] : []),
    `load ${loadavg().map((load) => load.toFixed(1))[0]} at the start`,
  ]
}

async function record(label: string, about: string, results: Report['results']): Promise<void> {
  const root = new URL('../../', import.meta.url)
  const kept = new URL('tests/bench/history.json', root)
  // This function wrote it.
  const before = JSON.parse(await readFile(kept, 'utf8')) as History
  const history = recorded(before, { label, about }, results)
  await writeFile(kept, `${JSON.stringify(history, null, 2)}\n`)
  for (const [path, page] of Object.entries(pages)) {
    const file = new URL(path, root)
    await writeFile(file, page(await readFile(file, 'utf8'), history))
    say(`wrote ${path}`)
  }
}

function fail(reason: string): void {
  console.error(reason)
  process.exitCode = 1
}

if (options.record !== undefined && options.quick) {
  fail('A quick run is only roughly right: it is not recorded.')
} else if (!canMeasure) {
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
