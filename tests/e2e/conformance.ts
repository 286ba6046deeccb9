import { readFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import type { Report, Scenario } from '#src/core/conformance-report.ts'
import { realClients } from './conformance/clients/played.ts'
import { contractSuites } from './conformance/contract.ts'
import { parity } from './conformance/doors.ts'
import { officialSuites } from './conformance/official.ts'
import { differences, keepReport, keptReport } from './conformance/report-file.ts'
import { lines } from './conformance/suite.ts'

/**
 * Measures what others' suites and clients find at the doors, and keeps it as the report that the
 * server answers at /api/conformance. Ends non-zero when a scenario fails that should pass, or passes
 * that should fail.
 *
 *   --check          keeps nothing: ends non-zero, too, when the report in the tree says otherwise
 *   --tests <file>   takes the cases from this report of vitest, instead of playing them again; waits for
 *                    it while the tests run
 */
const { values: options } = parseArgs({
  options: { check: { type: 'boolean', default: false }, tests: { type: 'string' } },
})

async function measured(): Promise<Report> {
  // The one waits for most of its time, the other computes.
  const suites = (await Promise.all([officialSuites(), contractSuites()])).flat()
  const clients = await realClients()
  const a2a = clients.filter(({ name }) => name === '@a2a-js/sdk').map(({ mode }) => mode)
  return {
    version: versionOfPackage(),
    date: new Date().toISOString().slice(0, 10),
    node: process.versions.node,
    protocols: {
      mcp: [...new Set(lines.map(({ revision }) => revision))].sort(),
      a2a: [...new Set(a2a)].sort(),
      openapi: '3.1',
    },
    suites,
    clients,
    doors: await parity(options.tests),
  }
}

function versionOfPackage(): string {
  const text = readFileSync(new URL('../../package.json', import.meta.url), 'utf8')
  // The package is ours, and has a version.
  return (JSON.parse(text) as { version: string }).version
}

function row(place: readonly string[], { name, status, reason = '' }: Scenario): string {
  const verdict = { passed: 'passes', failed: 'FAILS', expected_failure: 'fails, as expected' }
  const [what = '', where = '', how = ''] = place
  const cells = [what.padEnd(42), where.padEnd(20), how.padEnd(36), name.padEnd(60)]
  return [...cells, verdict[status].padEnd(18), reason].join(' ').trimEnd()
}

function rowsOf({ suites, clients, doors }: Report): string[] {
  return [
    ...suites.flatMap(({ name, version, target, era, scenarios }) =>
      scenarios.map((one) => row([`${name} ${version}`, target, era], one)),
    ),
    ...clients.flatMap(({ name, version, door, mode, scenarios }) =>
      scenarios.map((one) => row([`${name} ${version}`, door, mode], one)),
    ),
    `${doors.operations} operations, ${doors.cases} cases:`,
    ...doors.doors.map(
      ({ name, operations, played, failed }) =>
        `  by ${name}: ${operations} operations, ${played} cases played, ${failed} failed`,
    ),
    `  by all: ${doors.same.answers} same answers, ${doors.same.refusals} same refusals, ${doors.same.failed} failed`,
  ]
}

/** What is wrong with the report in the tree. */
async function faultsOfKept(report: Report): Promise<string[]> {
  const kept = await keptReport()
  const faults = kept ? differences(kept, report) : ['there is no report that can be read']
  return faults.length === 0 ? [] : [...faults, '`npm run conformance` rewrites it']
}

async function main(): Promise<number> {
  const report = await measured()
  const say = (text: string): boolean => process.stdout.write(`${text}\n`)
  rowsOf(report).forEach(say)
  const scenarios = [...report.suites, ...report.clients].flatMap((one) => one.scenarios)
  const failed = scenarios.filter(({ status }) => status === 'failed').length
  const { doors, same } = report.doors
  const cases = doors.reduce((sum, door) => sum + door.failed, same.failed)
  const faults = options.check ? await faultsOfKept(report) : []
  if (!options.check) await keepReport(report)
  faults.forEach((fault) => say(`the report: ${fault}`))
  say(`${scenarios.length - failed} passed, ${failed + cases} failed`)
  return failed + cases + faults.length > 0 ? 1 : 0
}

const code = await main()
// Exits even while a client hangs.
process.stdout.write('', () => process.exit(code))
