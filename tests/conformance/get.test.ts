import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Report, Scenario } from '#src/core/conformance-report.ts'
import type { Store } from '#src/ports/store.ts'
import { shippedReport } from '#adapters/compose/conformance-report.ts'
import { stores } from '#tests/support/stores.ts'
import { openWorld } from '#tests/support/world.ts'

const scenarios: Scenario[] = [
  { name: 'ping', status: 'passed' },
  { name: 'sampling', status: 'expected_failure', reason: 'nothing is asked while it answers' },
  { name: 'caching', status: 'failed', reason: 'Passed: 1/2' },
]

const report: Report = {
  version: '0.0.0',
  date: '2026-11-22',
  node: '26.10.0',
  protocols: { mcp: ['2025-11-25', '2026-07-28'], a2a: ['0.3', '1.0'], openapi: '3.1' },
  suites: [{ name: 'suite', version: '1', era: '2025-11-25', target: 'product', scenarios }],
  clients: [{ name: 'client', version: '2', mode: 'plain', door: '/mcp', scenarios }],
  doors: {
    operations: 2,
    rest_only: 0,
    cases: 3,
    doors: [{ name: 'rest', operations: 2, played: 3, failed: 0 }],
    same: { answers: 1, refusals: 2, failed: 0 },
  },
}

describe('what is told of the last conformance run', () => {
  let store: Store
  beforeAll(async () => {
    store = await stores()[0]!.open()
  })
  afterAll(() => store.close())

  const told = (text: string | null, input: object = {}) =>
    openWorld(store, { conformance: () => Promise.resolve(text) }).ask('conformance.get', input)

  it('is the report with how many scenarios came to what', async () => {
    const counts = { passed: 1, failed: 1, expected_failures: 1 }
    expect(await told(JSON.stringify(report))).toEqual({
      ...report,
      shipped: true,
      server_version: '0.0.0',
      stale: false,
      totals: { passed: 2, failed: 2, expected_failures: 2 },
      suites: [{ ...report.suites[0], ...counts }],
      clients: [{ ...report.clients[0], ...counts }],
    })
  })

  it('leaves out what passed when only the summary is asked for', async () => {
    const { suites, totals } = await told(JSON.stringify(report), { summary: true })
    expect(totals).toEqual({ passed: 2, failed: 2, expected_failures: 2 })
    expect(suites).toMatchObject([{ passed: 1, scenarios: scenarios.slice(1) }])
  })

  it('is stale when it is of another version than the one that answers', async () => {
    const older = JSON.stringify({ ...report, version: '0.0.0-alpha' })
    expect(await told(older)).toMatchObject({
      version: '0.0.0-alpha',
      server_version: '0.0.0',
      stale: true,
    })
  })

  it.each([
    ['missing', null],
    ['no JSON', '{"version": '],
    ['of another form', '{"version": "0.0.0", "suites": {}}'],
    ['empty', ''],
  ])('says that none was shipped when the file is %s', async (_, text) => {
    expect(await told(text)).toEqual({
      shipped: false,
      server_version: '0.0.0',
      version: null,
      stale: false,
      date: null,
      node: null,
      protocols: null,
      totals: { passed: 0, failed: 0, expected_failures: 0 },
      suites: [],
      clients: [],
      doors: null,
    })
  })

  it('is small enough to hand to a model', async () => {
    const shipped = await shippedReport()
    const whole = JSON.stringify(await told(shipped))
    const summary = JSON.stringify(await told(shipped, { summary: true }))
    expect(Buffer.byteLength(whole)).toBeLessThan(48 * 1024)
    expect(Buffer.byteLength(summary)).toBeLessThan(12 * 1024)
  })
})
