import { expect } from 'vitest'
import { readReport } from '#src/core/conformance-report.ts'
import { shippedReport } from '#adapters/compose/conformance-report.ts'
import { given, type Case } from '#tests/operations/case.ts'

interface Counted {
  passed: number
  scenarios: { status: string }[]
}

interface Answer {
  version: string
  server_version: string
  stale: boolean
  suites: Counted[]
  clients: Counted[]
}

/** What is told of the last conformance run. */
export const conformance: readonly Case[] = [
  given({
    op: 'conformance.get',
    title: 'the report that was shipped is answered whole, with the version that it is of',
    as: 'anonymous',
    input: () => ({}),
    answer: async (answer) => {
      const { suites, clients, ...facts } = readReport(await shippedReport()) ?? {}
      expect(answer).toMatchObject({ shipped: true, ...facts, suites, clients })
      // The form of the answer has been checked.
      const { version, server_version, stale } = answer as unknown as Answer
      expect(stale).toBe(version !== server_version)
    },
  }),
  given({
    op: 'conformance.get',
    title: 'the summary counts what passed instead of naming it',
    as: 'anonymous',
    input: () => ({ summary: true }),
    answer: async (answer) => {
      const { suites, clients } = answer as unknown as Answer
      const report = readReport(await shippedReport())
      const whole = [...(report?.suites ?? []), ...(report?.clients ?? [])]
      expect(whole.length).toBeGreaterThan(0)
      const passed = ({ status }: { status: string }) => status === 'passed'
      expect([...suites, ...clients]).toMatchObject(
        whole.map(({ scenarios }) => ({
          passed: scenarios.filter(passed).length,
          scenarios: scenarios.filter((one) => !passed(one)),
        })),
      )
    },
  }),
  given({
    op: 'conformance.get',
    title: 'a summary that is neither true nor false is refused',
    as: 'anonymous',
    input: () => ({ summary: 'perhaps' }),
    refusal: 'invalid_input',
    error: (error) => expect(error.errors?.[0]?.pointer).toBe('/summary'),
  }),
]
