import { describe, expect, it } from 'vitest'
import type { Report } from '#src/core/conformance-report.ts'
import { differences, reportText } from '#tests/e2e/conformance/report-file.ts'

function reportOf(more: Partial<Report> = {}): Report {
  return {
    version: '1.0.0',
    date: '2026-11-22',
    node: '26.10.0',
    protocols: { mcp: ['2025-11-25'], a2a: ['1.0'], openapi: '3.1' },
    suites: [
      {
        name: 'suite',
        version: '1',
        era: '2025-11-25',
        target: 'product',
        scenarios: [
          { name: 'ping', status: 'passed' },
          { name: 'odd', status: 'expected_failure', reason: 'a, "b": c' },
        ],
      },
    ],
    clients: [],
    doors: {
      operations: 2,
      rest_only: 1,
      cases: 3,
      doors: [{ name: 'rest', operations: 2, played: 3, failed: 0 }],
      same: { answers: 1, refusals: 2, failed: 0 },
    },
    ...more,
  }
}

const [suite] = reportOf().suites
const withScenarios = (...scenarios: Report['suites'][number]['scenarios']): Report =>
  reportOf({ suites: [{ ...suite!, scenarios }] })

describe('the text of a report', () => {
  it('is the report, in the same bytes each time, one line a scenario', () => {
    const text = reportText(reportOf())
    expect(JSON.parse(text)).toEqual(reportOf())
    expect(reportText(JSON.parse(text) as Report)).toBe(text)
    expect(text.split('\n')).toContain('      {"name": "ping", "status": "passed"},')
    expect(text.endsWith('}\n')).toBe(true)
  })
})

describe('a kept report', () => {
  it('may be of another day and another Node, and count fewer cases than there are now', () => {
    const doors = { ...reportOf().doors, cases: 4 }
    const now = reportOf({ date: '2027-01-01', node: '27.0.0', doors })
    expect(differences(reportOf(), now)).toEqual([])
  })

  it.each([
    ['another version', reportOf({ version: '1.0.1' }), /^version: .*1\.0\.0.*1\.0\.1/],
    [
      'a scenario that fails now',
      withScenarios(
        { name: 'ping', status: 'failed', reason: 'late' },
        { name: 'odd', status: 'expected_failure', reason: 'a, "b": c' },
      ),
      /ping: the report says passed, and it is failed$/,
    ],
    [
      'a scenario that is not there any more',
      withScenarios({ name: 'ping', status: 'passed' }),
      /odd: the report says expected_failure, and it is nothing$/,
    ],
    [
      'a scenario that it does not know',
      withScenarios(
        { name: 'ping', status: 'passed' },
        { name: 'odd', status: 'expected_failure', reason: 'a, "b": c' },
        { name: 'new', status: 'passed' },
      ),
      /new: the report says nothing, and it is passed$/,
    ],
    [
      'fewer operations',
      reportOf({ doors: { ...reportOf().doors, operations: 1 } }),
      /^operations: the report says 2, and it is 1$/,
    ],
    ['fewer cases', reportOf({ doors: { ...reportOf().doors, cases: 2 } }), /^cases: /],
    [
      'a case that fails',
      reportOf({
        doors: {
          ...reportOf().doors,
          doors: [{ name: 'rest', operations: 2, played: 3, failed: 1 }],
        },
      }),
      /^1 cases fail through the door rest$/,
    ],
    [
      'a call that is answered otherwise somewhere',
      reportOf({
        doors: { ...reportOf().doors, same: { answers: 1, refusals: 2, failed: 1 } },
      }),
      /^1 calls are answered otherwise/,
    ],
  ])('differs by %s', (_, measured, fault) => {
    expect(differences(reportOf(), measured)).toEqual([expect.stringMatching(fault)])
  })
})
