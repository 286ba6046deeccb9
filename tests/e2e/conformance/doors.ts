import { existsSync } from 'node:fs'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { catalog } from '#src/catalog.ts'
import type { Report } from '#src/core/conformance-report.ts'
import { ran } from './fetched.ts'

type Doors = Report['doors']

/** What vitest writes of a run. */
interface TestReport {
  testResults: {
    name: string
    assertionResults: { status: string; title: string }[]
  }[]
}

const root = fileURLToPath(new URL('../../..', import.meta.url))
/** A folder for each door with the whole table on one store, and a file with a part of it on the other. */
const table = 'tests/operations/doors/'
const sameCalls = 'tests/conformance/parity.test.ts'
const names = ['rest', 'mcp', 'a2a'] as const
const endsWithinMs = 20 * 60_000
/** The tests may be several times slower on a busy machine. */
const reportedWithinMs = 60 * 60_000
const looksEveryMs = 500

/**
 * The table of cases through every door, and the same calls put to each of them.
 * @param kept the report of a run of the tests that plays them, which may be under way; without one they
 *   are played now
 * @throws Error when they could not be played
 */
export async function parity(kept?: string): Promise<Doors> {
  if (kept === undefined) return parityOf(await playedNow())
  const until = performance.now() + reportedWithinMs
  while (!existsSync(kept) && performance.now() < until) await sleep(looksEveryMs)
  return parityOf(await readFile(kept, 'utf8'))
}

/**
 * @param text the report of a run of the tests
 * @throws Error when it does not hold them
 */
export function parityOf(text: string): Doors {
  // Vitest's own form of its reports.
  const report = JSON.parse(text) as TestReport
  const plays = testsOf(report, table).flatMap(({ title, ...play }) => {
    const [, operation, door = '', rest = ''] = /^(\S+) by (\w+): (.*)$/s.exec(title) ?? []
    return operation ? [{ operation, door, kase: `${operation} ${rest}`, ...play }] : []
  })
  // Some cases are played on another store too.
  const once = plays.filter(({ file, door }) => file.includes(`${table}${door}/`))
  if (once.length === 0) throw absent(table)
  const through = (name: string) => once.filter(({ door }) => door === name)
  const alike = testsOf(report, sameCalls)
  return {
    operations: catalog.length,
    rest_only: catalog.filter(({ restOnly }) => restOnly).length,
    cases: countOf(names.map((name) => through(name).map(({ kase }) => kase))),
    doors: names.map((name) => {
      const played = through(name)
      return {
        name,
        operations: new Set(played.map(({ operation }) => operation)).size,
        played: played.length,
        failed: plays.filter((play) => play.door === name && play.isFailed).length,
      }
    }),
    same: {
      answers: alike.filter(({ title }) => !title.startsWith('refuse ')).length,
      refusals: alike.filter(({ title }) => title.startsWith('refuse ')).length,
      failed: alike.filter(({ isFailed }) => isFailed).length,
    },
  }
}

function testsOf({ testResults }: TestReport, path: string) {
  const files = testResults.filter(({ name }) => name.includes(path))
  const tests = files.flatMap(({ name: file, assertionResults }) =>
    assertionResults.map(({ title, status }) => ({ file, title, isFailed: status !== 'passed' })),
  )
  if (tests.length === 0) throw absent(path)
  return tests
}

function absent(path: string): Error {
  return new Error(`${path} is not in the report of the tests`)
}

/** How many cases there are, of which no door may play all, and some are named alike. */
function countOf(lists: readonly (readonly string[])[]): number {
  const most = new Map<string, number>()
  for (const list of lists) {
    const counts = new Map<string, number>()
    for (const kase of list) counts.set(kase, (counts.get(kase) ?? 0) + 1)
    for (const [kase, count] of counts) most.set(kase, Math.max(count, most.get(kase) ?? 0))
  }
  return [...most.values()].reduce((sum, count) => sum + count, 0)
}

async function playedNow(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'abode-parity-'))
  try {
    const output = join(folder, 'tests.json')
    const vitest = join(root, 'node_modules', 'vitest', 'vitest.mjs')
    const flags = ['--reporter=json', `--outputFile=${output}`]
    const { MONGODB_URI: _, ...env } = process.env
    const args = [vitest, 'run', table, sameCalls, ...flags]
    const { stdout, stderr } = await ran(process.execPath, args, {
      cwd: root,
      timeout: endsWithinMs,
      env,
    })
    return await readFile(output, 'utf8').catch(() => {
      throw new Error(`the doors could not be played:\n${stdout}${stderr}`)
    })
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}
