import { readFile } from 'node:fs/promises'

const place = new URL('../../src/core/conformance-report.json', import.meta.url)

/** The conformance report shipped with this package; null if there is none. */
export async function shippedReport(): Promise<string | null> {
  try {
    return await readFile(place, 'utf8')
  } catch {
    return null
  }
}
