import { isDeepStrictEqual } from 'node:util'
import type { Sealer } from '#src/core/seal.ts'
import { opened, type SecretShelf } from './stored-secrets.ts'

/** Those of these secrets whose value, or where they may be sent, is another after a write, or that it deletes. */
export function secretsChanged(
  { before, after }: { before: SecretShelf | undefined; after: SecretShelf },
  names: readonly string[],
  master: Sealer,
): string[] {
  return names.filter(
    (name) => !isDeepStrictEqual(stateOf(before, name, master), stateOf(after, name, master)),
  )
}

/** What a secret is, without when it was set; undefined if there is none. */
function stateOf(shelf: SecretShelf | undefined, name: string, master: Sealer) {
  if (!shelf || !Object.hasOwn(shelf.secrets, name)) return undefined
  const { origins = null, bound = false } = shelf.secrets[name] ?? {}
  return { value: Object.values(opened(shelf, [name], master))[0], origins, bound }
}
