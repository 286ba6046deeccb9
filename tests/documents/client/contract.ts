import { hash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { catalog } from '#src/catalog.ts'
import { openapi } from '#src/documents/openapi.ts'

/** Where a server is that was started with nothing set. */
const publicUrl = 'http://127.0.0.1:8080'

/** The types of the client, which are made of the contract. */
export const typesPath = fileURLToPath(
  new URL('../../../examples/typescript-client/contract.d.ts', import.meta.url),
)

/** The contract that the types are made of, but for its examples. */
export function contractText(): string {
  return JSON.stringify(openapi(catalog, publicUrl), (name, value: unknown) =>
    name === 'example' || name === 'examples' ? undefined : value,
  )
}

/** Tells one contract from another. */
export function contractHash(): string {
  return hash('sha256', contractText(), 'hex')
}

/** What the types begin with. */
export function headerOf(contract: string): string {
  return `/*
 * The types of every operation, made of /openapi.agent.json by \`npm run client\`.
 * Contract: sha256 ${contract}
 */

`
}

/** The contract that the types in the tree were made of. */
export async function hashInTypes(): Promise<string | undefined> {
  const text = await readFile(typesPath, 'utf8')
  return /^ \* Contract: sha256 ([0-9a-f]{64})$/m.exec(text)?.[1]
}
