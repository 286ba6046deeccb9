import { catalog } from '#src/catalog.ts'
import { openapi } from '#src/documents/openapi.ts'
import { linted } from './linters.ts'

/*
 * Has the linters read the contract: `npm run lint:openapi`. Ends non-zero when one finds something.
 */

const contract = JSON.stringify(openapi(catalog, 'https://abode.test'))
for (const { name, release, passed, found } of await linted(contract)) {
  process.stdout.write(`${name} ${release}: ${passed ? 'clean' : 'FAILS'}\n`)
  for (const one of found) process.stdout.write(`  ${one}\n`)
  if (!passed) process.exitCode = 1
}
