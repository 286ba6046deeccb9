import { readFile, writeFile } from 'node:fs/promises'
import { readReport, type Report, type Scenario } from '#src/core/conformance-report.ts'

const place = new URL('../../../src/core/conformance-report.json', import.meta.url)

/** The report in the tree; null where there is none that can be read. */
export async function keptReport(): Promise<Report | null> {
  return readReport(await readFile(place, 'utf8').catch(() => null))
}

/** Puts the report into the tree. */
export async function keepReport(report: Report): Promise<void> {
  await writeFile(place, reportText(report))
}

/** The same text for the same report, one line a scenario, so that a change of it can be read. */
export function reportText({ suites, clients, doors, ...rest }: Report): string {
  const facts = Object.entries(rest).map(
    ([name, value]) => `${JSON.stringify(name)}: ${line(value)}`,
  )
  const parts = [
    ...facts,
    `"suites": ${list(suites.map(group), '  ')}`,
    `"clients": ${list(clients.map(group), '  ')}`,
    `"doors": ${line(doors)}`,
  ]
  return `{\n  ${parts.join(',\n  ')}\n}\n`
}

function group({
  scenarios,
  ...rest
}: Report['suites'][number] | Report['clients'][number]): string {
  const head = line(rest).slice(0, -1)
  return `${head}, "scenarios": ${list(scenarios.map(line), '    ')}}`
}

function list(lines: readonly string[], indent: string): string {
  if (lines.length === 0) return '[]'
  return `[\n${lines.map((one) => `${indent}  ${one}`).join(',\n')}\n${indent}]`
}

/** On one line, with a space behind every comma and colon that is no part of a text. */
function line(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(line).join(', ')}]`
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  const members = Object.entries(value).filter(([, member]) => member !== undefined)
  return `{${members.map(([name, member]) => `${JSON.stringify(name)}: ${line(member)}`).join(', ')}}`
}

/**
 * What the kept report says otherwise than was measured: the day and the version of Node may differ,
 * and more cases may have been played than were.
 */
export function differences(kept: Report, measured: Report): string[] {
  const [told, found] = [scenariosOf(kept), scenariosOf(measured)]
  const names = new Set([...told.keys(), ...found.keys()])
  const facts = ['version', 'protocols'] as const
  return [
    ...facts.flatMap((fact) => otherwise(fact, line(kept[fact]), line(measured[fact]))),
    ...[...names].flatMap((name) => otherwise(name, told.get(name), found.get(name))),
    ...otherwise('operations', `${kept.doors.operations}`, `${measured.doors.operations}`),
    ...(measured.doors.cases < kept.doors.cases
      ? [`cases: the report says ${kept.doors.cases}, and ${measured.doors.cases} were played`]
      : []),
    ...measured.doors.doors.flatMap(({ name, failed }) =>
      failed === 0 ? [] : [`${failed} cases fail through the door ${name}`],
    ),
    ...(measured.doors.same.failed === 0
      ? []
      : [`${measured.doors.same.failed} calls are answered otherwise by one door than by another`]),
  ]
}

function otherwise(what: string, told = 'nothing', found = 'nothing'): string[] {
  return told === found ? [] : [`${what}: the report says ${told}, and it is ${found}`]
}

/** The status of every scenario, by its place. */
function scenariosOf({ suites, clients }: Report): Map<string, Scenario['status']> {
  const places: [string, readonly Scenario[]][] = [
    ...suites.map(({ name, version, era, target, scenarios }): [string, Scenario[]] => [
      `${name} ${version}, ${era}, ${target}`,
      scenarios,
    ]),
    ...clients.map(({ name, version, mode, door, scenarios }): [string, Scenario[]] => [
      `${name} ${version}, ${mode}, ${door}`,
      scenarios,
    ]),
  ]
  return new Map(
    places.flatMap(([place, scenarios]) =>
      scenarios.map(({ name, status }): [string, Scenario['status']] => [
        `${place}: ${name}`,
        status,
      ]),
    ),
  )
}
