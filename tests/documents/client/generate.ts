import { relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { writeTypes } from './types.ts'

/*
 * Makes the types that examples/typescript-client is used with, of the contract: `npm run client`.
 */

const file = fileURLToPath(
  new URL('../../../examples/typescript-client/contract.d.ts', import.meta.url),
)
await writeTypes(file)
process.stdout.write(`${relative(process.cwd(), file)}\n`)
