import type { Refusal } from '../errors.ts'
import type { OperationFacts } from '../operation-facts.ts'

/** Headers in which other services take a key, as they are spelled in a hint. */
const headerNames = ['X-API-Key', 'API-Key', 'ApiKey', 'X-Auth-Token', 'X-Access-Token']
/** Names of members that hold a key where other services take one there. */
const memberNames: ReadonlySet<string> = new Set([
  'api_key',
  'apikey',
  'access_token',
  'auth',
  'auth_token',
  'authorization',
  'bearer',
  'key',
  'token',
  'x-api-key',
])
const membersAtMost = 50

/** What came with a call, apart from its credential. */
export interface Sent {
  /** Lower-case names. */
  headers: Readonly<Record<string, string | string[] | undefined>>
  query?: Iterable<readonly [string, string]>
  input?: unknown
}

/** Whether a member of this name would hold a key elsewhere. */
export function namesKey(name: string): boolean {
  return name.length < 20 && memberNames.has(name.toLowerCase().replaceAll('-', '_'))
}

/**
 * A refusal of a call without a credential, told where the key came instead: who has one is not sent to get another.
 * Any other refusal is returned as it is.
 */
export function toldPlace(
  refusal: Refusal,
  { input: { shape } }: Pick<OperationFacts, 'input'>,
  sent: () => Sent,
): Refusal {
  if (refusal.code !== 'unauthenticated' && refusal.code !== 'missing_token') return refusal
  const place = placeOf(sent(), (name) => namesKey(name) && !Object.hasOwn(shape, name))
  return place === undefined ? refusal : refusal.withHint(`The key came ${place}. ${theOnlyPlace}`)
}

/** Where a key belongs. */
export const theOnlyPlace =
  'Send it in the header Authorization alone: "Authorization: Bearer ab_…".'

function placeOf(
  { headers, query = [], input }: Sent,
  isKey: (name: string) => boolean,
): string | undefined {
  const header = headerNames.find((name) => headers[name.toLowerCase()] !== undefined)
  if (header !== undefined) return `as the header ${header}`
  for (const [name] of query) if (isKey(name)) return `as "${name}" in the query`
  if (typeof input !== 'object' || input === null) return undefined
  const names = Object.keys(input).slice(0, membersAtMost)
  const member = names.find(isKey)
  return member === undefined ? undefined : `as the member "${member}" of the input`
}
