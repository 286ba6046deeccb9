import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fetched, ran } from '#tests/e2e/conformance/fetched.ts'
import { contractHash, contractText, headerOf, typesPath } from './contract.ts'

/*
 * Makes the types of examples/typescript-client of the contract: `npm run client`. The generator stands
 * on a TypeScript of its own, which comes with it.
 */

const generator = { name: 'openapi-typescript', release: '7.13.0' }
const endsWithinMs = 120_000

const home = await fetched(generator)
const folder = await mkdtemp(join(tmpdir(), 'abode-client-'))
try {
  const [from, to] = [join(folder, 'contract.json'), join(folder, 'contract.d.ts')]
  await writeFile(from, contractText())
  const { code, stderr } = await ran(
    process.execPath,
    [join(home, 'bin', 'cli.js'), from, '--output', to, '--default-non-nullable', 'false'],
    { cwd: folder, timeout: endsWithinMs },
  )
  if (code !== 0) throw new Error(`the types could not be made:\n${stderr}`)
  const types = (await readFile(to, 'utf8')).replace(/^\/\*\*[^]*?\*\/\s*/, '')
  await writeFile(typesPath, headerOf(contractHash()) + types)
} finally {
  await rm(folder, { recursive: true, force: true })
}
