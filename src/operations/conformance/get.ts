import * as z from 'zod'
import {
  counted,
  Parity,
  readReport,
  RealClient,
  Report,
  Suite,
  type Scenario,
} from '#src/core/conformance-report.ts'
import { leadsToCommons } from '#src/core/commons/absence.ts'
import { operation } from '#src/core/operation.ts'

const counts = { passed: z.int(), failed: z.int(), expected_failures: z.int() }

export const get = operation({
  name: 'conformance.get',
  summary: 'Read the report of the last conformance run: suites, real clients, doors.',
  description:
    'version is that of the tested server; stale says that another one is running. summary ' +
    'leaves out the scenarios that passed.',
  example: { summary: true },
  auth: 'none',
  http: { method: 'GET', path: '/api/conformance' },
  toolsets: ['account'],
  input: z.strictObject({
    summary: z.boolean().optional().describe('Only counts, and what did not pass.'),
  }),
  output: z.object({
    shipped: z.boolean().describe('Whether this server came with a report.'),
    server_version: z.string().describe('The version of the server that answers.'),
    version: z.string().nullable(),
    stale: z.boolean(),
    date: Report.shape.date.nullable(),
    node: z.string().nullable(),
    protocols: Report.shape.protocols.nullable(),
    totals: z.object(counts),
    suites: z.array(Suite.extend(counts)),
    clients: z.array(RealClient.extend(counts)),
    doors: Parity.nullable(),
  }),
  refuses: [],

  async run({ summary = false }, { conformance, settings }) {
    const report = readReport(await conformance())
    const shown = <T extends { scenarios: Scenario[] }>(one: T) => ({
      ...one,
      ...counted(one.scenarios),
      scenarios: one.scenarios.filter(({ status }) => !summary || status !== 'passed'),
    })
    const { suites = [] } = report ?? {}
    // A door that this server does not offer is left out.
    const clients = (report?.clients ?? []).filter(
      ({ door }) => settings.hasCommons || !leadsToCommons(door),
    )
    return {
      shipped: report !== null,
      server_version: settings.version,
      version: report?.version ?? null,
      stale: report !== null && report.version !== settings.version,
      date: report?.date ?? null,
      node: report?.node ?? null,
      protocols: report?.protocols ?? null,
      totals: counted([...suites, ...clients].flatMap(({ scenarios }) => scenarios)),
      suites: suites.map(shown),
      clients: clients.map(shown),
      doors: report?.doors ?? null,
    }
  },
})
