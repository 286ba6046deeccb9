import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { catalog } from '#src/catalog.ts'
import { openapi } from '#src/documents/openapi.ts'
import { canFetch, fetched, ran } from '#tests/e2e/conformance/fetched.ts'

/** Where a server is that was started with nothing set. */
const publicUrl = 'http://127.0.0.1:8080'
// It stands on a TypeScript of its own, which comes with it.
const generator = { name: 'openapi-typescript', release: '7.13.0' }
const endsWithinMs = 120_000

/** Writes the types of every operation, made of the contract as it is, into a file. */
export async function writeTypes(file: string): Promise<void> {
  const home = await fetched(generator)
  const folder = await mkdtemp(join(tmpdir(), 'abode-contract-'))
  try {
    const contract = join(folder, 'contract.json')
    await writeFile(contract, JSON.stringify(openapi(catalog, publicUrl)))
    const { code, stdout, stderr } = await ran(
      process.execPath,
      [join(home, 'bin', 'cli.js'), contract, '--output', file, '--default-non-nullable', 'false'],
      { cwd: folder, timeout: endsWithinMs },
    )
    if (code !== 0) throw new Error(`the types could not be made:\n${stdout}${stderr}`)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/** Whether the generator is on this machine or can be got. */
export function hasGenerator(): Promise<boolean> {
  return canFetch(generator, 'what the types of the client are')
}
