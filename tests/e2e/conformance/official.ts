import type { Report, Scenario } from '#src/core/conformance-report.ts'
import { expectedFailures, productScenarios } from './expected.ts'
import { openFixture, type Target } from './fixture.ts'
import { openProduct } from './product.ts'
import {
  lines,
  played,
  playedAlone,
  scenariosAbout,
  scenariosOf,
  suiteName,
  type Line,
  type Outcome,
} from './suite.ts'
import { taskServers } from './tasks.ts'

type Suites = Report['suites']

const targets: readonly {
  name: string
  open: () => Promise<Target>
  takes: (scenario: string) => boolean
}[] = [
  { name: 'fixture', open: openFixture, takes: () => true },
  { name: 'product', open: openProduct, takes: (scenario) => productScenarios.has(scenario) },
]

/**
 * The official suite, scenario by scenario, against the product's door in a real process and against
 * a server made of the same door with the tools that the suite asks for.
 */
export async function officialSuites(): Promise<Suites> {
  const suites: Suites = []
  for (const { name, open, takes } of targets) {
    const target = await open()
    try {
      // Scenarios mostly wait, for streams and pauses of their own.
      const all = lines.map((line) => suiteOf(name, line, target.url, takes))
      suites.push(...(await Promise.all(all)))
    } finally {
      await target.close()
    }
  }
  await addTaskScenarios(suites)
  return suites
}

/** The scenarios of the extension of tasks, on a fixture of their own: listed with those of their revision. */
async function addTaskScenarios(suites: Suites): Promise<void> {
  const line = lines.findLast(({ revision }) => revision === '2026-07-28')
  const suite = suites.find(
    ({ target, version, era }) =>
      target === 'fixture' && version === line?.release && era === line.revision,
  )
  if (!line || !suite) throw new Error('the suite has no line of the current revision')
  const target = await openFixture(taskServers())
  try {
    const names = await scenariosAbout('tasks', line)
    const outcomes = await Promise.all(names.map((name) => playedAlone(name, line, target.url)))
    suite.scenarios.push(...names.map((name, i) => judged('fixture', name, outcomes[i])))
  } finally {
    await target.close()
  }
}

async function suiteOf(
  target: string,
  line: Line,
  url: string,
  takes: (scenario: string) => boolean,
): Promise<Suites[number]> {
  const names = (await scenariosOf(line)).filter(takes)
  const outcomes = await played(line, url)
  return {
    name: suiteName,
    version: line.release,
    era: line.revision,
    target,
    scenarios: names.map((name) => judged(target, name, outcomes.get(name))),
  }
}

function judged(target: string, name: string, outcome: Outcome | undefined): Scenario {
  const { passed, said } = outcome ?? { passed: false, said: 'was not played' }
  const failure = expectedFailures[target]?.[name]
  if (!failure) {
    return passed ? { name, status: 'passed' } : { name, status: 'failed', reason: said }
  }
  if (passed) return { name, status: 'failed', reason: `passes, and should not: ${failure.reason}` }
  if (!said.startsWith(failure.passing)) return { name, status: 'failed', reason: said }
  return { name, status: 'expected_failure', reason: failure.reason }
}
