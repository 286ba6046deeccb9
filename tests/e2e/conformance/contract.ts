import { catalog } from '#src/catalog.ts'
import type { Report } from '#src/core/conformance-report.ts'
import { openapi } from '#src/documents/openapi.ts'
import { linted } from '../documents/linters.ts'

/** What linters that others wrote say of the OpenAPI document, under their strict rules. */
export async function contractSuites(): Promise<Report['suites']> {
  const document = openapi(catalog, 'https://abode.test')
  const verdicts = await linted(JSON.stringify(document))
  return verdicts.map(({ name, release, passed, found }) => ({
    name,
    version: release,
    era: `OpenAPI ${document.openapi}`,
    target: 'contract',
    scenarios: [
      passed
        ? { name: 'finds nothing under its strict rules', status: 'passed' }
        : {
            name: 'finds nothing under its strict rules',
            status: 'failed',
            reason: `${found.length} findings, the first: ${found[0] ?? ''}`,
          },
    ],
  }))
}
