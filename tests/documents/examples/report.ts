import { versionOfPackage } from '#adapters/compose/about.ts'
import type { Report } from '#src/core/conformance-report.ts'

/** A conformance report as it may be: that of the package is another after each run. */
export const sampleReport: Report = {
  version: versionOfPackage(),
  date: '2026-03-02',
  node: '26.10.0',
  protocols: { mcp: ['2025-11-25', '2026-07-28'], a2a: ['0.3', '1.0'], openapi: '3.1' },
  suites: [
    {
      name: '@modelcontextprotocol/conformance',
      version: '0.1.16',
      era: '2025-11-25',
      target: 'fixture',
      scenarios: [
        {
          name: 'tools-call-sampling',
          status: 'expected_failure',
          reason: 'stateless by contract: the server asks nothing while it answers',
        },
        { name: 'server-initialize', status: 'passed' },
      ],
    },
  ],
  clients: [
    {
      name: '@modelcontextprotocol/client',
      version: '2.4.0',
      mode: 'the current client as it comes',
      door: '/mcp',
      scenarios: [{ name: 'runs a task and reads the run', status: 'passed' }],
    },
  ],
  doors: {
    operations: 147,
    rest_only: 10,
    cases: 1324,
    doors: [
      { name: 'rest', operations: 147, played: 1325, failed: 0 },
      { name: 'mcp', operations: 137, played: 1227, failed: 0 },
    ],
    same: { answers: 600, refusals: 600, failed: 0 },
  },
}
