import * as z from 'zod'

/** The result of a scenario: `expected_failure` fails by intention, for the reason given. */
export const ScenarioStatus = z.enum(['passed', 'failed', 'expected_failure'])

/** One test of a suite. */
export const Scenario = z
  .object({
    name: z.string(),
    status: ScenarioStatus,
    reason: z.string().optional().describe('Why it fails, where it does not pass.'),
  })
  .meta({ id: 'ConformanceScenario' })
/** One test of a suite. */
export type Scenario = z.infer<typeof Scenario>

/** A release of a third-party suite, run against one of our servers. */
export const Suite = z.object({
  name: z.string(),
  version: z.string(),
  era: z.string().describe('The revision of the protocol that it spoke.'),
  target: z
    .string()
    .describe(
      'product: the server itself · fixture: its door with the tools that the suite asks for · contract: the OpenAPI document.',
    ),
  scenarios: z.array(Scenario),
})

/** A third-party client, in one way of using it, at one door. */
export const RealClient = z.object({
  name: z.string(),
  version: z.string(),
  mode: z.string().describe('How it was used.'),
  door: z.string().describe('The path that it was given.'),
  scenarios: z.array(Scenario),
})

/** The same calls through every door. */
export const Parity = z
  .object({
    operations: z.int().describe('How many the catalog has.'),
    rest_only: z.int().describe('How many of them make sense over HTTP alone.'),
    cases: z.int().describe('Inputs with the answer or the refusal that each must have.'),
    doors: z.array(
      z.object({
        name: z.string(),
        operations: z.int().describe('How many were called through it.'),
        played: z.int(),
        failed: z.int(),
      }),
    ),
    same: z
      .object({ answers: z.int(), refusals: z.int(), failed: z.int() })
      .describe(
        'Calls that each door was sent, and that all answered or refused in the same words.',
      ),
  })
  .meta({ id: 'ConformanceParity' })

/**
 * What a run of the conformance suites measured; stored next to this file. The same results on the same
 * day give the same bytes.
 */
export const Report = z.object({
  version: z.string().describe('Of the server that was measured.'),
  date: z.string().describe('The day on which it was.'),
  node: z.string(),
  protocols: z
    .object({ mcp: z.array(z.string()), a2a: z.array(z.string()), openapi: z.string() })
    .describe('The revisions that were spoken.'),
  suites: z.array(Suite),
  clients: z.array(RealClient),
  doors: Parity,
})
/** What a run of the conformance suites measured. */
export type Report = z.infer<typeof Report>

/** How many scenarios had each result. */
export interface Counts {
  passed: number
  failed: number
  expected_failures: number
}

/** @returns how many of the scenarios had each result */
export function counted(scenarios: readonly Scenario[]): Counts {
  const of = (status: Scenario['status']): number =>
    scenarios.filter((one) => one.status === status).length
  return {
    passed: of('passed'),
    failed: of('failed'),
    expected_failures: of('expected_failure'),
  }
}

/**
 * @param text of the report that was shipped; null if there was none
 * @returns null if there is no readable report
 */
export function readReport(text: string | null): Report | null {
  if (text === null) return null
  try {
    return Report.safeParse(JSON.parse(text)).data ?? null
  } catch {
    return null
  }
}
