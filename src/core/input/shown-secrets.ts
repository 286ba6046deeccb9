import { addressedIn } from '../credentials/addressed.ts'
import { begunIn } from '../credentials/begun.ts'
import { headersIn, privateKeysIn } from '../credentials/carried.ts'

const names = /(?:^|_)(?:tokens?|secrets?|password|authorization|credentials?|cookie|api_?key)$/i
/** Longer texts are not shown, and not looked through. */
const lookedAtMost = 2000

/** A member of an input, or an item of it. */
interface Member {
  at: string
  name: string
  schema: unknown
}

/**
 * Whether what was sent may be a secret, which is not said again: by the name of its member, or by its form.
 * @param operation its name: what is sent as the value of a secret is one
 */
export function isSecret(operation: string, { name, schema }: Member, value: unknown): boolean {
  if (names.test(name)) return true
  // The key of an entry has this name too.
  if (name === 'key' && !schema) return true
  if (name === 'value' && operation.includes('.secrets.')) return true
  return typeof value === 'string' && value.length <= lookedAtMost && holdsCredential(value)
}

/** Whether an example may stand in the place of a secret: a token proves who calls, and is not kept. */
export function mayBePlaceheld(name: string): boolean {
  return name === 'lease_token' || name === 'token'
}

function holdsCredential(text: string): boolean {
  return [begunIn, headersIn, addressedIn, privateKeysIn].some((found) => found(text).length > 0)
}
